import type { ServerResponse } from 'node:http';
import { demoPeople } from './demo-people.ts';

/** Form field of the sign-in page with the subject of the person who was chosen. */
export const personField = 'person';

/** Asks who signs in. Each person is a button, so that it works without scripts and by keyboard. */
export function signInPage(): string {
  const buttons = Object.entries(demoPeople).map(
    ([role, { subject, name, email }]) => `
        <li><button name="${personField}" value="${subject}">
          <strong>${name}</strong><br>${email}<br>${role} of the demo project
        </button></li>`,
  );
  return page(
    'Sign in',
    `<p>Choose who you are. This page exists only in the local stack; its people are invented and need no password.</p>
      <form method="post">
        <ul>${buttons.join('')}
        </ul>
      </form>`,
  );
}

/** Reports a failed sign-in, without echoing the request. */
export function errorPage(): string {
  return page(
    'This sign-in cannot continue',
    '<p>It has expired, or the local stack does not recognize it. Go back and sign in again.</p>',
  );
}

export function signedOutPage(): string {
  return page('Signed out', '<p>You are signed out of the local stack.</p>');
}

/** @param form the provider's own form, which carries what it must get back */
export function signOutPage(form: string): string {
  return page(
    'Sign out',
    `${form}
      <p><button form="op.logoutForm" name="logout" value="yes">Sign out</button>
      <button form="op.logoutForm">Stay signed in</button></p>`,
  );
}

export function sendPage(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    .end(html);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${title} – local stack</title>
    <style>
      :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
      main { max-width: 30rem; margin: 10vh auto; padding: 0 1rem; }
      ul { list-style: none; padding: 0; }
      button { font: inherit; text-align: left; padding: 0.75rem 1rem; margin: 0.25rem 0; cursor: pointer; }
      li button { width: 100%; }
    </style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`;
}
