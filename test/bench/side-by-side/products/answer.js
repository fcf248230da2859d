import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import middy from '@middy/core';
import { logger, metrics, tracer } from './powertools.js';

export function answer(statusCode, body) {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** With the three middlewares of Powertools. */
export function observed(handler) {
  return middy(handler)
    .use(captureLambdaHandler(tracer))
    .use(logMetrics(metrics))
    .use(injectLambdaContext(logger, { resetKeys: true }));
}
