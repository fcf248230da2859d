import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/**
 * What every answer tells a browser: come by TLS only for a year (RFC 6797), take the type as it is given, and run,
 * load and frame nothing. Pages have a policy of their own.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Adds the security headers that the answer does not have yet. */
export function addSecurityHeaders(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const addHeaders = (request: Request<APIGatewayProxyEvent, APIGatewayProxyResult>): void => {
    const { response } = request;
    if (response === null || response === undefined) return;
    const given = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
    const missing = Object.entries(securityHeaders).filter(([name]) => !given.has(name.toLowerCase()));
    request.response = { ...response, headers: { ...response.headers, ...Object.fromEntries(missing) } };
  };
  return { after: addHeaders, onError: addHeaders };
}
