import { describe, expect, test } from 'vitest';
import { linksBelow, safeReturnPath } from '#shared/dashboard/links.ts';

describe('the links of the dashboard', () => {
  test("keep the stage at the end of the API's address", () => {
    const links = linksBelow('https://abc.execute-api.us-east-1.amazonaws.com/dev');
    expect(links.root).toBe('/dev/dashboard');
    expect(links.signedIn).toBe('https://abc.execute-api.us-east-1.amazonaws.com/dev/dashboard/signed-in');
    expect(links.apiKeys('p')).toBe('/dev/dashboard/projects/p/api-keys');
    expect(links.isHttps).toBe(true);
  });

  test('start at the root of a custom domain', () => {
    expect(linksBelow('http://127.0.0.1:3000')).toMatchObject({
      root: '/dashboard',
      signedIn: 'http://127.0.0.1:3000/dashboard/signed-in',
      isHttps: false,
    });
  });

  const project = '/projects/01a1fc97-58bc-708f-8a0c-7cb537214c80';

  test.each([
    `${project}/api-keys`,
    '/new-project',
    `${project}/tasks?needs=follow-up&from=2026-11-30`,
    `${project}/find?from=tasks&q=eyJhbGciOiJkaXIi..e30_-`,
  ])('lead back to %s after signing in', (to) => expect(safeReturnPath(to)).toBe(to));

  test('lead back without a query that does not fit the cookie of a sign-in', () => {
    expect(safeReturnPath(`${project}/selected-tasks?task_id=${'0'.repeat(3000)}`)).toBe(
      `${project}/selected-tasks`,
    );
  });

  test.each([
    undefined,
    '',
    '//evil.example.com',
    '/\\evil.example.com',
    'https://evil.example.com',
    '/a/../..',
    '/a?b=//evil.example.com',
    '//evil.example.com?b=c',
    '/a?b=\\c',
    '/a\r\nb',
  ])('never leave the site: %j', (to) => expect(safeReturnPath(to)).toBe('/'));
});
