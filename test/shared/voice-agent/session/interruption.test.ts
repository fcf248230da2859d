import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getConversation, getConversationWithTurns } from '#shared/table/conversation.ts';
import { ConversationState } from '#shared/voice-agent/dialogue/conversation-state.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { interrupt, prompt, type RelayFixture, startRelayFixture } from '../../../support/relay-fixture.ts';
import { openingWords, StreamingEchoModel } from '../../../support/streaming-echo-model.ts';

const embedded = await forThisFile(startEmbeddedTable());
let echoModel: StreamingEchoModel;
let fixture: RelayFixture;

beforeEach(async () => {
  echoModel = new StreamingEchoModel();
  fixture = await startRelayFixture(embedded.table, { model: echoModel });
  await fixture.frame(fixture.setupFrame());
});

const wait = { timeout: 10_000, interval: 5 };

describe('an interruption', () => {
  test('of streaming words stops the model and leaves the heard part', async () => {
    const taken = fixture.frame(prompt('my name is Maya Rivera | and more'));
    await echoModel.untilWaiting();
    await fixture.frame(interrupt('my name is'));
    await taken;
    expect((await fixture.lines()).at(-1)).toBe('A: my name is');
    expect(echoModel.stopped).toBe(1);
    expect(echoModel.asked.at(-1)?.event).toEqual({ type: 'interrupted', heard: 'my name is' });
    expect(echoModel.asked.at(-1)?.history.at(-1)?.content).toBe('my name is');
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({ disclosures: [] });
    await fixture.frame(prompt('yes ?'));
    expect((await fixture.lines()).slice(-2)).toEqual(['P: yes ?', 'A: yes ?']);
  });

  test('before the first word was stored is applied as soon as it is', async () => {
    const taken = fixture.frame(prompt('quick words | more'));
    await vi.waitFor(() => expect(fixture.heard()).toContain('quick'), { ...wait, interval: 1 });
    await fixture.frame(interrupt('quick'));
    await taken;
    expect((await fixture.lines()).at(-1)).toBe('A: quick');
  });

  test('after the turn was stored removes the unheard part and its disclosures', async () => {
    await fixture.frame(prompt('it is for Maya Rivera born July 12, 1984'));
    await fixture.frame(interrupt('it is for Maya Rivera born'));
    expect((await fixture.lines()).at(-1)).toBe('A: it is for Maya Rivera born');
    const result = await loadCallResult(embedded.table, fixture.call.id);
    expect(result?.disclosures).toEqual([{ field: 'patient.name', turn: 2 }]);
    const state = ConversationState.parse((await getConversation(embedded.table, fixture.call.id))?.state);
    expect(state.record.disclosures).toEqual([{ field: 'patient.name', turn: 2 }]);
  });

  test('reported with a part in the middle, in other spacing, keeps everything before it', async () => {
    await fixture.frame(prompt('one two three four five'));
    await fixture.frame(interrupt('three  four'));
    expect((await fixture.lines()).at(-1)).toBe('A: one two three four');
  });

  test('reported only by time is cut at the end of a word', async () => {
    await fixture.frame(prompt('one two three four five'));
    await fixture.frame(interrupt(undefined, 700));
    expect((await fixture.lines()).at(-1)).toBe('A: one two');
  });

  test('before anything was heard removes the words from the transcript', async () => {
    await fixture.frame(prompt('one two three'));
    await fixture.frame(interrupt(''));
    await fixture.frame(interrupt(''));
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: one two three']);
  });

  test.each(['the same frame', 'another frame'])('that comes twice, as %s, is one', async (kind) => {
    await fixture.frame(prompt('one two three'));
    await fixture.frame(interrupt('one two'), 'first');
    await fixture.frame(interrupt('one two'), kind === 'the same frame' ? 'first' : 'second');
    expect((await fixture.lines()).at(-1)).toBe('A: one two');
    expect(echoModel.asked.filter(({ event }) => event.type === 'interrupted')).toHaveLength(1);
  });

  test('that arrives after the next answer still corrects the transcript', async () => {
    await fixture.frame(prompt('it is for Maya Rivera'));
    await fixture.frame(prompt('what ?'));
    await fixture.frame(interrupt('it is for'));
    expect(await fixture.lines()).toEqual([
      `A: ${openingWords}`,
      'P: it is for Maya Rivera',
      'A: it is for',
      'P: what ?',
      'A: what ?',
    ]);
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({ disclosures: [] });
  });

  test('that arrives during the next answer does not stop that answer', async () => {
    await fixture.frame(prompt('it is for Maya Rivera'));
    const answer = fixture.frame(prompt('what do | you mean'));
    await echoModel.untilWaiting();
    await fixture.frame(interrupt('it is for'));
    echoModel.goOn();
    await answer;
    expect(await fixture.lines()).toEqual([
      `A: ${openingWords}`,
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

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('at the last word (%i) is still cut', async (delay) => {
    const taken = fixture.frame(prompt('one two | three'));
    await echoModel.untilWaiting();
    echoModel.goOn();
    await new Promise((resolve) => setTimeout(resolve, delay));
    await Promise.all([taken, fixture.frame(interrupt('one'))]);
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: one two | three', 'A: one']);
    expect(await getConversation(embedded.table, fixture.call.id)).toMatchObject({ answering: null });
    const asked = echoModel.asked.filter(({ event }) => event.type === 'interrupted');
    expect(asked).toHaveLength(1);
  });
});
