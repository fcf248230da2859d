import { describe, expect, test } from 'vitest';
import {
  CarrierError,
  type CarrierErrorKind,
  classifyFailure,
  classifyResponse,
  readRetryAfter,
} from '#shared/carrier/carrier-error.ts';

describe('a response of the carrier', () => {
  test.each<[CarrierErrorKind, number, number | null, string]>([
    ['bad-number', 400, 21211, 'the number called is not valid'],
    ['bad-number', 400, 21214, 'the number called cannot be reached'],
    ['bad-number', 400, 21217, 'the number called does not look like one'],
    ['bad-number', 400, 13223, 'the number called has a wrong format'],
    ['configuration', 401, 20003, 'the credentials do not hold'],
    ['configuration', 403, 20003, 'the key may not do this'],
    ['configuration', 401, 20101, 'the access token is not valid'],
    ['configuration', 403, 20403, 'forbidden'],
    ['configuration', 401, 70051, 'the key lacks a permission'],
    ['configuration', 400, 10001, 'the account is not active'],
    ['configuration', 403, 10002, 'a trial account lacks the feature'],
    ['configuration', 400, 21201, 'we named no number to call'],
    ['configuration', 400, 21205, 'our address is not valid'],
    ['configuration', 400, 21210, 'the caller number is not verified'],
    ['configuration', 400, 21212, 'the caller number is not valid'],
    ['configuration', 400, 21213, 'the caller number is missing'],
    ['configuration', 400, 21215, 'the account may not call this country'],
    ['configuration', 403, 21215, 'the account may not call this country'],
    ['configuration', 400, 21216, 'the call is blocked, perhaps because the account has no profile'],
    ['configuration', 400, 21219, 'a trial account may not call this number'],
    ['configuration', 400, 21220, 'the call is not in a state for this'],
    ['configuration', 400, 21606, 'the caller number cannot do this'],
    ['configuration', 400, 573002, 'a trial account has another caller number'],
    ['configuration', 400, 573005, 'a trial account has not verified this number'],
    ['configuration', 400, 20001, 'a parameter is not valid'],
    ['configuration', 400, null, 'refused without a code'],
    ['configuration', 405, 20004, 'the method is not allowed'],
    ['throttled', 429, 20429, 'too many requests at a time'],
    ['throttled', 429, null, 'too many requests, without a code'],
    ['throttled', 400, 20429, 'too many requests, by its code only'],
    ['throttled', 400, 10004, 'too many calls at a time'],
    ['not-found', 404, 20404, 'no such call or recording'],
    ['not-found', 404, null, 'no such call or recording, without a code'],
    ['unknown', 408, null, 'something behind the carrier took too long'],
    ['unknown', 500, 20500, 'a fault of the carrier'],
    ['unknown', 502, null, 'a fault between us'],
    ['unknown', 503, 20503, 'the carrier is not available'],
    ['unknown', 504, 21211, 'a fault of the carrier, whatever its code'],
    ['unknown', 301, null, 'a redirect that we do not follow'],
  ])('is %s: %i with code %s (%s)', (kind, status, code) => {
    expect(classifyResponse(status, code)).toBe(kind);
  });
});

describe('a request without a response', () => {
  const failed = (code: string): Error =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

  test.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ])('that was never sent (%s) may be retried', (code) => {
    expect(classifyFailure(failed(code))).toBe('throttled');
  });

  test.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])(
    'that may have been carried out (%s) is unknown',
    (code) => {
      expect(classifyFailure(failed(code))).toBe('unknown');
    },
  );

  test('to several addresses was unsent only if none was reached', () => {
    const tries = (codes: string[]): Error =>
      new TypeError('fetch failed', {
        cause: new AggregateError(codes.map((code) => Object.assign(new Error(code), { code }))),
      });
    expect(classifyFailure(tries(['ECONNREFUSED', 'ENETUNREACH']))).toBe('throttled');
    expect(classifyFailure(tries(['ECONNREFUSED', 'ECONNRESET']))).toBe('unknown');
  });

  test('that timed out or failed for an unknown reason has an unknown outcome', () => {
    for (const error of [new DOMException('', 'TimeoutError'), new Error('x'), 'x', undefined]) {
      expect(classifyFailure(error)).toBe('unknown');
    }
  });
});

describe('the time until the next request', () => {
  const now = new Date('2026-11-20T15:00:00.000Z');

  test.each([
    [null, null],
    ['', null],
    ['soon', null],
    ['0', 0],
    ['7', 7],
    ['Fri, 20 Nov 2026 15:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 14:59:30 GMT', 0],
  ])('%j is %s seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });
});

test('the message contains only status and codes', () => {
  const error = new CarrierError('bad-number', 'place call', { status: 400, code: 21211 });
  expect(error.message).toBe('place call: bad-number (status 400, code 21211)');
});
