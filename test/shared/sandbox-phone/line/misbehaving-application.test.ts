import { beforeEach, describe, expect, test } from 'vitest';
import { forThisFile } from '../../../support/lifetime.ts';
import { PhoneFixture } from '../phone-fixture.ts';

const fixture = await forThisFile(PhoneFixture.start());
beforeEach(() => fixture.reset());

describe('an application that misbehaves', () => {
  test('a document with an unknown attribute fails the call with a reason', async () => {
    fixture.answers.set('/answer', () => ({
      status: 200,
      body: '<Response><Say volume="loud">Hi</Say></Response>',
    }));
    const sid = await fixture.place('+12025550100');
    await fixture.play();
    expect(fixture.statuses().at(-1)).toBe('failed');
    expect((await fixture.call(sid)).failure).toBe('Say has the unknown attribute volume');
  });

  test.each([
    ['application/json', 'failed'],
    ['', 'failed'],
    ['application/xml; charset=utf-8', 'completed'],
  ])('a document sent as %j is read only if that is the type of one', async (contentType, status) => {
    const body = '<Response><Say>Hello.</Say></Response>';
    fixture.answers.set('/answer', () => ({ status: 200, contentType, body }));
    const sid = await fixture.place('+12025550100');
    await fixture.play();
    expect((await fixture.call(sid)).status).toBe(status);
  });

  test('a document that leads to another host or relay is refused', async () => {
    for (const [from, to] of [
      [fixture.relayUrl, 'ws://127.0.0.1:1/relay'],
      [`${fixture.baseUrl}/relay-end`, 'http://127.0.0.1:1/relay-end'],
      [`${fixture.baseUrl}/recording`, 'http://127.0.0.1:1/recording'],
    ] as const) {
      fixture.reset();
      fixture.answers.set('/answer', () => ({
        status: 200,
        body: fixture.answerDocument().replace(from, to),
      }));
      await fixture.place('+12025550100');
      await fixture.play();
      expect(fixture.statuses().at(-1)).toBe('failed');
      expect(fixture.handshakes).toEqual([]);
    }
  });

  test('an inline document follows the same rules', async () => {
    const relay = 'ws://127.0.0.1:1/relay';
    for (const [twiml, status] of [
      ['<Response><Say>Hello.</Say></Response>', 'completed'],
      [`<Response><Connect><ConversationRelay url="${relay}"/></Connect></Response>`, 'failed'],
    ] as const) {
      const sid = await fixture.place('+12025550100', { Url: '', Twiml: twiml });
      await fixture.play();
      expect((await fixture.call(sid)).status).toBe(status);
    }
  });

  test('a response that is not a document fails the call, unless there is a fallback', async () => {
    fixture.answers.set('/answer', () => ({ status: 502, body: '{"message":"Internal server error"}' }));
    await fixture.place('+12025550100');
    await fixture.play();
    expect(fixture.statuses().at(-1)).toBe('failed');
    fixture.answers.set('/fallback', () => ({ status: 200, body: '<Response><Say>Sorry.</Say></Response>' }));
    await fixture.place('+12025550100', { FallbackUrl: `${fixture.baseUrl}/fallback` });
    await fixture.play();
    expect(fixture.statuses().at(-1)).toBe('completed');
  });

  test('a relay that refuses is a failed session, and its action may still speak', async () => {
    fixture.isRelayOpen = false;
    fixture.answers.set('/relay-end', () => ({
      status: 200,
      body: '<Response><Say>Sorry.</Say></Response>',
    }));
    const sid = await fixture.place('+12025550100');
    await fixture.play();
    expect(fixture.formsOf('/relay-end')).toMatchObject([
      { SessionStatus: 'failed', ErrorCode: '64102', CallStatus: 'in-progress' },
    ]);
    expect((await fixture.call(sid)).transcript.map((line) => line.text)).toEqual(['Sorry.']);
  });

  test('a voice that the carrier does not have breaks the session off before a word', async () => {
    fixture.answers.set('/answer', () => ({
      status: 200,
      body: fixture.answerDocument('ttsProvider="Amazon" voice="Mathew-Neural"'),
    }));
    fixture.onSetup = 'Hello.';
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    expect(fixture.frames.map(({ type }) => type)).toEqual(['setup', 'error']);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'failed', ErrorCode: '64106' }]);
    expect((await fixture.call(sid)).transcript).toEqual([]);
  });

  test('a relay that disconnects can be connected again', async () => {
    let connections = 0;
    fixture.answers.set('/relay-end', (form) => ({
      status: 200,
      body:
        form.SessionStatus === 'failed'
          ? fixture.answerDocument().replace(/<Start>.*<\/Start>/s, '')
          : '<Response/>',
    }));
    fixture.agent = (heard) => {
      connections += 1;
      if (connections === 1) return { close: 1011 };
      return heard.includes('?') ? { end: '' } : { say: 'Are you still there?' };
    };
    await fixture.place('+12025550103');
    const { directory } = fixture.line;
    await fixture.play({ directory: { ...directory, defaults: { ...directory.defaults, silence_ms: 300 } } });
    expect(
      fixture.formsOf('/relay-end').map((form) => `${form.SessionStatus} ${form.ErrorCode ?? ''}`),
    ).toEqual(['failed 64105', 'ended ']);
    expect(fixture.statuses().at(-1)).toBe('completed');
  });

  test('invalid frames get an error, ten in a row end the session', async () => {
    const gatewayError = JSON.stringify({
      message: 'Internal server error',
      connectionId: 'a',
      requestId: 'b',
    });
    fixture.agent = (_, turn) =>
      turn === 0
        ? {
            raw: [
              gatewayError,
              '{"type":"text"}',
              'not json',
              '{"type":"text","token":"What are your office hours?","last":true}',
            ],
          }
        : { raw: Array.from({ length: 10 }, () => '{"type":"interrupt"}') };
    await fixture.place('+12025550103');
    await fixture.play();
    expect(fixture.frames.filter((frame) => frame.type === 'error')).toHaveLength(13);
    expect(fixture.formsOf('/relay-end')).toMatchObject([{ SessionStatus: 'failed', ErrorCode: '64105' }]);
    await expect.poll(() => fixture.closeCode).toBe(1007);
  });

  test('a failing status callback is retried only as often as its URL asks', async () => {
    const seen: string[] = [];
    fixture.answers.set('/status', (form) => {
      seen.push(form.CallStatus ?? '');
      return { status: 503 };
    });
    await fixture.place('+12025550113', { StatusCallback: `${fixture.baseUrl}/status#rc=2&rp=5xx` });
    await fixture.play();
    expect(seen).toEqual(['initiated', 'initiated', 'initiated', 'failed', 'failed', 'failed']);
    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(
      fixture.callbacks.map(({ headers }) => headers['i-twilio-idempotency-token'] !== undefined),
    ).toEqual([false, true, true, false, true, true]);
    seen.length = 0;
    await fixture.place('+12025550113');
    await fixture.play();
    expect(seen).toEqual(['initiated', 'failed']);
  });
});
