import type { RawRequest } from '#shared/triggers/http.ts';
import type { RawResponse } from '#shared/triggers/http-response.ts';

/**
 * Serves the gateway's requests with a function from web requests to web responses. Its path is the one below the
 * dashboard's, wherever the API and its stage are.
 *
 * @param origin of the address that the browser requested
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
