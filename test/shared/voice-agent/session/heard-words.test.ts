import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  getConversation,
  getConversationWithTurns,
  putTurn,
  replaceConversationItem,
} from '#shared/table/conversation.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { handleNoInput } from '#shared/voice-agent/session/converse.ts';
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { prompt, type RelayFixture, relayUrl, startRelayFixture } from '../../../support/relay-fixture.ts';
import { StreamingEchoModel } from '../../../support/streaming-echo-model.ts';

const opening = 'This is an automated assistant.';
const wait = { timeout: 10_000, interval: 5 };

const embedded = await forThisFile(startEmbeddedTable());
let echoModel: StreamingEchoModel;
let fixture: RelayFixture;

beforeEach(async () => {
  echoModel = new StreamingEchoModel({ isImmediate: true });
  fixture = await startRelayFixture(embedded.table, { model: echoModel });
  await fixture.frame(fixture.setupFrame());
});

/** Has the model come to a `|`, where it stays: as good as a function that was lost in the middle. */
async function loseIn(words: string, frameId?: string): Promise<Promise<void>> {
  const before = echoModel.waiting;
  const lost = fixture.frame(prompt(words), frameId);
  await vi.waitFor(() => expect(echoModel.waiting).toBe(before + 1), wait);
  return lost;
}

describe('33: words heard', () => {
  test('are in the transcript before the model is asked about them', async () => {
    const seen: string[][] = [];
    const looking: DialogueModel = {
      name: 'looking',
      isImmediate: true,
      async *takeTurn() {
        seen.push(await fixture.lines());
        yield { type: 'say', text: 'Hm.' };
      },
    };
    fixture = await startRelayFixture(embedded.table, { model: looking });
    await fixture.frame(fixture.setupFrame());
    await fixture.frame(prompt('The copay is forty dollars.'));
    expect(seen.at(-1)).toEqual(['A: Hm.', 'P: The copay is forty dollars.']);
  });

  test('survive the loss of their function, and the next words follow them', async () => {
    void loseIn('my answer |');
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    expect(await fixture.lines()).toEqual([`A: ${opening}`, 'P: my answer |']);
    await fixture.frame(prompt('are you there'));
    expect(await fixture.lines()).toEqual([
      `A: ${opening}`,
      'P: my answer |',
      'P: are you there',
      'A: are you there',
    ]);
    expect(echoModel.asked.at(-1)?.history.map(({ content }) => content)).toEqual([opening, 'my answer |']);
    await fixture.frame(prompt('good'));
    expect((await fixture.lines()).slice(-2)).toEqual(['P: good', 'A: good']);
  });

  test('are directly followed by words that come much later', async () => {
    void loseIn('my answer |');
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    fixture.pass(5_000);
    await fixture.frame(prompt('are you there'));
    expect((await fixture.lines()).slice(-2)).toEqual(['P: are you there', 'A: are you there']);
  });

  test('are answered in their place when the lost frame is redelivered', async () => {
    void loseIn('my answer |', 'one');
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    const again = fixture.frame(prompt('my answer |'), 'one');
    await vi.waitFor(() => expect(echoModel.waiting).toBe(2), wait);
    echoModel.goOn();
    await again;
    expect(await fixture.lines()).toEqual([`A: ${opening}`, 'P: my answer |', 'A: my answer']);
    expect(echoModel.asked.at(-1)?.history.map(({ content }) => content)).toEqual([opening]);
  });

  test('are answered late, and in their place, by a slow function', async () => {
    const slow = fixture.frame(prompt('first |'));
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    await fixture.frame(prompt('second'));
    echoModel.goOn();
    // Somebody else took a step: the words are judged anew, in the light of it.
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    echoModel.goOn();
    await slow;
    expect(await fixture.lines()).toEqual([
      `A: ${opening}`,
      'P: first |',
      'P: second',
      'A: second',
      'A: first',
    ]);
    const { turns } = await getConversationWithTurns(embedded.table, fixture.call.id);
    expect(turns.map(({ index }) => index)).toEqual([0, 1, 3, 4, 5]);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({ turn_count: 6 });
  });

  test('wait for the answer to immediately preceding words', async () => {
    const first = fixture.frame(prompt('first |'));
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    const second = fixture.frame(prompt('second'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    echoModel.goOn();
    await Promise.all([first, second]);
    expect(await fixture.lines()).toEqual([
      `A: ${opening}`,
      'P: first |',
      'A: first',
      'P: second',
      'A: second',
    ]);
  });

  test('never take the place of words heard by another function', async () => {
    await putTurn(embedded.table, fixture.call.project_id, {
      call_id: fixture.call.id,
      index: 1,
      role: 'user',
      content: 'heard elsewhere',
      offset_ms: 3_000,
      created_at: '2026-03-02T14:59:50.000Z',
      frame_id: 'of another',
    });
    await fixture.frame(prompt('heard here'));
    expect(await fixture.lines()).toEqual([
      `A: ${opening}`,
      'P: heard elsewhere',
      'P: heard here',
      'A: heard here',
    ]);
  });

  test('do not enter a closed transcript', async () => {
    const conversation = await getConversation(embedded.table, fixture.call.id);
    if (conversation === null) throw new Error('there is no conversation');
    const closed = { ...conversation, epoch: conversation.epoch + 1, status: 'ended' } as const;
    await writeTransaction(embedded.table, [replaceConversationItem(embedded.table, closed)]);
    await fixture.frame(prompt('too late'));
    expect(await fixture.lines()).toEqual([`A: ${opening}`]);
  });

  test('do not count as silence while being answered, and are not overwritten', async () => {
    const taken = fixture.frame(prompt('one moment |'));
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    fixture.pass(30_000 - 1);
    await fixture.frame({ type: 'dtmf', digit: '1' });
    await handleNoInput(fixture.services, { call_id: fixture.call.id });
    echoModel.goOn();
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    echoModel.goOn();
    await taken;
    expect((await fixture.lines()).slice(0, 2)).toEqual([`A: ${opening}`, 'P: one moment |']);
    expect((await fixture.lines()).at(-1)).toBe('A: one moment');
  });

  test('are found by another function that continues', async () => {
    void loseIn('my answer |');
    await vi.waitFor(() => expect(echoModel.waiting).toBe(1), wait);
    fixture.pass(5_000);
    const other = relaySession(
      { ...fixture.services, model: new StreamingEchoModel({ isImmediate: false }) },
      relayUrl,
    );
    const body = JSON.stringify(prompt('go on'));
    await other.message({ connectionId: fixture.connection, messageId: 'next', body });
    expect((await fixture.lines()).slice(1)).toEqual(['P: my answer |', 'P: go on', 'A: go on']);
  });
});
