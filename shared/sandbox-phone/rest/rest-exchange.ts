/** The parts of a request that the simulated carrier's REST API reads. */
export interface RestRequest {
  readonly method: string;
  /** The route's pattern, as the gateway knows it. */
  readonly resource: string;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RestResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): RestResponse {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
