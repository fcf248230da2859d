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

  test.each(['/projects/01a1fc97-58bc-708f-8a0c-7cb537214c80/api-keys', '/new-project'])(
    'lead back to %s after signing in',
    (to) => expect(safeReturnPath(to)).toBe(to),
  );

  test.each([
    undefined,
    '',
    '//evil.example.com',
    '/\\evil.example.com',
    'https://evil.example.com',
    '/a/../..',
    '/a?b=c',
    '/a\r\nb',
  ])('never leave the site: %j', (to) => expect(safeReturnPath(to)).toBe('/'));
});
