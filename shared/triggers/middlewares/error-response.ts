import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ServiceError } from '#shared/domain/errors.ts';
import { logError } from '#shared/observability/log.ts';
import { errorStatus } from '../error-status.ts';
import { jsonResponse, type RawResponse, toResult } from '../http-response.ts';

/**
 * Answers a `ServiceError` as `{detail}` with its status, and anything else as 500 without a word from
 * inside.
 */
export function errorResponse(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  return {
    onError: (request) => {
      request.response = toResult(responseOf(request.error));
    },
  };
}

function responseOf(error: unknown): RawResponse {
  if (error instanceof ServiceError) {
    return jsonResponse(errorStatus[error.code], { detail: error.detail }, error.headers);
  }
  logError('request-failed', error);
  return jsonResponse(500, { detail: 'Internal server error' });
}
