/** Every reason to refuse a request; `shared/triggers/error-status.ts` maps each code to one HTTP status. */
export const serviceErrorCodes = [
  'invalid_request',
  'missing_required_fields',
  'malformed_json',
  'unauthenticated',
  'forbidden',
  'insufficient_scope',
  'task_type_not_enabled',
  'not_found',
  'method_not_allowed',
  'conflict',
  'external_id_taken',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'payload_too_large',
  'too_many_requests',
] as const;
export type ServiceErrorCode = (typeof serviceErrorCodes)[number];

/** The values of `X-Error-Code`: these, and those of the gateway and of internal faults. */
export const errorCodes = [...serviceErrorCodes, 'unsupported_media_type', 'internal_error'] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** One invalid member of a request. */
export interface FieldError {
  /** `insurance.medical[0].phone_number`, or the name of a parameter. */
  readonly path: string;
  readonly code: 'missing' | 'wrong_type' | 'not_allowed' | 'too_large' | 'too_small' | 'invalid';
  /** A sentence that does not quote the request. */
  readonly message: string;
}

/** Details of an error besides its sentence. */
export interface ErrorExtras {
  readonly headers?: Readonly<Record<string, string>>;
  /** All invalid members, first the one in the sentence. */
  readonly fields?: readonly FieldError[];
}

/**
 * The only error class whose message may leave the service: `detail` becomes the response's `{detail}`. Any other
 * error becomes `Internal server error`, so that nothing internal leaks.
 */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: readonly FieldError[];

  constructor(code: ServiceErrorCode, detail: string, { headers = {}, fields = [] }: ErrorExtras = {}) {
    super(detail);
    this.name = 'ServiceError';
    this.code = code;
    this.detail = detail;
    this.headers = headers;
    this.fields = fields;
  }

  /** The same error with additional headers; its own take precedence. */
  withHeaders(headers: Readonly<Record<string, string>>): ServiceError {
    const { code, detail, fields } = this;
    return new ServiceError(code, detail, { headers: { ...headers, ...this.headers }, fields });
  }
}

/** An error about one member of the body or one parameter, which the sentence names. */
export function invalidField(path: string, detail: string): ServiceError {
  return new ServiceError('invalid_request', detail, {
    fields: [{ path, code: 'invalid', message: detail }],
  });
}

/** A key stands for one request. */
export function idempotencyKeyReused(): ServiceError {
  return new ServiceError(
    'idempotency_key_reused',
    'Idempotency-Key was used with another request; use a new key',
  );
}

/** Another request with the key is in progress; its outcome is unknown. */
export function idempotencyInProgress(): ServiceError {
  return new ServiceError(
    'idempotency_in_progress',
    'Another request with this Idempotency-Key is in progress; try again',
  );
}
