import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/domain/errors.ts';
import { IdentityProviderError, tokenAuthentication } from '#shared/identity/verify-token.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { forThisFile } from '../../support/lifetime.ts';

const provider = await forThisFile(startIdentityProvider());

const authenticated = (authorization: string) =>
  tokenAuthentication(provider)({ headers: { authorization } });

/** Claims of a valid token, with changes. */
function claims(changes: JWTPayload = {}): JWTPayload {
  const nowSeconds = Math.floor(Date.now() / 1000);
  return {
    iss: provider.issuer,
    aud: provider.clientId,
    sub: 'somebody',
    email: 'Somebody@Clinic.example.com',
    email_verified: true,
    iat: nowSeconds,
    exp: nowSeconds + 600,
    ...changes,
  };
}

async function signed(payload: JWTPayload, header: { typ?: string; kid?: string } = {}): Promise<string> {
  const key = await importJWK(provider.signingKey, 'RS256');
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: String(provider.signingKey.kid), ...header })
    .sign(key);
}

function without(name: string): JWTPayload {
  return Object.fromEntries(Object.entries(claims()).filter(([key]) => key !== name));
}

const publicKey = (): KeyObject =>
  createPublicKey({ key: { kty: 'RSA', n: provider.signingKey.n, e: provider.signingKey.e }, format: 'jwk' });

describe('an ID token', () => {
  test('of a real sign-in identifies the person', async () => {
    await expect(authenticated(`Bearer ${await provider.signIn('owner')}`)).resolves.toEqual({
      subject: 'demo-owner',
      email: 'owner@clinic.example.com',
      name: 'Olive Owner',
    });
    await expect(authenticated(`bearer  ${await provider.signIn('viewer')} `)).resolves.toMatchObject({
      email: 'viewer@clinic.example.com',
    });
    expect(provider.told).toEqual([]);
  });

  test.each<[string, JWTPayload]>([
    ['with a verified address as Amazon Cognito may write it', { email_verified: 'true', token_use: 'id' }],
    ['that ended while the clocks differ', { exp: Math.floor(Date.now() / 1000) - 5 }],
    ['for us among others', { aud: ['another-client', 'voice-agent-tasks'], azp: 'voice-agent-tasks' }],
  ])('%s is accepted, and the address is read in lower case', async (_, changes) => {
    await expect(authenticated(`Bearer ${await signed(claims(changes))}`)).resolves.toEqual({
      subject: 'somebody',
      email: 'somebody@clinic.example.com',
      name: null,
    });
  });

  const nowSeconds = Math.floor(Date.now() / 1000);
  const refused: [string, () => string | Promise<string>][] = [
    ['nothing', () => ''],
    ['another scheme', async () => `Basic ${await signed(claims())}`],
    ['a token without its scheme', async () => signed(claims())],
    ['garbage', () => 'Bearer garbage'],
    ['garbage in three parts', () => 'Bearer e30.e30.e30'],
    ['an API key', () => `Bearer vat_test_${'0'.repeat(43)}`],
    ['a token without a signature', () => `Bearer ${new UnsecuredJWT(claims()).encode()}`],
    [
      'a token signed with our public key as a secret',
      async () => {
        const secret = Buffer.from(publicKey().export({ type: 'spki', format: 'pem' }));
        return `Bearer ${await new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256', kid: String(provider.signingKey.kid) })
          .sign(secret)}`;
      },
    ],
    [
      'a token of another key with the id of ours',
      async () => {
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        return `Bearer ${await new SignJWT(claims())
          .setProtectedHeader({ alg: 'RS256', kid: String(provider.signingKey.kid) })
          .sign(privateKey)}`;
      },
    ],
    [
      'a token that brings its own key',
      async () => {
        const { privateKey, publicKey: own } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        return `Bearer ${await new SignJWT(claims())
          .setProtectedHeader({ alg: 'ES256', jwk: own.export({ format: 'jwk' }) })
          .sign(privateKey)}`;
      },
    ],
    ['a key that nobody has', async () => `Bearer ${await signed(claims(), { kid: 'unknown' })}`],
    ['a changed token', async () => `Bearer ${(await signed(claims())).replace('.', '.A')}`],
    ['another client', async () => `Bearer ${await signed(claims({ aud: 'another-client' }))}`],
    [
      'a token that another client got for us',
      async () => `Bearer ${await signed(claims({ azp: 'another-client' }))}`,
    ],
    ['another issuer', async () => `Bearer ${await signed(claims({ iss: 'https://issuer.example.com' }))}`],
    ['a token that has ended', async () => `Bearer ${await signed(claims({ exp: nowSeconds - 300 }))}`],
    [
      'a token that is not valid yet',
      async () => `Bearer ${await signed(claims({ nbf: nowSeconds + 300 }))}`,
    ],
    ['a token without an end', async () => `Bearer ${await signed(without('exp'))}`],
    ['a token without an audience', async () => `Bearer ${await signed(without('aud'))}`],
    ['a token without an issuer', async () => `Bearer ${await signed(without('iss'))}`],
    ['a token without a subject', async () => `Bearer ${await signed(without('sub'))}`],
    ['a token without an address', async () => `Bearer ${await signed(without('email'))}`],
    ['an address that is none', async () => `Bearer ${await signed(claims({ email: 'somebody' }))}`],
    [
      'an address that is not said to be verified',
      async () => `Bearer ${await signed(without('email_verified'))}`,
    ],
    [
      'an address that is not verified',
      async () => `Bearer ${await signed(claims({ email_verified: false }))}`,
    ],
    [
      'an address that is not verified, as text',
      async () => `Bearer ${await signed(claims({ email_verified: 'false' }))}`,
    ],
    ['an access token', async () => `Bearer ${await signed(claims(), { typ: 'at+jwt' })}`],
    [
      'an access token of Amazon Cognito',
      async () => `Bearer ${await signed(claims({ token_use: 'access' }))}`,
    ],
  ];

  test.each(refused)('gets the same response as every refused token: %s', async (_, authorization) => {
    const error = await authenticated(await authorization()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({
      code: 'unauthenticated',
      detail: 'Invalid token',
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  });
});

describe('a provider that signs with elliptic curves', () => {
  test('is trusted for tokens of its own key, by ES256 only', async () => {
    const server = createServer();
    const issuer = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
    const ours = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const others = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const larger = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    server.on('request', (request, response) => {
      const keys = [
        { ...ours.publicKey.export({ format: 'jwk' }), kid: 'ours' },
        { ...larger.publicKey.export({ format: 'jwk' }), kid: 'larger' },
      ];
      const document = { issuer, jwks_uri: `${issuer}/keys` };
      response.end(JSON.stringify(request.url === '/keys' ? { keys } : document));
    });
    const authenticate = tokenAuthentication({ issuer, clientId: provider.clientId });
    const asking = async (alg: string, kid: string, privateKey: KeyObject) => {
      const token = await new SignJWT(claims({ iss: issuer }))
        .setProtectedHeader({ alg, kid })
        .sign(privateKey);
      return authenticate({ headers: { authorization: `Bearer ${token}` } });
    };
    try {
      await expect(asking('ES256', 'ours', ours.privateKey)).resolves.toEqual({
        subject: 'somebody',
        email: 'somebody@clinic.example.com',
        name: null,
      });
      const refusal = { code: 'unauthenticated', detail: 'Invalid token' };
      await expect(asking('ES256', 'ours', others.privateKey)).rejects.toMatchObject(refusal);
      await expect(asking('ES384', 'larger', larger.privateKey)).rejects.toMatchObject(refusal);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('an identity provider', () => {
  test('that is unreachable is a server error, not an invalid token, and is retried', async () => {
    const server = createServer((_, response) => response.writeHead(503).end());
    const issuer = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
    const authenticate = tokenAuthentication({ issuer, clientId: provider.clientId });
    const request = { headers: { authorization: `Bearer ${await signed(claims({ iss: issuer }))}` } };
    try {
      await expect(authenticate(request)).rejects.toBeInstanceOf(IdentityProviderError);
      server.removeAllListeners('request');
      server.on('request', (received, response) => {
        const document = { issuer, jwks_uri: `${issuer}/keys` };
        const keys = { keys: [{ ...publicKey().export({ format: 'jwk' }), kid: provider.signingKey.kid }] };
        response.end(JSON.stringify(received.url === '/keys' ? keys : document));
      });
      await expect(authenticate(request)).resolves.toMatchObject({ subject: 'somebody' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('with another issuer in its discovery document is not trusted', async () => {
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks` })),
    );
    const issuer = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
    try {
      const token = await signed(claims({ iss: issuer }));
      await expect(
        tokenAuthentication({ issuer, clientId: provider.clientId })({
          headers: { authorization: `Bearer ${token}` },
        }),
      ).rejects.toBeInstanceOf(IdentityProviderError);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
