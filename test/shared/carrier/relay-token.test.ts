import { expect, test } from 'vitest';
import { relayToken, verifyRelayToken } from '#shared/carrier/relay-token.ts';
import { computeSignature } from '#shared/carrier/signature.ts';

const token = '0123456789abcdef0123456789abcdef';
const callId = '01890a5d-ac96-774b-bcce-b302099a8057';
const otherCallId = '01890a5d-ac96-774b-bcce-b302099a8058';

test('a relay token holds for its own call only', () => {
  expect(verifyRelayToken([token], callId, relayToken(token, callId))).toBe(true);
  expect(verifyRelayToken([token], otherCallId, relayToken(token, callId))).toBe(false);
});

test('any of several auth tokens is enough while one is rotated', () => {
  expect(verifyRelayToken(['f'.repeat(32), token], callId, relayToken(token, callId))).toBe(true);
  expect(verifyRelayToken(['f'.repeat(32)], callId, relayToken(token, callId))).toBe(false);
});

test('it is safe in an attribute and no webhook signature passes for one', () => {
  expect(relayToken(token, callId)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(verifyRelayToken([token], callId, computeSignature(token, callId, []))).toBe(false);
  expect(verifyRelayToken([token], callId, '')).toBe(false);
});
