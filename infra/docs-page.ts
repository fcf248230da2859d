import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Audience, openApiDocument } from '#shared/openapi/document.ts';
import { documentFiles, pageFile } from '#shared/openapi/page-files.ts';
import { ids } from '#shared/operations/examples.ts';
import { operations } from './routes.ts';

const require = createRequire(import.meta.url);

/** Files that the function `open-api` serves, by name: the documents, and a Swagger UI page for them. */
export async function openApiFiles(): Promise<Record<string, Buffer>> {
  const [styles, program] = await Promise.all([
    readFile(require.resolve('swagger-ui-dist/swagger-ui.css')),
    readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  ]);
  const assets = {
    'swagger-ui.css': styles,
    'swagger-ui-bundle.js': program,
    'page.js': Buffer.from(pageScript),
  };
  return {
    [documentFiles['/openapi.json']]: documentFor('clients'),
    [documentFiles['/admin/openapi.json']]: documentFor('people'),
    [pageFile]: Buffer.from(page((name) => `docs/${name}?v=${version(assets[name])}`)),
    ...assets,
  };
}

function documentFor(audience: Audience): Buffer {
  return Buffer.from(JSON.stringify(openApiDocument(operations, audience)));
}

function version(contents: Buffer): string {
  return createHash('sha256').update(contents).digest('base64url').slice(0, 12);
}

function page(addressOf: (asset: 'swagger-ui.css' | 'swagger-ui-bundle.js' | 'page.js') => string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Voice agent tasks</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${addressOf('swagger-ui.css')}">
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<nav>
<a href="docs">API</a> (<a href="openapi.json">openapi.json</a>),
<a href="docs?api=admin">management API</a> (<a href="admin/openapi.json">admin/openapi.json</a>)
</nav>
<div id="docs"></div>
<script src="${addressOf('swagger-ui-bundle.js')}"></script>
<script type="module" src="${addressOf('page.js')}"></script>
</body>
</html>
`;
}

/**
 * A separate file, because the page may not run inline scripts. API keys that people try out are not stored. When
 * opened from a project in the dashboard, the examples contain the project's ID and can be sent unchanged.
 */
const pageScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
followScheme();
dark.addEventListener('change', followScheme);
const query = new URLSearchParams(location.search);
const project = query.get('project_id');
const text = await (await fetch(query.get('api') === 'admin' ? 'admin/openapi.json' : 'openapi.json')).text();
const isProject = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(project ?? '');
window.SwaggerUIBundle({
  spec: JSON.parse(isProject ? text.replaceAll('${ids.project}', project) : text),
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
  validatorUrl: null,
  requestSnippetsEnabled: true,
});
`;
