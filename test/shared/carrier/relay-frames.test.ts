import { describe, expect, test } from 'vitest';
import {
  escapeSpeech,
  parseRelayFrame,
  serializeRelayFrame,
  unescapeSpeech,
} from '#shared/carrier/relay-frames.ts';

function parsed(frame: object): unknown {
  const result = parseRelayFrame(JSON.stringify(frame));
  return result.kind === 'frame' ? result.frame : result.kind;
}

describe('frames of the carrier', () => {
  test('are read without the members that we do not use, even if those are null', () => {
    expect(
      parsed({
        type: 'setup',
        sessionId: 'VX0000000000000000000000000000000c',
        accountSid: null,
        parentCallSid: null,
        callSid: 'CA0000000000000000000000000000000a',
        callType: 'PSTN',
        from: null,
        direction: null,
        callStatus: null,
        customParameters: { call_id: 'x' },
        brandNew: 1,
      }),
    ).toEqual({
      type: 'setup',
      callSid: 'CA0000000000000000000000000000000a',
      customParameters: { call_id: 'x' },
    });
    expect(parsed({ type: 'prompt', voicePrompt: 'Yes', lang: null, last: true })).toEqual({
      type: 'prompt',
      voicePrompt: 'Yes',
      last: true,
    });
    expect(parsed({ type: 'error', description: null })).toEqual({ type: 'error' });
    expect(parsed({ type: 'dtmf', digit: '2' })).toEqual({ type: 'dtmf', digit: '2' });
  });

  test('have durations as numbers or, in older documents, as text', () => {
    for (const durationUntilInterruptMs of [730, 730.5, '730', null]) {
      expect(
        parsed({ type: 'interrupt', utteranceUntilInterrupt: 'Your', durationUntilInterruptMs }),
      ).toMatchObject({
        durationUntilInterruptMs,
      });
    }
    expect(parsed({ type: 'interrupt' })).toEqual({ type: 'interrupt' });
  });

  test('of unknown types are distinguished from invalid ones, and neither throws', () => {
    expect(parsed({ type: 'weather' })).toBe('unknown-type');
    expect(parsed({ type: 'prompt' })).toBe('invalid');
    expect(parsed({ type: 'dtmf', digit: '22' })).toBe('invalid');
    expect(parsed({ type: 'setup', callSid: null })).toBe('invalid-setup');
    expect(parsed({ type: 7 })).toBe('invalid');
    for (const body of ['', 'not json', 'null', '[]', '"setup"', '{']) {
      expect(parseRelayFrame(body).kind).toBe('invalid');
    }
  });
});

describe('our frames', () => {
  test("match the carrier's format", () => {
    expect(JSON.parse(serializeRelayFrame({ type: 'text', token: 'Hello. ', last: true }))).toEqual({
      type: 'text',
      token: 'Hello. ',
      last: true,
    });
    expect(JSON.parse(serializeRelayFrame({ type: 'sendDigits', digits: '1w2#' }))).toEqual({
      type: 'sendDigits',
      digits: '1w2#',
    });
  });

  test('that the carrier would refuse are not sent', () => {
    expect(() => serializeRelayFrame({ type: 'sendDigits', digits: '5A' })).toThrow();
  });

  test('give speech synthesis no markup, and echoes are read the same way', () => {
    const words = 'Smith & Sons <urgent>';
    expect(escapeSpeech(words)).toBe('Smith &amp; Sons &lt;urgent&gt;');
    expect(unescapeSpeech(escapeSpeech(words))).toBe(words);
  });
});
