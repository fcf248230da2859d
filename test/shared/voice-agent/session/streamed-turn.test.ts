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
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../../support/embedded-table.ts';
import { prompt, type RelayFixture, relayUrl, startRelayFixture } from '../../../support/relay-fixture.ts';
import { openingWords, StreamingEchoModel } from '../../../support/streaming-echo-model.ts';

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

async function memory(): Promise<unknown> {
  const conversation = await getConversation(embedded.table, fixture.call.id);
  return ConversationState.parse(conversation?.state).memory;
}

function framesAfterOpening(): OutboundRelayFrame[] {
  return fixture.sent.slice(2).map(({ frame }) => frame);
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
    expect(await fixture.lines()).toEqual([
      `A: ${openingWords}`,
      'P: I see & [2] hear',
      'A: I see & [pressed 2] hear',
    ]);
    expect(await memory()).toEqual(['opened', 'heard']);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({
      answering: null,
      turn_count: 3,
    });
  });

  test('is heard, and written down, before the model has finished', async () => {
    const taken = fixture.frame(prompt('one two | three'));
    await echoModel.untilWaiting();
    expect(fixture.heard()).toBe(`${openingWords} one two`);
    await vi.waitFor(async () => expect((await fixture.lines()).at(-1)).toBe('A: one two'), wait);
    echoModel.goOn();
    await taken;
    expect((await fixture.lines()).at(-1)).toBe('A: one two three');
  });

  test('looks several times whether it was interrupted before it is written down again', async () => {
    const send = vi.spyOn(embedded.table.client, 'send');
    await fixture.frame(prompt('and one more word after the other '.repeat(100).trim()));
    const inputs = send.mock.calls.map(([{ input }]) => input);
    send.mockRestore();
    const looks = inputs.filter(
      (input) => 'ProjectionExpression' in input && input.ProjectionExpression === 'epoch',
    );
    const writes = inputs.filter((input) => 'Item' in input && input.Item?.content !== undefined);
    // At its first word and as it grows.
    expect(writes.length).toBeGreaterThan(2);
    expect(looks.length / writes.length).toBeGreaterThan(2);
  });

  test('takes no transaction to be concluded, unless a farewell comes with it', async () => {
    const send = vi.spyOn(embedded.table.client, 'send');
    const transactions = async (words: string): Promise<number> => {
      send.mockClear();
      await fixture.frame(prompt(words));
      return send.mock.calls.filter(([{ input }]) => 'TransactItems' in input).length;
    };
    // The first claims the turn.
    expect(await transactions('I see and hear')).toBe(1);
    expect(await transactions('bye .')).toBe(2);
    send.mockRestore();
    expect((await fixture.lines()).slice(-3)).toEqual([
      'A: I see and hear',
      'P: bye .',
      `A: bye ${farewellWords({ farewell: 'thanks' })}`,
    ]);
  });

  test('says how long its first word took, counted from the words that it answers', async () => {
    const text = await capturedLog(async () => {
      const taken = fixture.frame(prompt('one | two'));
      await echoModel.untilWaiting();
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
    expect((await fixture.lines()).at(-1)).toBe(`A: so long ${farewellWords({ farewell: 'thanks' })}`);
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
    await echoModel.untilWaiting();
    isConnected = false;
    echoModel.goOn();
    await taken;
    expect((await fixture.lines()).at(-1)).toBe('A: bye now');
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.answers).toHaveLength(1);
  });
});

describe('words that follow before the answer', () => {
  test('are answered together with those before them, and only once', async () => {
    const first = fixture.frame(prompt('| wait for it'));
    await echoModel.untilWaiting();
    await fixture.frame(prompt('one more thing @'));
    await first;
    expect(await fixture.lines()).toEqual([
      `A: ${openingWords}`,
      'P: | wait for it',
      'P: one more thing @',
      'A: one more thing',
    ]);
    expect(echoModel.asked.at(-1)?.history.map(({ content }) => content)).toEqual([
      openingWords,
      '| wait for it',
    ]);
    expect(echoModel.stopped).toBe(1);
    // What the first turn would have remembered is gone with it.
    expect(await memory()).toEqual(['opened', 'heard']);
    expect(fixture.heard()).toBe(`${openingWords} one more thing`);
  });

  test('leave what was said by then in its place, with what it tells; results count by the transcript', async () => {
    const first = fixture.frame(prompt('| silent'));
    await echoModel.untilWaiting();
    const second = fixture.frame(prompt('for Maya Rivera | and more'));
    await first;
    await vi.waitFor(() => expect(fixture.heard()).toContain('Rivera'), wait);
    await echoModel.untilWaiting(2);
    await fixture.frame(prompt('stop @'));
    await second;
    expect(await fixture.lines()).toEqual([
      `A: ${openingWords}`,
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
    const said = await fixture.lines();
    expect(said.filter((line) => line.startsWith('P: ')).sort()).toEqual(words.map((word) => `P: ${word}`));
    // The last words were answered in full, whatever became of the answers before.
    const last = said.findLast((line) => line.startsWith('P: '))?.slice(3);
    expect(said.at(-1)).toBe(`A: ${last}`);
    const { turns } = await getConversationWithTurns(embedded.table, fixture.call.id);
    expect(new Set(turns.map(({ index }) => index)).size).toBe(turns.length);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({ answering: null });
  });
});

describe('the end of a call', () => {
  test.each([0, 2, 4, 6, 8, 10])(
    'in the moment in which the person speaks on (%i) is one or the other',
    async (delay) => {
      const ending = fixture.frame(prompt('| .'));
      await echoModel.untilWaiting();
      echoModel.goOn();
      await new Promise((resolve) => setTimeout(resolve, delay));
      await Promise.all([ending, fixture.frame(prompt('wait'))]);
      const conversation = await getConversation(embedded.table, fixture.call.id);
      const hasEnded = framesAfterOpening().some(({ type }) => type === 'end');
      expect(conversation?.status).toBe(hasEnded ? 'ended' : 'open');
      expect((await fixture.lines()).slice(1)).toEqual(
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
      expect(turns.map(({ content }) => content)).toEqual([openingWords, 'Hello?', 'Hello?']);
      expect(other.heard()).toBe(`${openingWords} Hello?`);
    }
  });
});

describe('a frame', () => {
  test('that comes twice is taken once, at the same time or later', async () => {
    await Promise.all([fixture.frame(prompt('hello'), 'one'), fixture.frame(prompt('hello'), 'one')]);
    await fixture.frame(prompt('hello'), 'one');
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: hello', 'A: hello']);
  });

  test('of setup that comes twice does not close the session', async () => {
    await fixture.frame(fixture.setupFrame());
    expect(fixture.closed).toEqual([]);
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`]);
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
    expect((await fixture.lines()).slice(-2)).toEqual(['P: hello', 'A: null after 1']);
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
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: are you there', 'A: are you there']);
  });
});
