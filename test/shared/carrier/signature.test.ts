import twilioWebhooks from 'twilio/lib/webhooks/webhooks.js';
import { describe, expect, test } from 'vitest';
import { computeSignature, verifySignature } from '#shared/carrier/signature.ts';

const token = '0123456789abcdef0123456789abcdef';
const url = 'https://abc123.execute-api.us-east-1.amazonaws.com/prod/twilio/status/call-01';
const form = new URLSearchParams({
  SequenceNumber: '3',
  CallSid: 'CA0123456789abcdef0123456789abcdef',
  ToState: '',
  CallDuration: '42',
  CallStatus: 'completed',
});
const formSignature = 'SrXjXuD4u1fkuwVz+F4GUV5pRv8=';

describe('published vectors', () => {
  test('a form with an empty value', () => {
    expect(computeSignature(token, url, form)).toBe(formSignature);
    const withoutEmpty = [...form].filter(([, value]) => value !== '');
    expect(computeSignature(token, url, withoutEmpty)).not.toBe(formSignature);
  });

  test('a body hash in the query', () => {
    const hash = '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
    expect(computeSignature(token, `${url}?bodySHA256=${hash}`, [])).toBe('VPRFbhe+3Sh88Jr64Z52CS6/UvE=');
  });

  test('a WebSocket handshake with significant scheme and trailing slash', () => {
    const signature = 'aDJR3++VLNJYyNY2Qb/V/+5mZ64=';
    expect(computeSignature(token, 'wss://ws.example.test/relay', [])).toBe(signature);
    expect(verifySignature([token], signature, 'https://ws.example.test/relay', [])).toBe(false);
    expect(verifySignature([token], signature, 'wss://ws.example.test/relay/', [])).toBe(false);
  });

  test('a repeated name counts each distinct value once', () => {
    const repeated: [string, string][] = [
      ['M', 'b'],
      ['M', 'a'],
      ['M', 'b'],
    ];
    expect(computeSignature(token, url, repeated)).toBe('V6H9dRMsCTUKekHtmI7XvMMvKU8=');
  });
});

describe('agreement with the carrier’s own library', () => {
  const forms: Record<string, string | string[]>[] = [
    {},
    { A: '1', b: '2', B: '3', a: '4' },
    { 'Unicode Ü': 'naïve 🦊', empty: '', 'a b': 'c+d&e=f' },
    { M: ['z', 'a', 'z', ''], N: 'x' },
  ];
  const urls = [
    'https://example.com/carrier/status/a/b',
    'https://example.com:443/carrier/status/a/b',
    'http://example.test/x?y=1&z=%27',
    'http://127.0.0.1:3000/carrier/status/a/b',
    'https://example.com/path/',
  ];
  test.each(urls)('%s', (address) => {
    for (const parameters of forms) {
      const pairs = Object.entries(parameters).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      const expected = twilioWebhooks.getExpectedTwilioSignature(token, address, parameters);
      expect(computeSignature(token, address, pairs)).toBe(expected);
      expect(verifySignature([token], expected, address, pairs)).toBe(true);
    }
  });
});

describe('verification', () => {
  test('the fragment of the configured address is not signed', () => {
    expect(verifySignature([token], formSignature, `${url}#rc=3&rp=5xx,ct,rt`, form)).toBe(true);
  });

  test('the standard port is optional, any other port counts', () => {
    const withPort = url.replace('.com/', '.com:443/');
    expect(verifySignature([token], computeSignature(token, withPort, form), url, form)).toBe(true);
    expect(verifySignature([token], formSignature, withPort, form)).toBe(true);
    expect(verifySignature([token], formSignature, url.replace('.com/', '.com:8443/'), form)).toBe(false);
    const wss = computeSignature(token, 'wss://ws.example.test:443/relay', []);
    expect(verifySignature([token], wss, 'wss://ws.example.test/relay', [])).toBe(true);
  });

  test('any of several tokens suffices during a rotation', () => {
    expect(verifySignature(['f'.repeat(32), token], formSignature, url, form)).toBe(true);
    expect(verifySignature(['f'.repeat(32)], formSignature, url, form)).toBe(false);
    expect(verifySignature([], formSignature, url, form)).toBe(false);
  });

  test('a missing, short, long or altered signature is refused', () => {
    for (const bad of [
      undefined,
      '',
      'x',
      `${formSignature}=`,
      formSignature.replace('S', 's'),
      'ÄÖÜ'.repeat(9),
    ]) {
      expect(verifySignature([token], bad, url, form)).toBe(false);
    }
  });

  test('one changed character of a parameter is detected', () => {
    const altered = new URLSearchParams(form);
    altered.set('CallDuration', '43');
    expect(verifySignature([token], formSignature, url, altered)).toBe(false);
  });
});
