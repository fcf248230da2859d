/** A function's request, on its way through the simulated network. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** How many bytes of the body arrive before the connection breaks; by default all of them. */
  readonly breaksAfterBytes?: number;
}

/** How a request ends without a response, by Node's code for such an error. */
export type ConnectionFault = 'ECONNRESET' | 'ECONNREFUSED';

/** The end of a request; at most one of the two is called, and neither if no response ever comes. */
export interface RequestOutcome {
  answer(answer: OutgoingResponse): void;
  fail(fault: ConnectionFault): void;
}

/** Accepts a request of a running function. */
export type Sender = (request: OutgoingRequest, outcome: RequestOutcome) => void;

export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: ConnectionFault;
  readonly syscall: string;

  constructor(code: ConnectionFault) {
    super(code === 'ECONNREFUSED' ? 'connect ECONNREFUSED' : 'socket hang up');
    this.code = code;
    this.syscall = code === 'ECONNREFUSED' ? 'connect' : 'read';
  }
}
