import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { inlineStyles, scriptName } from '../assets/served-assets.ts';
import type { Links } from '../links.ts';

/** Inlined, which saves the browser a request. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="8" fill="#0b6158"/>' +
    '<path d="M9 17h3l2-6 4 11 2-5h3" fill="none" stroke="#fff" ' +
    'stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>',
)}`;

/** The frame of every page. @param continueAt address to redirect to */
export function Document({
  links,
  title,
  continueAt,
  children,
}: {
  readonly links: Links;
  readonly title: string;
  readonly continueAt?: string;
  readonly children: Child;
}) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{`${title} · Voice agent tasks`}</title>
          {continueAt === undefined ? null : <meta http-equiv="refresh" content={`0; url=${continueAt}`} />}
          <link rel="icon" href={icon} />
          <style>{raw(inlineStyles)}</style>
          <script type="module" src={links.asset(scriptName)} />
        </head>
        <body>
          <a class="skip" href="#content">
            Skip to the content
          </a>
          {children}
        </body>
      </html>
    </>
  );
}
