import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalidField } from '#shared/domain/errors.ts';
import type { RequestOrigin } from '#shared/domain/request-origin.ts';

/** Printable ASCII, as any header may hold. */
const reasonPattern = /^[\x20-\x7e]{1,200}$/;

/** Throws `invalid_request` for an invalid reason. */
export function originOf({
  headers,
  sourceEvent,
}: {
  readonly headers: Readonly<Record<string, string>>;
  readonly sourceEvent: APIGatewayProxyEvent;
}): RequestOrigin {
  const reason = headers['x-access-reason']?.trim();
  if (reason !== undefined && !reasonPattern.test(reason)) {
    throw invalidField('X-Access-Reason', 'X-Access-Reason must be 1 to 200 printable ASCII characters');
  }
  const { requestId, identity } = sourceEvent.requestContext;
  // Tests and other direct callers may omit the identity.
  return { requestId, sourceIp: identity?.sourceIp ?? null, reason: reason ?? null };
}
