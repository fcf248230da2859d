/* Files beside the code of the function that serves them. */

/** The OpenAPI documents by path. */
export const documentFiles = {
  '/openapi.json': 'openapi.json',
  '/admin/openapi.json': 'admin-openapi.json',
} as const;
export const pageFile = 'docs.html';

/** Assets of the page, with their media types. */
export const pageAssets: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
]);
