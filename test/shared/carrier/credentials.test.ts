import { describe, expect, test } from 'vitest';
import { parseCarrierSecret } from '#shared/carrier/credentials.ts';

const accountSid = `AC${'0'.repeat(31)}1`;

describe('carrier secret', () => {
  test('account and auth token serve for both directions', () => {
    expect(parseCarrierSecret('s', JSON.stringify({ account_sid: accountSid, auth_token: 't1' }))).toEqual({
      accountSid,
      restUser: accountSid,
      restPassword: 't1',
      authTokens: ['t1'],
    });
  });

  test('a key pair is used for requests, the listed tokens for signatures', () => {
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

  test('a token named twice counts once', () => {
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
  ])('a malformed secret fails without being quoted (%#)', (text) => {
    expect(() => parseCarrierSecret('the-secret', text)).toThrow(/^carrier secret the-secret (?!.*canary)/);
  });
});
