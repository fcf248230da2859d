import { beforeEach, describe, expect, test } from 'vitest';
import { relayToken } from '#shared/carrier/relay-token.ts';
import { computeSignature } from '#shared/carrier/signature.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { getConversation, getTurns } from '#shared/table/conversation.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { farewellHandoff, farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import {
  authToken,
  liveAuthToken,
  prompt,
  type RelayFixture,
  relayUrl,
  startRelayFixture,
} from '../../../support/relay-fixture.ts';

/** Repeats what it hears and counts its turns, so that a lost or doubled turn shows. */
const echoModel: DialogueModel = {
  name: 'echo',
  isImmediate: true,
  async *takeTurn({ event, memory }) {
    const count = typeof memory === 'number' ? memory : 0;
    yield { type: 'remember', memory: count + 1 };
    if (event.type === 'opened') yield { type: 'say', text: 'Hello, I am an automated assistant.' };
    if (event.type === 'heard' && event.text === 'bye') {
      yield { type: 'end', reason: 'finished', farewell: 'thanks' };
    } else if (event.type === 'heard' && event.text === 'menu') {
      yield { type: 'press', digits: '2' };
    } else if (event.type === 'heard' && event.text !== 'hush') {
      yield { type: 'say', text: `You said: ${event.text} <${count}>` };
    }
  },
};

const embedded = await forThisFile(startEmbeddedTable());
let fixture: RelayFixture;

beforeEach(async () => {
  fixture = await startRelayFixture(embedded.table, { model: echoModel });
});

describe('the handshake', () => {
  test('is accepted with a signature over the address in the document, and refused without', async () => {
    const { connect } = fixture;
    await connect({ 'x-twilio-signature': computeSignature(authToken, relayUrl, []) });
    await connect({ 'x-twilio-signature': computeSignature(authToken, `${relayUrl}/`, []) });
    await expect(connect({})).rejects.toThrow('Forbidden');
    const forHttps = computeSignature(authToken, relayUrl.replace('wss:', 'https:'), []);
    await expect(connect({ 'x-twilio-signature': forHttps })).rejects.toThrow('Forbidden');
    const byOther = computeSignature('another token', relayUrl, []);
    await expect(connect({ 'x-twilio-signature': byOther })).rejects.toThrow('Forbidden');
  });

  test('signed for another address raises an alarm with the expected addresses', async () => {
    const lines = await capturedLog(async () => {
      await expect(fixture.connect({})).rejects.toThrow();
      await expect(fixture.connect({ 'x-twilio-signature': 'AAAA' })).rejects.toThrow();
    });
    const refused = lines.split('\n').filter((line) => line.includes(alarmingEvents.carrierSignatureRefused));
    expect(refused.map((line) => JSON.parse(line))).toMatchObject([
      { addresses: `${relayUrl} ${relayUrl}/` },
    ]);
  });
});

describe('a session', () => {
  test('opens with the agent’s words, which are first in the transcript', async () => {
    const { frame, sent, call, connection, setupFrame } = fixture;
    await frame(setupFrame());
    expect(sent).toEqual([
      {
        connectionId: connection,
        frame: { type: 'text', token: 'Hello, I am an automated assistant.', last: true },
      },
    ]);
    expect(await getTurns(embedded.table, call.id)).toMatchObject([
      { index: 0, role: 'assistant', content: 'Hello, I am an automated assistant.', offset_ms: 0 },
    ]);
  });

  test.each([
    ['a wrong token', { token: 'guess' }],
    ['another call at the carrier', { callSid: 'CA0000000000000000000000000000000b' }],
    ['a call that does not exist', { callId: '01890000-0000-7000-8000-000000000000' }],
  ])('with %s is closed silently', async (_, changes) => {
    const { frame, sent, closed, call, connection, setupFrame } = fixture;
    await frame(setupFrame(changes));
    expect(closed).toEqual([connection]);
    expect(sent).toEqual([]);
    expect(await getConversation(embedded.table, call.id)).toBeNull();
  });

  test('that cannot be read is closed with an alarm, so that an apology follows', async () => {
    const { frame, sent, closed, connection, setupFrame } = fixture;
    const written = await capturedLog(() => frame({ ...setupFrame(), callSid: null }));
    expect(closed).toEqual([connection]);
    expect(sent).toEqual([]);
    expect(written).toContain(alarmingEvents.conversationNotOpened);
  });

  test('with a token of another carrier is closed silently', async () => {
    const { frame, sent, closed, call, connection, connect, setupFrame } = fixture;
    // The handshake is that carrier's as well, and is in order: it has calls of its own.
    await connect({ 'x-twilio-signature': computeSignature(liveAuthToken, relayUrl, []) });
    await frame(setupFrame({ token: relayToken(liveAuthToken, call.id) }));
    expect(closed).toEqual([connection]);
    expect(sent).toEqual([]);
    expect(await getConversation(embedded.table, call.id)).toBeNull();
  });

  test('for a call that has one already is closed, and the first continues', async () => {
    const { frame, closed, call, connection, setupFrame } = fixture;
    await frame(setupFrame());
    await frame(setupFrame(), 'other', `${connection}-2`);
    expect(closed).toEqual([`${connection}-2`]);
    await frame(prompt('Still there?'));
    expect((await getTurns(embedded.table, call.id)).map((turn) => turn.role)).toEqual([
      'assistant',
      'user',
      'assistant',
    ]);
  });

  test('accepts a prompt that arrives during setup', async () => {
    const { frame, call, setupFrame } = fixture;
    await Promise.all([frame(prompt('Hello?')), frame(setupFrame())]);
    expect((await getTurns(embedded.table, call.id)).map((turn) => turn.content)).toEqual([
      'Hello, I am an automated assistant.',
      'Hello?',
      'You said: Hello? <1>',
    ]);
  });

  test('loses and duplicates no turn with concurrent frames', async () => {
    const { frame, sent, call, setupFrame } = fixture;
    await frame(setupFrame());
    const words = Array.from({ length: 6 }, (_, index) => `word ${index}`);
    await Promise.all(words.map((word) => frame(prompt(word))));
    const turns = await getTurns(embedded.table, call.id);
    expect(turns.map((turn) => turn.index)).toEqual(turns.map((_, index) => index));
    const heard = turns.filter((turn) => turn.role === 'user').map((turn) => turn.content);
    expect(heard.sort()).toEqual(words);
    // Each answer stands right after the words it answers, and the model's memory counted every turn once.
    for (const [index, turn] of turns.entries()) {
      if (turn.role !== 'user') continue;
      expect(turns[index + 1]?.content).toBe(`You said: ${turn.content} <${(index + 1) / 2}>`);
    }
    expect(sent).toHaveLength(7);
  });

  test('escapes markup for speech synthesis, but not in the transcript', async () => {
    const { frame, sent, call, setupFrame } = fixture;
    await frame(setupFrame());
    await frame(prompt('A & B'));
    expect(sent.at(-1)?.frame).toMatchObject({ token: 'You said: A &amp; B &lt;1&gt;' });
    expect((await getTurns(embedded.table, call.id)).at(-1)?.content).toBe('You said: A & B <1>');
  });

  test('ends with the farewell’s name only; its sentence closes the transcript; later frames are ignored', async () => {
    const { frame, sent, call, setupFrame } = fixture;
    await frame(setupFrame());
    await frame(prompt('bye'));
    expect(sent.at(-1)?.frame).toEqual({ type: 'end', handoffData: farewellHandoff({ farewell: 'thanks' }) });
    const turns = await getTurns(embedded.table, call.id);
    expect(turns.at(-1)).toMatchObject({ role: 'assistant', content: farewellWords({ farewell: 'thanks' }) });
    expect((await getConversation(embedded.table, call.id))?.status).toBe('ended');
    await frame(prompt('One more thing'));
    expect(await getTurns(embedded.table, call.id)).toEqual(turns);
  });

  test('presses keys as digits, and may stay silent', async () => {
    const { frame, sent, call, setupFrame } = fixture;
    await frame(setupFrame());
    await frame(prompt('menu'));
    expect(sent.at(-1)?.frame).toEqual({ type: 'sendDigits', digits: '2' });
    const before = sent.length;
    await frame(prompt('hush'));
    expect(sent).toHaveLength(before);
    expect((await getTurns(embedded.table, call.id)).at(-1)).toMatchObject({ role: 'user', content: 'hush' });
  });

  test('cuts interrupted words to their heard part', async () => {
    const { frame, call, setupFrame } = fixture;
    await frame(setupFrame());
    await frame({
      type: 'interrupt',
      utteranceUntilInterrupt: 'Hello, I am',
      durationUntilInterruptMs: 730,
    });
    expect((await getTurns(embedded.table, call.id))[0]?.content).toBe('Hello, I am');
  });

  test('ignores partial utterances, unknown and invalid frames, and the carrier’s errors', async () => {
    const { frame, text, sent, call, setupFrame } = fixture;
    await frame(setupFrame());
    const before = await getConversation(embedded.table, call.id);
    await frame(prompt('I was', false));
    await frame({ type: 'weather' });
    await frame({ type: 'prompt' });
    await frame({ type: 'error', description: 'Invalid message received' });
    await frame({ type: 'info', name: 'tokensPlayed', value: 'Hello' });
    await text('not json');
    expect(await getConversation(embedded.table, call.id)).toEqual(before);
    expect(sent).toHaveLength(1);
  });
});

describe('turn times', () => {
  test('have natural length where speech takes no time', async () => {
    const { frame, call, setupFrame } = fixture;
    await frame(setupFrame());
    await frame(prompt('Good morning, Riverside Family Clinic, how can I help you?'));
    const offsets = (await getTurns(embedded.table, call.id)).map((turn) => turn.offset_ms);
    expect(offsets[0]).toBe(0);
    // 35 characters at 14 a second and a pause, then 57 characters and a pause.
    expect(offsets[1]).toBe(3_100);
    expect(offsets[2]).toBe(3_100 + 4_143 + 600);
  });

  test('follow the clock where it is slower', async () => {
    const { frame, call, setupFrame } = fixture;
    await frame(setupFrame());
    fixture.pass(20_000);
    await frame(prompt('Sorry, I was away for a moment.'));
    const [, heard, answered] = await getTurns(embedded.table, call.id);
    // They had finished speaking when we were told.
    expect(heard?.offset_ms).toBe(20_000 - Math.round((31 / 14) * 1000));
    expect(answered?.offset_ms).toBeGreaterThanOrEqual(20_000);
  });
});
