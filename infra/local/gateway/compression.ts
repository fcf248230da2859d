import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import type { HttpResponse } from './proxy-response.ts';

/**
 * The body of a request as it was before its sender compressed it. API Gateway decompresses gzip and deflate
 * for every API, refuses other codings and bodies that are not what the header says, and passes the header
 * itself on as it came (Developer Guide, "Call an API method with a compressed payload").
 *
 * @param contentEncoding the request's header
 * @param limitBytes of the body without compression
 */
export function decompress(
  body: Buffer,
  contentEncoding: string | undefined,
  limitBytes: number,
): Buffer | 'unsupported' | 'too large' {
  const coding = contentEncoding?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || body.length === 0) return body;
  if (coding !== 'gzip' && coding !== 'deflate') return 'unsupported';
  try {
    const limit = { maxOutputLength: limitBytes };
    return coding === 'gzip' ? gunzipSync(body, limit) : inflateSync(body, limit);
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLarge ? 'too large' : 'unsupported';
  }
}

/**
 * Compresses an answer as an API with a minimum size for it does: by gzip or deflate, whichever the client
 * accepts, gzip first. What the function has encoded itself, and what is smaller, is sent as it is.
 *
 * @param acceptEncoding the request's header; without one nothing is compressed
 * @param minimumBytes null for an API that does not compress
 */
export function compress(
  response: HttpResponse,
  acceptEncoding: string | undefined,
  minimumBytes: number | null,
): HttpResponse {
  if (minimumBytes === null || response.body.length < minimumBytes) return response;
  if (response.headers.some(([name]) => name.toLowerCase() === 'content-encoding')) return response;
  const encoding = acceptedEncoding(acceptEncoding ?? '');
  if (encoding === null) return response;
  const body = encoding === 'gzip' ? gzipSync(response.body) : deflateSync(response.body);
  return { ...response, headers: [...response.headers, ['Content-Encoding', encoding]], body };
}

function acceptedEncoding(acceptEncoding: string): 'gzip' | 'deflate' | null {
  const weights = new Map(
    acceptEncoding.split(',').map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  const accepts = (name: string): boolean => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (accepts('gzip')) return 'gzip';
  return accepts('deflate') ? 'deflate' : null;
}
