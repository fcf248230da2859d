import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import {
  createConversationItem,
  createTurnItem,
  getConversationWithTurns,
  getTurn,
  getTurns,
  putTurn,
  putTurnDisclosures,
  putTurnUnlessCut,
  type StoredTurn,
  type TurnItem,
  turnPages,
} from '#shared/table/conversation.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleConversation, sampleTime } from '../../support/sample-tasks.ts';

const embedded = await forThisFile(startEmbeddedTable());

const projectId = uuidv7();

function turn(call_id: string, index: number, content: string): StoredTurn {
  return { call_id, index, role: 'assistant', content, offset_ms: index * 1000, created_at: sampleTime };
}

const conversation = (callId: string) => sampleConversation(callId, { project_id: projectId });

async function storedTurns(turns: readonly (readonly [number, string])[]): Promise<string> {
  const callId = uuidv7();
  for (const [index, content] of turns)
    await putTurn(embedded.table, projectId, turn(callId, index, content));
  return callId;
}

async function contentsFrom(callId: string, position: number): Promise<string[]> {
  const contents: string[] = [];
  for await (const page of turnPages(embedded.table, callId, position)) {
    contents.push(...page.map(({ content }) => content));
  }
  return contents;
}

describe('a transcript', () => {
  test('has its turns in order, whatever indexes are missing, without unheard turns', async () => {
    const callId = await storedTurns([
      [12, 'fourth'],
      [0, 'first'],
      [3, 'second'],
      [4, ''],
      [7, 'third'],
    ]);
    const turns = await getTurns(embedded.table, callId);
    expect(turns.map(({ content }) => content)).toEqual(['first', 'second', 'third', 'fourth']);
    expect((await getConversationWithTurns(embedded.table, callId)).turns).toHaveLength(5);
  });

  test('is read on from a position, which counts turns, not indexes', async () => {
    const callId = await storedTurns([
      [0, 'first'],
      [2, ''],
      [5, 'second'],
      [6, 'third'],
    ]);
    expect(await contentsFrom(callId, 1)).toEqual(['second', 'third']);
    expect(await contentsFrom(callId, 2)).toEqual(['third']);
    expect(await contentsFrom(callId, 3)).toEqual([]);
  });

  test('has words of ours in other items once and in their place, in their latest version', async () => {
    const callId = await storedTurns([
      [4, 'third, cut'],
      [6, ''],
    ]);
    const ours = (index: number, content: string) => ({ ...turn(callId, index, content), disclosed: [] });
    const replyTo = (index: number, content: string, said: string): TurnItem => ({
      ...turn(callId, index, content),
      role: 'user',
      reply_to: ours(index - 1, said),
    });
    await writeTransaction(embedded.table, [
      createConversationItem(embedded.table, { ...conversation(callId), said: ours(10, 'last') }),
      createTurnItem(embedded.table, projectId, replyTo(1, 'second', 'first')),
      createTurnItem(embedded.table, projectId, replyTo(5, 'fourth', 'third, whole')),
      createTurnItem(embedded.table, projectId, replyTo(7, 'fifth', 'not heard')),
      createTurnItem(embedded.table, projectId, replyTo(11, 'later', 'last')),
    ]);
    const contents = ['first', 'second', 'third, cut', 'fourth', 'fifth', 'last', 'later'];
    expect(await contentsFrom(callId, 0)).toEqual(contents);
    expect(await contentsFrom(callId, 5)).toEqual(['last', 'later']);
    const { turns } = await getConversationWithTurns(embedded.table, callId);
    expect(turns.map(({ index }) => index)).toEqual([0, 1, 4, 5, 6, 7, 10, 11]);
    expect(turns.map(({ role }) => role === 'user')).toEqual(turns.map(({ index }) => index % 2 === 1));
  });

  test("continues with the conversation's words before words stored without them", async () => {
    const callId = await storedTurns([[3, 'third']]);
    const said = turn(callId, 2, 'second');
    await writeTransaction(embedded.table, [
      createConversationItem(embedded.table, { ...conversation(callId), said }),
      createTurnItem(embedded.table, projectId, { ...turn(callId, 1, 'first'), role: 'user' }),
    ]);
    expect(await contentsFrom(callId, 0)).toEqual(['first', 'second', 'third']);
  });

  test('of many pages is complete, and readable from any position', async () => {
    // Each turn is 300 kB, so a page of 1 MB holds three.
    const long = 'x'.repeat(300_000);
    const callId = await storedTurns(
      [0, 1, 3, 4, 6, 7, 9].map((index) => [index, `${index}${long}`] as const),
    );
    const first = (contents: readonly string[]) => contents.map((content) => content.charAt(0));
    expect(first(await contentsFrom(callId, 0))).toEqual(['0', '1', '3', '4', '6', '7', '9']);
    expect(first(await contentsFrom(callId, 5))).toEqual(['7', '9']);
  });
});

describe('words being spoken', () => {
  test('grow until they are cut short', async () => {
    const callId = uuidv7();
    expect(await putTurnUnlessCut(embedded.table, projectId, turn(callId, 1, 'one'))).toBe(true);
    expect(await putTurnUnlessCut(embedded.table, projectId, turn(callId, 1, 'one two'))).toBe(true);
    await putTurn(embedded.table, projectId, { ...turn(callId, 1, 'one'), cut: true });
    expect(await putTurnUnlessCut(embedded.table, projectId, turn(callId, 1, 'one two three'))).toBe(false);
    await putTurnDisclosures(embedded.table, { call_id: callId, index: 1 }, ['patient.name']);
    expect(await getTurn(embedded.table, callId, 1)).toMatchObject({
      content: 'one',
      cut: true,
      disclosed: ['patient.name'],
    });
    expect(await getTurn(embedded.table, callId, 2)).toBeNull();
  });
});
