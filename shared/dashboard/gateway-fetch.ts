import type { RawRequest } from '#shared/triggers/http.ts';
import type { RawResponse } from '#shared/triggers/http-response.ts';

/**
 * Lets a function from web requests to web responses answer a request of the gateway. The path that it sees is the one
 * below the dashboard's, wherever the API and its stage lie.
 *
 * @param origin of the address that the browser asked
 */
export async function answerByFetch(
  { method, pathParameters, query, headers, body }: RawRequest,
  origin: string,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<RawResponse> {
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
