import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newVisitor, openVisitors, signInAs, tokenAndCookie, type Visitors } from '../support/browser.ts';
import { stack } from '../support/stack.ts';

const { baseUrl } = stack();

let visitors: Visitors;
beforeAll(async () => {
  visitors = await openVisitors();
});
afterAll(() => visitors?.close());

describe('a request from elsewhere', () => {
  test('changes nothing without a token of whoever is signed in, or from another site', async () => {
    const { context, page } = await newVisitor(visitors.browser);
    await signInAs(page, baseUrl, 'Olive Owner');
    const [token, cookie] = await tokenAndCookie({ context, page });
    const post = (body: Record<string, string>, headers: Record<string, string>) =>
      fetch(`${baseUrl}/dashboard/new-project`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie, ...headers },
        body: new URLSearchParams({
          form_key: crypto.randomUUID(),
          name: 'Forged',
          ...body,
        }),
      });
    const ours = { 'Sec-Fetch-Site': 'same-origin', Origin: baseUrl };
    expect((await post({}, ours)).status).toBe(403);
    expect((await post({ form_token: token.slice(1) }, ours)).status).toBe(403);
    expect((await post({ form_token: token }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await post({ form_token: token }, { Origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await post({ form_token: token }, {})).status).toBe(403);
    expect((await post({ form_token: token }, ours)).status).toBe(303);
    await context.close();
  });

  test('is told by every page to run, frame and keep nothing', async () => {
    const { headers } = await fetch(`${baseUrl}/dashboard`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-request-id')).not.toBe(null);
  });
});
