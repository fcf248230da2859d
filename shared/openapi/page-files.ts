/*
 * The files that are laid next to the code of the function which answers them.
 */

export const documentFile = 'openapi.json';
export const pageFile = 'docs.html';

/** What the page loads, with the media type of each. */
export const pageAssets: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
]);
