import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { servePublicFile } from '#shared/openapi/public-files.ts';
import type { RawResponse } from '#shared/triggers/http-response.ts';
import { openApiFiles } from '../../../infra/docs-page.ts';

const publicBaseUrl = 'https://calls.example.com/prod';
let directory: string;
let files: Record<string, Buffer>;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'public-files-'));
  files = await openApiFiles();
  for (const [name, contents] of Object.entries(files)) await writeFile(join(directory, name), contents);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function ask(
  resource: string,
  {
    asset,
    query = '',
    headers = {},
    path = resource,
  }: { asset?: string; query?: string; headers?: Record<string, string>; path?: string } = {},
): Promise<RawResponse> {
  return servePublicFile(
    { directory, publicBaseUrl },
    {
      resource,
      path,
      pathParameters: asset === undefined ? {} : { asset },
      query: new URLSearchParams(query),
      headers,
    },
  );
}

const askAsset = (asset: string, query = ''): Promise<RawResponse> => ask('/docs/{asset}', { asset, query });

describe.each(['/openapi.json', '/admin/openapi.json'])('the description of the API at %s', (address) => {
  test("names the service's address and allows cross-origin reads", async () => {
    const { status, headers, body } = await ask(address);
    expect(status).toBe(200);
    expect(JSON.parse(String(body)).servers).toEqual([{ url: publicBaseUrl }]);
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' });
  });

  test('is not sent again to a client that has it', async () => {
    const etag = (await ask(address)).headers?.ETag ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await ask(address, { headers: { 'if-none-match': known } });
      expect([again.status, again.body]).toEqual([304, undefined]);
    }
    expect((await ask(address, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

describe('the bare address', () => {
  test('redirects browsers to the dashboard, and returns 404 to software', async () => {
    const { status, headers } = await ask('/', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([status, headers?.Location]).toEqual([302, `${publicBaseUrl}/dashboard`]);
    await expect(ask('/', { headers: { accept: '*/*' } })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the page', () => {
  test('loads only what this service serves', async () => {
    const { body, headers } = await ask('/docs');
    const loaded = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    const assets = loaded.filter((address) => address.startsWith('docs/'));
    expect(loaded.filter((address) => !assets.includes(address))).toEqual([
      'data:,',
      'docs',
      'openapi.json',
      'docs?api=admin',
      'admin/openapi.json',
    ]);
    expect(assets).toHaveLength(3);
    for (const address of assets) {
      const { pathname, search } = new URL(address, 'https://calls.example.com/');
      expect((await askAsset(pathname.replace('/docs/', ''), search)).status).toBe(200);
    }
    expect(headers?.['Content-Security-Policy']).toContain("script-src 'self';");
    expect(headers?.['Content-Security-Policy']).not.toContain('unsafe');
    expect(String(body)).not.toMatch(/<style|style=|<script>|\son\w+=/);
  });

  test('redirects a URL without its slash, which would break relative links', async () => {
    const { status, headers } = await ask('/docs', { path: '/docs/' });
    expect([status, headers?.Location]).toEqual([308, `${publicBaseUrl}/docs`]);
  });

  test('caches each version of its assets forever', async () => {
    const { headers } = await askAsset('swagger-ui.css', 'v=1');
    expect(headers).toMatchObject({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Type': 'text/css; charset=utf-8',
    });
    expect((await askAsset('swagger-ui.css')).headers?.['Cache-Control']).toBe('public, max-age=300');
  });

  test.each(['index.js', '../index.js', 'openapi.json', 'constructor', ''])(
    'does not hand out %j, which is none of its assets',
    async (asset) => {
      await expect(askAsset(asset)).rejects.toMatchObject({ code: 'not_found', detail: 'Not found' });
    },
  );

  test('has no part too large for Lambda', () => {
    for (const [name, contents] of Object.entries(files)) {
      expect(JSON.stringify(JSON.stringify(contents.toString('utf8'))).length, name).toBeLessThan(5_500_000);
    }
  });
});
