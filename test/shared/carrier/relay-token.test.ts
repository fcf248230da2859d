import { expect, test } from 'vitest';
import { relayToken, verifyRelayToken } from '#shared/carrier/relay-token.ts';
import { computeSignature } from '#shared/carrier/signature.ts';

const token = '0123456789abcdef0123456789abcdef';
const callId = '01890a5d-ac96-774b-bcce-b302099a8057';
const otherCallId = '01890a5d-ac96-774b-bcce-b302099a8058';

test('a relay token is valid only for its call', () => {
  expect(verifyRelayToken([token], callId, relayToken(token, callId))).toBe(true);
  expect(verifyRelayToken([token], otherCallId, relayToken(token, callId))).toBe(false);
});

test('any of several auth tokens suffices during a rotation', () => {
  expect(verifyRelayToken(['f'.repeat(32), token], callId, relayToken(token, callId))).toBe(true);
  expect(verifyRelayToken(['f'.repeat(32)], callId, relayToken(token, callId))).toBe(false);
});

test('it is safe in an attribute, and no webhook signature matches it', () => {
  expect(relayToken(token, callId)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(verifyRelayToken([token], callId, computeSignature(token, callId, []))).toBe(false);
  expect(verifyRelayToken([token], callId, '')).toBe(false);
});
