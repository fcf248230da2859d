import type { APIGatewayProxyResult } from 'aws-lambda';

export interface RawResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** Bytes are base64-encoded here for API Gateway. */
  readonly body?: string | Uint8Array;
}

/** Responses contain health information, so no intermediary may store them. */
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

/** The response as a function returns it to API Gateway. */
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
