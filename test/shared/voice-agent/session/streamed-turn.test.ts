import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import {
  getConversation,
  getConversationWithTurns,
  getTurns,
  replaceConversationItem,
} from '#shared/table/conversation.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { ConversationState } from '#shared/voice-agent/dialogue/conversation-state.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { farewellHandoff, farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';
import { apologyWords } from '#shared/voice-agent/session/apology.ts';
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import {
  interrupt,
  prompt,
  type RelayFixture,
  relayUrl,
  startRelayFixture,
} from '../../../support/relay-fixture.ts';
import { StreamingEchoModel } from '../../../support/streaming-echo-model.ts';

const opening = 'This is an automated assistant.';

let embedded: EmbeddedTable;
let echoModel: StreamingEchoModel;
let fixture: RelayFixture;
/** Whether the person is still on the line. */
let isConnected: boolean;

beforeAll(async () => {
  embedded = await startEmbeddedTable();
});

afterAll(() => embedded.stop());

beforeEach(async () => {
  echoModel = new StreamingEchoModel();
  isConnected = true;
  fixture = await startRelayFixture(embedded.table, { model: echoModel, onSend: () => isConnected });
  await fixture.frame(fixture.setupFrame());
});

const wait = { timeout: 10_000, interval: 5 };

async function lines(): Promise<string[]> {
  const turns = await getTurns(embedded.table, fixture.call.id);
  return turns.map(({ role, content }) => `${role === 'user' ? 'P' : 'A'}: ${content}`);
}

async function memory(): Promise<unknown> {
  const conversation = await getConversation(embedded.table, fixture.call.id);
  return ConversationState.parse(conversation?.state).memory;
}

function framesAfterOpening(): OutboundRelayFrame[] {
  return fixture.sent.slice(2).map(({ frame }) => frame);
}

/** Lets the echo model come to its `|`. */
async function untilItWaits(count = 1): Promise<void> {
  await vi.waitFor(() => expect(echoModel.waiting).toBe(count), wait);
}

describe('a turn that is spoken while it is made up', () => {
  test('goes out word by word, is closed, and stands in the transcript as it was spoken', async () => {
    await fixture.frame(prompt('I see & [2] hear'));
    expect(framesAfterOpening()).toEqual([
      { type: 'text', token: 'I ', last: false },
      { type: 'text', token: 'see ', last: false },
      { type: 'text', token: '&amp; ', last: false },
      { type: 'sendDigits', digits: '2' },
      { type: 'text', token: 'hear ', last: false },
      { type: 'text', token: '', last: true },
    ]);
    expect(await lines()).toEqual([`A: ${opening}`, 'P: I see & [2] hear', 'A: I see & [pressed 2] hear']);
    expect(await memory()).toEqual(['opened', 'heard']);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({
      answering: null,
      turn_count: 3,
    });
  });

  test('is heard, and written down, before the model has finished', async () => {
    const taken = fixture.frame(prompt('one two | three'));
    await untilItWaits();
    expect(fixture.heard()).toBe(`${opening} one two`);
    await vi.waitFor(async () => expect((await lines()).at(-1)).toBe('A: one two'), wait);
    echoModel.goOn();
    await taken;
    expect((await lines()).at(-1)).toBe('A: one two three');
  });

  test('says how long its first word took, counted from the words that it answers', async () => {
    const text = await capturedLog(async () => {
      const taken = fixture.frame(prompt('one | two'));
      await untilItWaits();
      await sleep(60);
      echoModel.goOn();
      await taken;
    });
    const turn = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ event }) => event === 'turn');
    expect(turn).toMatchObject({ spoke: true, turn_latency_ms: expect.any(Number) });
    expect(turn.duration_ms - turn.turn_latency_ms).toBeGreaterThanOrEqual(40);
    expect(turn).not.toHaveProperty('first_word_ms');
  });

  test('that stays silent leaves no gap, and no talk cycle is opened', async () => {
    await fixture.frame(prompt('~'));
    expect(framesAfterOpening()).toEqual([]);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({ turn_count: 2 });
    expect((await getConversation(embedded.table, fixture.call.id))?.waiting_since).not.toBeNull();
  });

  test('ends the call only after it was written down', async () => {
    await fixture.frame(prompt('so long .'));
    expect(framesAfterOpening().at(-1)).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'thanks' }),
    });
    expect((await lines()).at(-1)).toBe(`A: so long ${farewellWords({ farewell: 'thanks' })}`);
    expect((await getConversation(embedded.table, fixture.call.id))?.status).toBe('ended');
  });

  test('records the facts that its words tell, although the model does not say so', async () => {
    await fixture.frame(prompt('for Maya Rivera @'));
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({
      disclosures: [{ field: 'patient.name', turn: 2 }],
    });
  });

  test('goes on for the record when the person has hung up, but says nothing into the void', async () => {
    const taken = fixture.frame(prompt('bye now | then @'));
    await untilItWaits();
    isConnected = false;
    echoModel.goOn();
    await taken;
    expect((await lines()).at(-1)).toBe('A: bye now');
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.answers).toHaveLength(1);
  });
});

describe('words that follow before the answer', () => {
  test('are answered together with those before them, and only once', async () => {
    const first = fixture.frame(prompt('| wait for it'));
    await untilItWaits();
    await fixture.frame(prompt('one more thing @'));
    await first;
    expect(await lines()).toEqual([
      `A: ${opening}`,
      'P: | wait for it',
      'P: one more thing @',
      'A: one more thing',
    ]);
    expect(echoModel.asked.at(-1)?.history.map(({ content }) => content)).toEqual([opening, '| wait for it']);
    expect(echoModel.stopped).toBe(1);
    // What the first turn would have remembered is gone with it.
    expect(await memory()).toEqual(['opened', 'heard']);
    expect(fixture.heard()).toBe(`${opening} one more thing`);
  });

  test('leave what was said by then in its place, with what it tells; results count places in the transcript', async () => {
    const first = fixture.frame(prompt('| silent'));
    await untilItWaits();
    const second = fixture.frame(prompt('for Maya Rivera | and more'));
    await first;
    await vi.waitFor(() => expect(fixture.heard()).toContain('Rivera'), wait);
    await untilItWaits(2);
    await fixture.frame(prompt('stop @'));
    await second;
    expect(await lines()).toEqual([
      `A: ${opening}`,
      'P: | silent',
      'P: for Maya Rivera | and more',
      'A: for Maya Rivera',
      'P: stop @',
      'A: stop',
    ]);
    const { turns } = await getConversationWithTurns(embedded.table, fixture.call.id);
    expect(turns.map(({ index }) => index)).toEqual([0, 1, 3, 4, 5, 6]);
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.answers).toMatchObject([{ turn: 5, quote: 'stop @' }]);
    const result = await loadCallResult(embedded.table, fixture.call.id);
    expect(result?.disclosures).toEqual([{ field: 'patient.name', turn: 3 }]);
  });

  test('lose and double nothing when they come all at once', async () => {
    const words = Array.from({ length: 6 }, (_, index) => `word${index} and so on`);
    await Promise.all(words.map((word) => fixture.frame(prompt(word))));
    const said = await lines();
    expect(said.filter((line) => line.startsWith('P: ')).sort()).toEqual(words.map((word) => `P: ${word}`));
    // The last words were answered in full, whatever became of the answers before.
    const last = said.findLast((line) => line.startsWith('P: '))?.slice(3);
    expect(said.at(-1)).toBe(`A: ${last}`);
    const { turns } = await getConversationWithTurns(embedded.table, fixture.call.id);
    expect(new Set(turns.map(({ index }) => index)).size).toBe(turns.length);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({ answering: null });
  });
});

describe('an interruption', () => {
  test('while the words are still being made up stops the model and leaves what was heard', async () => {
    const taken = fixture.frame(prompt('my name is Maya Rivera | and more'));
    await untilItWaits();
    await fixture.frame(interrupt('my name is'));
    await taken;
    expect((await lines()).at(-1)).toBe('A: my name is');
    expect(echoModel.stopped).toBe(1);
    expect(echoModel.asked.at(-1)?.event).toEqual({ type: 'interrupted', heard: 'my name is' });
    expect(echoModel.asked.at(-1)?.history.at(-1)?.content).toBe('my name is');
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({ disclosures: [] });
    await fixture.frame(prompt('yes ?'));
    expect((await lines()).slice(-2)).toEqual(['P: yes ?', 'A: yes ?']);
  });

  test('before the first word was written down is understood as soon as it is', async () => {
    const taken = fixture.frame(prompt('quick words | more'));
    await vi.waitFor(() => expect(fixture.heard()).toContain('quick'), { ...wait, interval: 1 });
    await fixture.frame(interrupt('quick'));
    await taken;
    expect((await lines()).at(-1)).toBe('A: quick');
  });

  test('after the turn was written takes away what was not heard, with what it tells', async () => {
    await fixture.frame(prompt('it is for Maya Rivera born July 12, 1984'));
    await fixture.frame(interrupt('it is for Maya Rivera born'));
    expect((await lines()).at(-1)).toBe('A: it is for Maya Rivera born');
    const result = await loadCallResult(embedded.table, fixture.call.id);
    expect(result?.disclosures).toEqual([{ field: 'patient.name', turn: 2 }]);
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.disclosures).toEqual([{ field: 'patient.name', turn: 2 }]);
  });

  test('told with a part in the middle, in other spacing, keeps all before it', async () => {
    await fixture.frame(prompt('one two three four five'));
    await fixture.frame(interrupt('three  four'));
    expect((await lines()).at(-1)).toBe('A: one two three four');
  });

  test('told by its time alone is cut at the end of a word', async () => {
    await fixture.frame(prompt('one two three four five'));
    await fixture.frame(interrupt(undefined, 700));
    expect((await lines()).at(-1)).toBe('A: one two');
  });

  test('before anything was heard takes the words out of the transcript', async () => {
    await fixture.frame(prompt('one two three'));
    await fixture.frame(interrupt(''));
    await fixture.frame(interrupt(''));
    expect(await lines()).toEqual([`A: ${opening}`, 'P: one two three']);
  });

  test.each(['the same frame', 'another frame'])('that comes twice, as %s, is one', async (kind) => {
    await fixture.frame(prompt('one two three'));
    await fixture.frame(interrupt('one two'), 'first');
    await fixture.frame(interrupt('one two'), kind === 'the same frame' ? 'first' : 'second');
    expect((await lines()).at(-1)).toBe('A: one two');
    expect(echoModel.asked.filter(({ event }) => event.type === 'interrupted')).toHaveLength(1);
  });

  test('that arrives after the next words were answered still puts the transcript right', async () => {
    await fixture.frame(prompt('it is for Maya Rivera'));
    await fixture.frame(prompt('what ?'));
    await fixture.frame(interrupt('it is for'));
    expect(await lines()).toEqual([
      `A: ${opening}`,
      'P: it is for Maya Rivera',
      'A: it is for',
      'P: what ?',
      'A: what ?',
    ]);
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({ disclosures: [] });
  });

  test('that arrives while the next words are being answered does not stop that answer', async () => {
    await fixture.frame(prompt('it is for Maya Rivera'));
    const answer = fixture.frame(prompt('what do | you mean'));
    await untilItWaits();
    await fixture.frame(interrupt('it is for'));
    echoModel.goOn();
    await answer;
    expect(await lines()).toEqual([
      `A: ${opening}`,
      'P: it is for Maya Rivera',
      'A: it is for',
      'P: what do | you mean',
      'A: what do you mean',
    ]);
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({ disclosures: [] });
  });

  test('of words that we never said changes nothing', async () => {
    const before = await getConversationWithTurns(embedded.table, fixture.call.id);
    await fixture.frame(interrupt('Quite another thing'));
    expect(await getConversationWithTurns(embedded.table, fixture.call.id)).toEqual(before);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])(
    'in the moment of the last word (%i) is cut all the same',
    async (delay) => {
      const taken = fixture.frame(prompt('one two | three'));
      await untilItWaits();
      echoModel.goOn();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await Promise.all([taken, fixture.frame(interrupt('one'))]);
      expect(await lines()).toEqual([`A: ${opening}`, 'P: one two | three', 'A: one']);
      expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({ answering: null });
      const asked = echoModel.asked.filter(({ event }) => event.type === 'interrupted');
      expect(asked).toHaveLength(1);
    },
  );
});

describe('the end of a call', () => {
  test.each([0, 2, 4, 6, 8, 10])(
    'in the moment in which the person speaks on (%i) is one or the other',
    async (delay) => {
      const ending = fixture.frame(prompt('| .'));
      await untilItWaits();
      echoModel.goOn();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await Promise.all([ending, fixture.frame(prompt('wait'))]);
      const conversation = await getConversation(embedded.table, fixture.call.id);
      const hasEnded = framesAfterOpening().some(({ type }) => type === 'end');
      expect(conversation?.status).toBe(hasEnded ? 'ended' : 'open');
      expect((await lines()).slice(1)).toEqual(
        hasEnded
          ? ['P: | .', `A: ${farewellWords({ farewell: 'thanks' })}`]
          : ['P: | .', 'P: wait', 'A: wait'],
      );
    },
  );
});

describe('the opening', () => {
  test('is said in full, whoever speaks at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await startRelayFixture(embedded.table, { model: new StreamingEchoModel() });
      await Promise.all([other.frame(other.setupFrame()), other.frame(prompt('Hello?'))]);
      const turns = await getTurns(embedded.table, other.call.id);
      expect(turns.map(({ content }) => content)).toEqual([opening, 'Hello?', 'Hello?']);
      expect(other.heard()).toBe(`${opening} Hello?`);
    }
  });
});

describe('a model that hangs', () => {
  test('before it speaks is stopped, and the person asked to say it again', async () => {
    const other = await startRelayFixture(embedded.table, { model: echoModel, longestTurnMs: 300 });
    await other.frame(other.setupFrame());
    await other.frame(prompt('| never'));
    expect(other.heard()).toBe(`${opening} ${apologyWords}`);
    expect(echoModel.stopped).toBe(1);
  });

  test('while it speaks is stopped, and what it said stands', async () => {
    const other = await startRelayFixture(embedded.table, { model: echoModel, longestTurnMs: 300 });
    await other.frame(other.setupFrame());
    await other.frame(prompt('one two @ | never'));
    expect(other.heard()).toBe(`${opening} one two`);
    const conversation = await getConversation(embedded.table, other.call.id);
    expect(conversation).toMatchObject({ answering: null });
    expect(ConversationState.parse(conversation?.state).record.answers).toHaveLength(1);
  });
});

describe('a model that fails', () => {
  test('before it speaks has the person asked to say it again, and the second time the call is ended', async () => {
    await fixture.frame(prompt('! never'));
    expect((await lines()).at(-1)).toBe(`A: ${apologyWords}`);
    expect(framesAfterOpening().at(-1)).toEqual({ type: 'text', token: '', last: true });
    await fixture.frame(prompt('! again'));
    expect(framesAfterOpening().at(-1)).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'fault' }),
    });
    expect((await getConversation(embedded.table, fixture.call.id))?.status).toBe('ended');
  });

  test('while it speaks keeps what was said, and the call goes on', async () => {
    await fixture.frame(prompt('one two ! three'));
    expect((await lines()).at(-1)).toBe('A: one two');
    expect(framesAfterOpening().at(-1)).toEqual({ type: 'text', token: '', last: true });
    await fixture.frame(prompt('and on'));
    expect((await lines()).at(-1)).toBe('A: and on');
  });

  test('after it has spoken keeps what it decided', async () => {
    await fixture.frame(prompt('one @ !'));
    expect((await lines()).at(-1)).toBe('A: one');
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.answers).toHaveLength(1);
  });
});

describe('a frame', () => {
  test('that comes twice is taken once, at the same time or later', async () => {
    await Promise.all([fixture.frame(prompt('hello'), 'one'), fixture.frame(prompt('hello'), 'one')]);
    await fixture.frame(prompt('hello'), 'one');
    expect(await lines()).toEqual([`A: ${opening}`, 'P: hello', 'A: hello']);
  });

  test('of setup that comes twice does not close the session', async () => {
    await fixture.frame(fixture.setupFrame());
    expect(fixture.closed).toEqual([]);
    expect(await lines()).toEqual([`A: ${opening}`]);
  });

  test('goes on with another model when the service was deployed anew, without the memory of the first', async () => {
    const other: DialogueModel = {
      name: 'other',
      isImmediate: true,
      async *takeTurn({ memory, history }) {
        yield { type: 'say', text: `${JSON.stringify(memory)} after ${history.length}` };
      },
    };
    const handlers = relaySession({ ...fixture.services, model: other }, relayUrl);
    await handlers.message({
      connectionId: fixture.connection,
      messageId: 'next',
      body: JSON.stringify(prompt('hello')),
    });
    expect((await lines()).slice(-2)).toEqual(['P: hello', 'A: null after 1']);
  });

  test('goes on where a function was lost in the middle of its words', async () => {
    const conversation = await getConversation(embedded.table, fixture.call.id);
    if (conversation === null) throw new Error('there is no conversation');
    await writeTransaction(embedded.table, [
      replaceConversationItem(embedded.table, {
        ...conversation,
        epoch: conversation.epoch + 1,
        turn_count: 2,
        answering: { turn: 1, until: '2026-03-02T15:00:20.000Z' },
      }),
    ]);
    await fixture.frame(prompt('are you there'));
    expect(await lines()).toEqual([`A: ${opening}`, 'P: are you there', 'A: are you there']);
  });
});
