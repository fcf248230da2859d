import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type ErrorCode, type FieldError, ServiceError } from '#shared/domain/errors.ts';
import { logError } from '#shared/observability/log.ts';
import { errorStatus } from '../error-status.ts';
import { toHeaders } from '../gateway-event.ts';
import { jsonResponse, type RawResponse, toResult } from '../http-response.ts';

/**
 * Turns a `ServiceError` into `{detail}` with its status, and anything else into a generic 500. `X-Error-Fields` lists
 * the invalid members, as does the body on request (RFC 7240).
 */
export function errorResponse(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      request.response = toResult(responseOf(request.error, request.event));
    },
  };
}

function responseOf(error: unknown, event: APIGatewayProxyEvent): RawResponse {
  if (error instanceof ServiceError) {
    const { code, detail, fields } = error;
    const isAll = fields.length > 0 && prefersAllErrors(event);
    return jsonResponse(
      errorStatus[code],
      isAll ? { detail, errors: fields.slice(0, maxFieldErrors) } : { detail },
      {
        ...errorCode(code),
        ...fieldsHeader(code === 'missing_required_fields' ? fields.filter(isMissing) : fields),
        ...(isAll ? { 'Preference-Applied': 'errors=all' } : {}),
        ...error.headers,
      },
    );
  }
  logError('request-failed', error);
  return jsonResponse(500, { detail: 'Internal server error' }, errorCode('internal_error'));
}

function errorCode(code: ErrorCode): Record<string, string> {
  return { 'X-Error-Code': code };
}

function prefersAllErrors(event: APIGatewayProxyEvent): boolean {
  const preferences = toHeaders(event.multiValueHeaders).prefer?.split(',') ?? [];
  return preferences.some((preference) => /^\s*errors\s*=\s*"?all"?\s*(;|$)/i.test(preference));
}

/** API Gateway refuses a response whose headers exceed 10 KB together. */
const maxFieldsLength = 2000;
/** The beginning of a list with thousands of invalid entries says enough. */
const maxFieldErrors = 100;

/** Lists only missing members if any are missing, for compatibility; the body may list the others. */
function isMissing({ code }: FieldError): boolean {
  return code === 'missing';
}

function fieldsHeader(fields: readonly FieldError[]): Record<string, string> {
  const names: string[] = [];
  let length = 0;
  for (const name of new Set(fields.map(({ path }) => inHeader(path)))) {
    length += name.length + 1;
    if (length > maxFieldsLength) break;
    names.push(name);
  }
  return names.length === 0 ? {} : { 'X-Error-Fields': names.join(',') };
}

/** The client chose some of the names; a header holds printable ASCII, and a comma ends a name here. */
function inHeader(path: string): string {
  return path.toWellFormed().replaceAll(/[^\w.[\]-]/gu, (character) => encodeURIComponent(character));
}
