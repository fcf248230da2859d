import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/**
 * Security headers of every response: TLS only for a year (RFC 6797), no content sniffing, and nothing runs, loads or
 * frames. Pages have a policy of their own.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Adds the security headers that the response does not have yet. */
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
