import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CarrierSecretError,
  type CarrierSecretFault,
  loadCarrierCredentials,
  parseCarrierSecret,
  reloadCarrierCredentials,
} from '#shared/carrier/credentials.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { type SecretStore, startSecretStore } from '../../support/secret-store.ts';

const accountSid = `AC${'0'.repeat(31)}1`;

describe('carrier secret', () => {
  test('account and auth token serve both directions', () => {
    expect(parseCarrierSecret('s', JSON.stringify({ account_sid: accountSid, auth_token: 't1' }))).toEqual({
      accountSid,
      restUser: accountSid,
      restPassword: 't1',
      authTokens: ['t1'],
    });
  });

  test('a key pair signs requests, the listed tokens verify signatures', () => {
    const secret = {
      account_sid: accountSid,
      api_key_sid: 'SK1',
      api_key_secret: 'k',
      auth_tokens: ['new', 'old'],
    };
    expect(parseCarrierSecret('s', JSON.stringify(secret))).toEqual({
      accountSid,
      restUser: 'SK1',
      restPassword: 'k',
      authTokens: ['new', 'old'],
    });
  });

  test('a repeated token counts once', () => {
    const secret = { account_sid: accountSid, auth_token: 'old', auth_tokens: ['new', 'old'] };
    expect(parseCarrierSecret('s', JSON.stringify(secret)).authTokens).toEqual(['new', 'old']);
  });

  test.each([
    'canary-not-json',
    '{"canary',
    JSON.stringify({ account_sid: accountSid }),
    JSON.stringify({ auth_token: 'canary' }),
    JSON.stringify({ account_sid: accountSid, auth_tokens: [] }),
    JSON.stringify({ account_sid: accountSid, auth_token: { canary: 'canary' } }),
    JSON.stringify({ account_sid: accountSid, auth_token: 't', api_key_sid: 'canary' }),
    JSON.stringify({ account_sid: accountSid, auth_token: 't', api_key_secret: 'canary' }),
  ])('a malformed secret fails without being quoted (%#)', (text) => {
    expect(() => parseCarrierSecret('the-secret', text)).toThrow(/^carrier secret the-secret (?!.*canary)/);
  });
});

describe('reading the secret', () => {
  let store: SecretStore;
  let client: SecretsManagerClient;
  let secrets = 0;
  beforeAll(async () => {
    store = await startSecretStore();
    client = new SecretsManagerClient({
      endpoint: store.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      // Otherwise the faults below would be retried, with pauses.
      maxAttempts: 1,
    });
  });
  afterAll(() => store.stop());

  const startMs = Date.parse('2026-03-02T15:00:00.000Z');
  const at = (seconds: number) => ({ client, nowMs: startMs + seconds * 1000 });

  /** The name of a secret that no other test has read. */
  function newSecret(authToken?: string): string {
    secrets += 1;
    const name = `secret-${secrets}`;
    if (authToken !== undefined) store.put(name, { account_sid: accountSid, auth_token: authToken });
    return name;
  }

  async function faultOf(work: Promise<unknown>): Promise<CarrierSecretFault> {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof CarrierSecretError)) throw new Error('an error of the secret was expected');
    return error.fault;
  }

  test('happens once in three minutes, with any number of callers', async () => {
    const name = newSecret('old');
    await Promise.all(Array.from({ length: 20 }, () => loadCarrierCredentials(name, at(0))));
    store.put(name, { account_sid: accountSid, auth_token: 'new' });
    expect((await loadCarrierCredentials(name, at(179))).authTokens).toEqual(['old']);
    expect(store.readsOf(name)).toBe(1);
    expect((await loadCarrierCredentials(name, at(180))).authTokens).toEqual(['new']);
    expect(store.readsOf(name)).toBe(1);
  });

  test('happens again for a caller that saw a change, at most every five seconds', async () => {
    const name = newSecret('old');
    await loadCarrierCredentials(name, at(0));
    store.put(name, { account_sid: accountSid, auth_token: 'new' });
    expect((await reloadCarrierCredentials(name, at(4))).authTokens).toEqual(['old']);
    expect(store.readsOf(name)).toBe(1);
    const flood = await Promise.all(
      Array.from({ length: 500 }, (_, position) => reloadCarrierCredentials(name, at(5 + position / 100))),
    );
    expect(flood.every(({ authTokens }) => authTokens[0] === 'new')).toBe(true);
    expect(store.readsOf(name)).toBe(1);
    expect((await loadCarrierCredentials(name, at(6))).authTokens).toEqual(['new']);
  });

  test.each([{ broken: 'canary' }, { error: 'ThrottlingException' }, { error: 'InternalServiceError' }])(
    'is done without while Secrets Manager does not answer (%j), and tried again after a while',
    async (fault) => {
      const name = newSecret('old');
      await loadCarrierCredentials(name, at(0));
      store.set(name, fault);
      const written = await capturedLog(async () => {
        expect((await loadCarrierCredentials(name, at(180))).authTokens).toEqual(['old']);
      });
      expect(written).toContain('"event":"carrier-secret-read-later"');
      expect(written).not.toContain(alarmingEvents.carrierSecretNotRead);
      expect((await loadCarrierCredentials(name, at(184))).authTokens).toEqual(['old']);
      expect(store.readsOf(name)).toBe(2);
      store.put(name, { account_sid: accountSid, auth_token: 'new' });
      expect((await loadCarrierCredentials(name, at(185))).authTokens).toEqual(['new']);
    },
  );

  test('is retried at once after a failure if nothing is cached', async () => {
    const name = newSecret();
    store.set(name, { error: 'ThrottlingException' });
    for (let tries = 0; tries < 3; tries += 1) {
      const written = await capturedLog(async () => {
        expect(await faultOf(loadCarrierCredentials(name, at(0)))).toBe('unavailable');
      });
      expect(written).toContain(alarmingEvents.carrierSecretNotRead);
    }
    store.put(name, { account_sid: accountSid, auth_token: 'new' });
    expect((await loadCarrierCredentials(name, at(0))).authTokens).toEqual(['new']);
  });

  test.each([
    ['missing', { error: 'ResourceNotFoundException' }],
    ['missing', { error: 'InvalidRequestException' }],
    ['denied', { error: 'AccessDeniedException' }],
    ['denied', { error: 'DecryptionFailure' }],
    ['malformed', { value: 'canary' }],
  ] as const)(
    'that is %s (%j) is told apart, read again soon, and good once it is stored',
    async (fault, answer) => {
      const name = newSecret();
      store.set(name, answer);
      expect(await faultOf(loadCarrierCredentials(name, at(0)))).toBe(fault);
      expect(await faultOf(loadCarrierCredentials(name, at(4)))).toBe(fault);
      expect(store.readsOf(name)).toBe(1);
      store.put(name, { account_sid: accountSid, auth_token: 'new' });
      expect((await loadCarrierCredentials(name, at(5))).authTokens).toEqual(['new']);
    },
  );

  test('that loses access stops its use', async () => {
    const name = newSecret('old');
    await loadCarrierCredentials(name, at(0));
    store.set(name, { error: 'AccessDeniedException' });
    expect(await faultOf(loadCarrierCredentials(name, at(180)))).toBe('denied');
  });

  test.each([
    { value: '{"canary":"canary"' },
    { value: JSON.stringify({ account_sid: accountSid, auth_tokens: ['canary', 7] }) },
    { broken: '{"SecretString":"canary' },
    { error: 'AccessDeniedException' },
  ])('reveals nothing of it, neither in the error nor in the log (%#)', async (answer) => {
    const name = newSecret();
    store.set(name, answer);
    let shown = '';
    const written = await capturedLog(async () => {
      const error: unknown = await loadCarrierCredentials(name, at(0)).catch((reason: unknown) => reason);
      if (!(error instanceof CarrierSecretError)) throw new Error('an error of the secret was expected');
      shown = `${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    });
    expect(shown).toContain(name);
    expect(shown).not.toContain('canary');
    expect(written).toContain(alarmingEvents.carrierSecretNotRead);
    expect(written).not.toContain('canary');
  });
});
