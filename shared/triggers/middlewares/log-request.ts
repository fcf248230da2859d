import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { annotateLog, log } from '#shared/observability/log.ts';

/** One log line per request, with the pattern of its path and never the path itself. */
export function logRequest(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const startedAt = new WeakMap<APIGatewayProxyEvent, number>();
  const logAnswer = (event: APIGatewayProxyEvent, status: number): void =>
    log('request', {
      status,
      duration_ms: Math.round(performance.now() - (startedAt.get(event) ?? performance.now())),
    });
  return {
    before: ({ event }) => {
      startedAt.set(event, performance.now());
      annotateLog({ method: event.httpMethod, resource: event.resource });
    },
    after: ({ event, response }) => logAnswer(event, response?.statusCode ?? 500),
    onError: ({ event, response }) => logAnswer(event, response?.statusCode ?? 500),
  };
}
