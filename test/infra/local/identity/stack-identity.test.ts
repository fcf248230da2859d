import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Role } from '#shared/domain/person.ts';
import { tokenAuthentication } from '#shared/identity/verify-token.ts';
import { signInAs } from '../../../../infra/local/identity/sign-in-as.ts';
import { openStackIdentity, type StackIdentity } from '../../../../infra/local/identity/stack-identity.ts';
import { openStackState, type StackState } from '../../../../infra/local/stack-state.ts';

const baseUrl = 'http://127.0.0.1:3000';

let dataDir: string;
let state: StackState;
let identity: StackIdentity;
const told: string[] = [];

async function start(): Promise<void> {
  state = openStackState(dataDir);
  identity = await openStackIdentity(state);
  await identity.serve(baseUrl, (line) => told.push(line));
}

async function stop(): Promise<void> {
  await identity.stop();
  state.close();
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stack-identity-'));
  await start();
});
afterEach(async () => {
  await stop();
  await rm(dataDir, { recursive: true, force: true });
  expect(told).toEqual([]);
});

const provider = () => ({
  issuer: identity.parameters.OidcIssuer,
  clientId: identity.parameters.OidcClientId,
});

/** Starts a sign-in as the client does, with some of its parameters changed or omitted. */
async function begin(changes: Record<string, string | null> = {}): Promise<Response> {
  const parameters = {
    client_id: provider().clientId,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${baseUrl}/dashboard/signed-in`,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    state: 'state',
    ...changes,
  };
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === null ? [] : [[name, value]],
    ),
  );
  return fetch(`${provider().issuer}/auth?${query}`, { redirect: 'manual' });
}

describe('the identity provider of a local stack', () => {
  test('survives a restart, and its tokens stay valid', async () => {
    const before = identity.parameters;
    const token = await signInAs('owner', provider());
    await stop();
    await start();
    expect(identity.parameters).toEqual(before);
    const request = { headers: { authorization: `Bearer ${token}` } };
    await expect(tokenAuthentication(provider())(request)).resolves.toMatchObject({
      email: 'owner@clinic.example.com',
    });
  });

  test('asks who signs in on a page that needs no scripts and shows its origin', async () => {
    const begun = await begin();
    expect(begun.status).toBe(303);
    const cookie = begun.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const address = new URL(begun.headers.get('location') ?? '', provider().issuer);
    const page = await fetch(address, { headers: { Cookie: cookie } });
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('exists only in the local stack');
    expect(html).toContain('<html lang="en">');
    expect(html.match(/<button /g)).toHaveLength(Role.options.length);
    expect(html).not.toContain('<script');
    expect((await fetch(address)).status).toBe(400);
  });

  test.each([
    ['another address to be sent back to', { redirect_uri: 'https://example.com/' }],
    ['another path of the service', { redirect_uri: `${baseUrl}/elsewhere` }],
    ['another client', { client_id: 'another-client' }],
  ])('redirects nowhere for %s', async (_, changes) => {
    const response = await begin(changes);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).not.toContain('example.com');
  });

  test.each([
    ['without a code challenge', { code_challenge: null, code_challenge_method: null }],
    ['for a token in the address', { response_type: 'id_token' }],
  ])('refuses a sign-in %s', async (_, changes) => {
    const response = await begin(changes);
    const { search, hash } = new URL(response.headers.get('location') ?? '');
    const answer = new URLSearchParams(search || hash.slice(1));
    expect(answer.get('error')).not.toBeNull();
    expect(answer.get('code')).toBeNull();
  });
});
