import { ServiceError } from '#shared/domain/errors.ts';
import type { RawRequest, RawResponse } from '#shared/triggers/http.ts';

/**
 * Four times as long as a body that the API takes: the form of a new task carries as much, and forms write many
 * characters, among them those that JSON is full of, as three bytes for one.
 */
const longestBodyBytes = 1024 * 1024;

/**
 * Lets a function from web requests to web responses answer a request of the gateway. The path that it sees is the one
 * below the dashboard's, wherever the API and its stage lie. Throws `payload_too_large`.
 *
 * @param origin of the address that the browser asked
 */
export async function answerByFetch(
  { method, pathParameters, query, headers, body }: RawRequest,
  origin: string,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<RawResponse> {
  if (body.byteLength > longestBodyBytes) {
    throw new ServiceError('payload_too_large', 'Forms must not be larger than 1 MB');
  }
  const url = new URL(origin);
  url.pathname = `/${pathParameters.proxy ?? ''}`;
  url.search = query.toString();
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const response = await fetch(
    new Request(url, { method, headers, ...(hasBody ? { body: new Uint8Array(body) } : {}) }),
  );
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
