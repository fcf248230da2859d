/*
 * The files that are laid next to the code of the function which answers them.
 */

/** Each description of the interface, by the path at which it is answered. */
export const documentFiles = {
  '/openapi.json': 'openapi.json',
  '/admin/openapi.json': 'admin-openapi.json',
} as const;
export const pageFile = 'docs.html';

/** What the page loads, with the media type of each. */
export const pageAssets: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
]);
