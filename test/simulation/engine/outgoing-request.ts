/** A request that a function sends, on its way through the simulated network. */
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
  /** How many bytes of the body arrive before the connection breaks; all of them when it is left out. */
  readonly breaksAfterBytes?: number;
}

/** How a request ends without an answer, by the code that Node gives such an error. */
export type ConnectionFault = 'ECONNRESET' | 'ECONNREFUSED';

/** What becomes of a request; at most one of the two is called, and neither when no answer ever comes. */
export interface RequestOutcome {
  answer(answer: OutgoingResponse): void;
  fail(fault: ConnectionFault): void;
}

/** Takes a request of one running function on its way. */
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
