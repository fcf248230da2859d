import { readFile } from 'node:fs/promises';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  conversationPartition,
  getConversation,
  getConversationWithTurns,
  getTurns,
  type StoredTurn,
} from '#shared/table/conversation.ts';
import { handleNoInput } from '#shared/voice-agent/session/converse.ts';
import { relaySession } from '#shared/voice-agent/session/relay-session.ts';
import { storeHeard } from '#shared/voice-agent/session/turn-steps.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import {
  interrupt,
  prompt,
  type RelayFixture,
  relayUrl,
  startRelayFixture,
} from '../../../support/relay-fixture.ts';
import { openingWords, StreamingEchoModel } from '../../../support/streaming-echo-model.ts';
import { startTableProxy } from '../../../support/table-proxy.ts';

/*
 * What we say in reply has no item of its own: it stays with the conversation until the next words heard are stored,
 * and is stored with them.
 */

const embedded = await forThisFile(startEmbeddedTable());
let model: StreamingEchoModel;
let fixture: RelayFixture;

beforeEach(async () => {
  model = new StreamingEchoModel({ isImmediate: true });
  fixture = await startRelayFixture(embedded.table, { model });
  await fixture.frame(fixture.setupFrame());
});

async function keys(): Promise<string[]> {
  const { Items = [] } = await embedded.table.client.send(
    new QueryCommand({
      TableName: embedded.table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': conversationPartition(fixture.call.id) },
    }),
  );
  return Items.map(({ sk }) => String(sk));
}

async function indexes(): Promise<number[]> {
  return (await getTurns(embedded.table, fixture.call.id)).map(({ index }) => index);
}

describe('a reply', () => {
  test('takes one write of the words heard and one of the conversation, and no transaction', async () => {
    const proxy = await startTableProxy(embedded, (_, forward) => forward());
    try {
      const through = await startRelayFixture(embedded.table, { model, through: proxy.table });
      await through.frame(through.setupFrame());
      // From then on the function goes on from memory.
      for (const words of ['one', 'two', 'three', 'four']) await through.frame(prompt(words));
      proxy.operations.length = 0;
      await through.frame(prompt('five'));
      expect(proxy.operations).toEqual(['PutItem', 'PutItem']);
    } finally {
      await proxy.stop();
    }
  });

  test('exists once and in order, and is stored with the words that follow it', async () => {
    await fixture.frame(prompt('one'));
    await fixture.frame(prompt('two'));
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: one', 'A: one', 'P: two', 'A: two']);
    expect(await indexes()).toEqual([0, 1, 2, 3, 4]);
    expect(await keys()).toEqual(['CONVERSATION', 'TURN#00001', 'TURN#00003']);
  });

  test('stays in place before unanswered words', async () => {
    await fixture.frame(prompt('one'));
    void fixture.frame(prompt('two |'));
    await model.untilWaiting();
    // With the conversation and with the words heard: it stands in both for now.
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: one', 'A: one', 'P: two |']);
    const { turns } = await getConversationWithTurns(embedded.table, fixture.call.id);
    expect(turns.map(({ content }) => content)).toEqual([openingWords, 'one', 'one', 'two |']);
  });

  test('is not displaced by words that arrive during the decision', async () => {
    const first = fixture.frame(prompt('first |'));
    await model.untilWaiting();
    const other = fixture.frame(prompt('second |'));
    // Long enough to take up these words, although the first ones are unanswered.
    await model.untilWaiting(2);
    model.goOn();
    const isOver = Promise.all([first, other]).then(() => true);
    const letOn = setInterval(() => model.goOn(), 20);
    expect(await isOver).toBe(true);
    clearInterval(letOn);
    const lines = await fixture.lines();
    expect([...lines].sort()).toEqual(
      [`A: ${openingWords}`, 'A: first', 'A: second', 'P: first |', 'P: second |'].sort(),
    );
    expect(lines.indexOf('P: first |')).toBeLessThan(lines.indexOf('A: first'));
    expect(lines.indexOf('P: second |')).toBeLessThan(lines.indexOf('A: second'));
    expect(new Set(await indexes()).size).toBe(5);
  });

  test('is stored with their silence, too', async () => {
    await fixture.frame(prompt('one'));
    fixture.pass(60_000);
    await handleNoInput(fixture.services, { call_id: fixture.call.id });
    const expected = [`A: ${openingWords}`, 'P: one', 'A: one', 'A: Are you there?'];
    expect(await fixture.lines()).toEqual(expected);
    await fixture.frame(prompt('two'));
    expect(await fixture.lines()).toEqual([...expected, 'P: two', 'A: two']);
    expect(await keys()).toEqual(['CONVERSATION', 'TURN#00001', 'TURN#00003', 'TURN#00005']);
  });

  test('gets its own item if something else was said before the next words', async () => {
    await fixture.frame(prompt('one'));
    model.onKey = 'Two.';
    await fixture.frame({ type: 'dtmf', digit: '2' });
    const expected = [`A: ${openingWords}`, 'P: one', 'A: one', 'A: Two.'];
    expect(await fixture.lines()).toEqual(expected);
    await fixture.frame(prompt('two'));
    await fixture.frame(prompt('three'));
    const after = ['P: two', 'A: two', 'P: three', 'A: three'];
    expect(await fixture.lines()).toEqual([...expected, ...after]);
    expect(await keys()).toEqual([
      'CONVERSATION',
      'TURN#00001',
      'TURN#00002',
      'TURN#00003',
      'TURN#00005',
      'TURN#00007',
    ]);
  });

  test('that was cut short stays so, wherever else it is', async () => {
    await fixture.frame(prompt('one two three'));
    await fixture.frame(interrupt('one two'));
    const expected = [`A: ${openingWords}`, 'P: one two three', 'A: one two'];
    expect(await fixture.lines()).toEqual(expected);
    await fixture.frame(prompt('four'));
    expect(await fixture.lines()).toEqual([...expected, 'P: four', 'A: four']);
    fixture.pass(60_000);
    await handleNoInput(fixture.services, { call_id: fixture.call.id });
    await fixture.frame(prompt('five'));
    expect((await fixture.lines()).slice(0, 5)).toEqual([...expected, 'P: four', 'A: four']);
  });

  test('that was not heard at all is gone', async () => {
    await fixture.frame(prompt('one'));
    await fixture.frame(interrupt(''));
    await fixture.frame(prompt('two'));
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: one', 'P: two', 'A: two']);
  });

  test('is not lost if the same frame is stored by a function that has not seen it', async () => {
    const conversation = await getConversation(embedded.table, fixture.call.id);
    if (conversation === null) throw new Error('there is no conversation');
    await fixture.frame(prompt('one'), 'frame');
    const heard: StoredTurn = {
      call_id: fixture.call.id,
      index: 1,
      role: 'user',
      content: 'one',
      offset_ms: 0,
      created_at: conversation.started_at,
      frame_id: 'frame',
    };
    expect(await storeHeard(embedded.table, { ...conversation, said: null }, heard)).toBe(false);
    expect(await fixture.lines()).toEqual([`A: ${openingWords}`, 'P: one', 'A: one']);
  });
});

test('a call that an earlier version has begun continues', async () => {
  const file = new URL('./call-of-earlier-version.json', import.meta.url);
  // As the version before replies were kept with the conversation stored it (9b973f27). Never to be changed.
  const stored = z
    .array(z.record(z.string(), z.unknown()))
    .parse(
      JSON.parse(await readFile(file, 'utf8'), (_, value) =>
        typeof value?.bytes === 'string' ? Buffer.from(value.bytes, 'base64') : value,
      ),
    );
  const { table } = embedded;
  for (const Item of stored)
    await table.client.send(new PutCommand({ TableName: table.name, Item: { ...Item } }));
  const connection = stored.find(({ type }) => type === 'relay-connection');
  const callId = String(connection?.call_id);
  const before = (await getTurns(table, callId)).map(({ content }) => content);
  expect(before).toEqual([openingWords, 'Front desk, hello.', 'Front desk, hello.', 'Are you there?']);
  const session = relaySession(fixture.services, relayUrl);
  const hear = (words: string): Promise<void> =>
    session.message({
      connectionId: String(connection?.connection_id),
      messageId: words,
      body: JSON.stringify(prompt(words)),
    });
  await hear('Yes.');
  await hear('Go on.');
  expect((await getTurns(table, callId)).map(({ content }) => content)).toEqual([
    ...before,
    'Yes.',
    'Yes.',
    'Go on.',
    'Go on.',
  ]);
  // The frame that the earlier version has taken is not taken again.
  await session.message({
    connectionId: String(connection?.connection_id),
    messageId: 'frame-1',
    body: JSON.stringify(prompt('Front desk, hello.')),
  });
  expect(await getTurns(table, callId)).toHaveLength(before.length + 4);
});
