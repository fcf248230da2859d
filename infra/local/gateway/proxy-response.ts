import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod/mini';
import { isBinaryType } from './proxy-event.ts';

const headerValue = z.union([z.string(), z.number(), z.boolean()]);

/** What API Gateway accepts from a function; anything else is answered 502. */
const proxyResponseSchema = z.object({
  statusCode: z.coerce.number().check(z.int(), z.minimum(100), z.maximum(599)),
  headers: z.nullish(z.record(z.string(), headerValue)),
  multiValueHeaders: z.nullish(z.record(z.string(), z.array(headerValue))),
  body: z.nullish(z.string()),
  isBase64Encoded: z.nullish(z.boolean()),
});

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** The server writes these itself. */
const serverHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The HTTP response that a function's result stands for; `null` when it stands for none. */
export function httpResponse(
  result: unknown,
  requestId: string,
  accept: string | undefined,
  binaryMediaTypes: readonly string[],
): HttpResponse | null {
  const parsed = proxyResponseSchema.safeParse(result);
  if (!parsed.success) return null;
  const { statusCode, headers: single, multiValueHeaders: multiple, body, isBase64Encoded } = parsed.data;
  const headers: [string, string][] = [];
  for (const [name, values] of Object.entries(multiple ?? {})) {
    for (const value of values) headers.push([name, String(value)]);
  }
  for (const [name, value] of Object.entries(single ?? {})) {
    const isGiven = headers.some(([other]) => other.toLowerCase() === name.toLowerCase());
    if (!isGiven) headers.push([name, String(value)]);
  }
  const sent = headers.filter(([name]) => !serverHeaders.has(name.toLowerCase()));
  if (!sent.every(([name, value]) => isSendable(name, value))) return null;
  if (!sent.some(([name]) => name.toLowerCase() === 'content-type')) {
    sent.push(['Content-Type', 'application/json']);
  }
  sent.push(['x-amzn-RequestId', requestId]);
  // Only what the client asks for first decides whether base64 is turned into bytes.
  const wanted = accept?.split(',')[0] ?? 'application/json';
  const isBinary = isBase64Encoded === true && isBinaryType(wanted, binaryMediaTypes);
  return {
    status: statusCode,
    headers: sent,
    body: Buffer.from(body ?? '', isBinary ? 'base64' : 'utf8'),
  };
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
