import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Query parameters of GetObject in the Amazon S3 API Reference, by the header that they replace. */
const overrides = {
  'cache-control': 'response-cache-control',
  'content-disposition': 'response-content-disposition',
  'content-encoding': 'response-content-encoding',
  'content-language': 'response-content-language',
  'content-type': 'response-content-type',
  expires: 'response-expires',
} as const;

/** The headers of an object with those that its signed URL asks for, which the embedded S3 ignores. */
export function overriddenHeaders(headers: IncomingHttpHeaders, url: string): OutgoingHttpHeaders {
  const { searchParams } = new URL(url, 'http://localhost');
  const asked = Object.entries(overrides).flatMap(([header, parameter]) => {
    const value = searchParams.get(parameter);
    return value === null ? [] : [[header, value] as const];
  });
  return { ...headers, ...Object.fromEntries(asked) };
}
