import type { APIGatewayProxyResult } from 'aws-lambda';

export interface RawResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** Bytes are sent as they are; API Gateway wants them in base64, which is done here. */
  readonly body?: string | Uint8Array;
}

/** Answers hold health information, so nothing between us and the client may keep them. */
export const privateHeaders = { 'Cache-Control': 'no-store' };

export function jsonResponse(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): RawResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...privateHeaders, ...headers },
    body: JSON.stringify(body),
  };
}

/** The response as API Gateway takes it from a function. */
export function toResult({ status, headers = {}, body = '' }: RawResponse): APIGatewayProxyResult {
  return typeof body === 'string'
    ? { statusCode: status, headers, body }
    : {
        statusCode: status,
        headers,
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64'),
        isBase64Encoded: true,
      };
}
