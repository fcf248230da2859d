/** Every way in which a request can be refused; `shared/triggers/http.ts` maps each code to one HTTP status. */
export type ServiceErrorCode =
  | 'invalid_request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'idempotency_key_reused'
  | 'payload_too_large'
  | 'too_many_requests';

/**
 * The one error class whose message may leave the service: `detail` becomes the `{detail}` of the answer.
 * Any other error is answered as `Internal server error`, so nothing from inside leaks.
 */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ServiceErrorCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'ServiceError';
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}
