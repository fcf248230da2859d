import type { ServiceErrorCode } from '#shared/domain/errors.ts';

/** The HTTP status of each error code. */
export const errorStatus = {
  invalid_request: 400,
  missing_required_fields: 400,
  malformed_json: 400,
  unauthenticated: 401,
  forbidden: 403,
  insufficient_scope: 403,
  task_type_not_enabled: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  external_id_taken: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  idempotency_key_reused: 422,
  too_many_requests: 429,
} as const satisfies Record<ServiceErrorCode, number>;
