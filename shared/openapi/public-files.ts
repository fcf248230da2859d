import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ServiceError } from '#shared/domain/errors.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import type { RawResponse } from '#shared/triggers/http-response.ts';
import { documentFiles, pageAssets, pageFile } from './page-files.ts';
import { withServer } from './with-server.ts';

/** Location of the files, and the service's address. */
export interface PublicFiles {
  readonly directory: string;
  /** Without trailing slash. */
  readonly publicBaseUrl: string;
}

/**
 * Serves the OpenAPI documents, `GET /docs` and the page's assets, and redirects browsers from `GET /` to the
 * dashboard. Throws `not_found` for an unknown asset.
 */
export async function servePublicFile(
  { directory, publicBaseUrl }: PublicFiles,
  request: Pick<RawRequest, 'resource' | 'path' | 'pathParameters' | 'query' | 'headers'>,
): Promise<RawResponse> {
  const read = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');
  switch (request.resource) {
    case '/':
      return leadToDashboard(request, publicBaseUrl);
    case '/openapi.json':
    case '/admin/openapi.json': {
      const document = Document.parse(JSON.parse(await read(documentFiles[request.resource])));
      return cacheable(request, JSON.stringify(withServer(document, publicBaseUrl)), {
        'Content-Type': 'application/json',
        'Cache-Control': shortly,
        // It is public, and tools on other sites read it.
        'Access-Control-Allow-Origin': '*',
      });
    }
    case '/docs':
      // URLs in the page are relative to its own, because a stage may precede it: they require no trailing slash.
      if (request.path.endsWith('/')) return { status: 308, headers: { Location: `${publicBaseUrl}/docs` } };
      return cacheable(request, await read(pageFile), {
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': shortly,
        ...pageProtection,
      });
    default: {
      const name = request.pathParameters.asset ?? '';
      const contentType = pageAssets.get(name);
      if (contentType === undefined) throw new ServiceError('not_found', 'Not found');
      return cacheable(request, await read(name), {
        'Content-Type': contentType,
        // The page requests each version of an asset with its own query.
        'Cache-Control': request.query.has('v') ? 'public, max-age=31536000, immutable' : shortly,
      });
    }
  }
}

/** The bare URL is for people in a browser; software gets 404. */
function leadToDashboard({ headers }: Pick<RawRequest, 'headers'>, publicBaseUrl: string): RawResponse {
  if (headers.accept?.includes('text/html') !== true) throw new ServiceError('not_found', 'Not found');
  return { status: 302, headers: { Location: `${publicBaseUrl}/dashboard`, Vary: 'Accept' } };
}

const Document = z.record(z.string(), z.unknown());

const shortly = 'public, max-age=300';

/** The page runs and loads only what comes from here. Swagger UI draws its icons from `data:` URLs. */
const pageProtection = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

function cacheable(
  { headers }: Pick<RawRequest, 'headers'>,
  body: string,
  responseHeaders: Record<string, string>,
): RawResponse {
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  // A gateway that compresses a response may have weakened the tag (RFC 9110 §13.1.2 compares weakly).
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  const isKnown = known.includes(etag) || known.includes('*');
  return {
    status: isKnown ? 304 : 200,
    headers: { ...responseHeaders, ETag: etag },
    ...(isKnown ? {} : { body }),
  };
}
