import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { AnsweredBy } from '#shared/domain/call.ts';
import { Turn } from '#shared/domain/conversation.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { conditionHeld } from './condition-held.ts';
import { putItem } from './create-item.ts';
import { deletePartition } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { unpack } from './packed.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryAll, queryPages } from './query-pages.ts';
import { sealEach, sealPacked } from './to-seal.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemPut, when } from './transaction-items.ts';

/** A turn as stored. */
export const StoredTurn = z.extend(Turn, {
  /** Facts of the plan that this utterance of ours discloses. */
  disclosed: z.optional(z.array(z.string())),
  /** The person interrupted this utterance; `content` is what they heard, possibly nothing. */
  cut: z.optional(z.boolean()),
  /** The carrier's frame with this utterance, which recognizes a redelivery. */
  frame_id: z.optional(z.string()),
});
export type StoredTurn = z.infer<typeof StoredTurn>;

/** An utterance of ours inside another item: one write stores both, where two would need a transaction. */
export const OurWords = z.omit(StoredTurn, { call_id: true, role: true, cut: true, frame_id: true });
export type OurWords = z.infer<typeof OurWords>;

/** A turn's item. */
export const TurnItem = z.extend(StoredTurn, {
  /** Our utterance before the person's. */
  reply_to: z.optional(OurWords),
});
export type TurnItem = z.infer<typeof TurnItem>;

/**
 * The live state of a call's conversation. The voice agent parses `state` with its own schema. The plan of the call is
 * stored separately (`conversation-plan.ts`).
 */
export const Conversation = z.object({
  call_id: Uuid,
  task_id: Uuid,
  project_id: Uuid,
  carrier_call_sid: z.string(),
  connection_id: z.string(),
  /**
   * Counts steps of the conversation: each is written on the condition that no other was written since it was read.
   */
  epoch: z.int(),
  /** Index of the next turn. An index reserved for an unspoken utterance stays unused. */
  turn_count: z.int(),
  /** End of the timeline: no turn begins before the previous one could have been spoken. */
  offset_ms: z.int(),
  status: z.enum(['open', 'ended']),
  /** Our last reply, until the person's next utterance is stored with it. A later change has its own item. */
  said: z._default(z.nullable(OurWords), null),
  /** The turn being spoken while the model still generates it, and its latest end. */
  answering: z._default(z.nullable(z.object({ turn: z.int(), until: Timestamp })), null),
  /** Since when we have been on hold; null if we are not. */
  waiting_since: z._default(z.nullable(Timestamp), null),
  /** Hold time so far, each from when we began to wait until we spoke again. */
  held_ms: z._default(z.int(), 0),
  /** When our last utterance ends by the clock: from then on it is the other side's turn to speak. */
  quiet_since: z._default(z.nullable(Timestamp), null),
  /** Silences since anything was last heard. */
  silences: z._default(z.int(), 0),
  /** The most recent frames, to recognize redeliveries. */
  recent_frames: z._default(z.array(z.string()), []),
  state: z.unknown(),
  started_at: Timestamp,
  updated_at: Timestamp,
});
export type Conversation = z.infer<typeof Conversation>;

/** The current hold so far; 0 when not on hold. */
export function waitedMs({ waiting_since }: Pick<Conversation, 'waiting_since'>, now: Date): number {
  return waiting_since === null ? 0 : Math.max(0, now.getTime() - Date.parse(waiting_since));
}

/** A conversation for writing; members with defaults may be absent. */
export type ConversationInput = z.input<typeof Conversation>;

export function conversationPartition(callId: string): string {
  return `CALL#${callId}`;
}

export function conversationKey(callId: string): PrimaryKey {
  return { pk: conversationPartition(callId), sk: 'CONVERSATION' };
}

export function turnKey(callId: string, index: number): PrimaryKey {
  return { pk: conversationPartition(callId), sk: `TURN#${String(index).padStart(5, '0')}` };
}

export function conversationItem(conversation: ConversationInput): Record<string, unknown> {
  const { call_id, epoch, ...rest } = conversation;
  const packed = sealPacked(conversation.project_id, 'packed', rest);
  return { ...conversationKey(call_id), type: 'conversation', call_id, epoch, packed };
}

const Packed = z.record(z.string(), z.unknown());

/** Conversations of earlier versions are stored uncompressed. */
export function conversationFromItem({ packed, ...item }: Readonly<Record<string, unknown>>): Conversation {
  return Conversation.parse(packed === undefined ? item : { ...item, ...Packed.parse(unpack(packed)) });
}

export function createConversationItem(table: Table, conversation: ConversationInput): TransactionItem {
  return itemPut(table, conversationItem(conversation), isNew);
}

/** Replaces the conversation if it has not changed since it was read; `next.epoch` must be its successor. */
export function replaceConversationItem(table: Table, next: ConversationInput): TransactionItem {
  return itemPut(table, conversationItem(next), when('epoch = :read_epoch', { read_epoch: next.epoch - 1 }));
}

/** Deletes the transcript of a call and the state of its conversation. */
export function deleteConversation(table: Table, callId: string): Promise<void> {
  return deletePartition(table, conversationPartition(callId));
}

/** A turn at an unused index. */
export function createTurnItem(table: Table, projectId: string, turn: TurnItem): TransactionItem {
  return itemPut(table, turnItem(projectId, turn), isNew);
}

/** No item holds more than two turns, so a transcript has no limit, and a turn written twice is the same item. */
export function putTurnItem(table: Table, projectId: string, turn: StoredTurn): TransactionItem {
  return itemPut(table, turnItem(projectId, turn));
}

export function turnItem(projectId: string, turn: TurnItem): Record<string, unknown> {
  const { call_id, index, content } = turn;
  // There are no words to be sealed when nothing was heard.
  const sealed = content === '' ? ['reply_to'] : ['content', 'reply_to'];
  return { ...turnKey(call_id, index), type: 'turn', ...turn, ...sealEach(projectId, turn, sealed) };
}

/** Writes a single turn. */
export async function putTurn(table: Table, projectId: string, turn: StoredTurn): Promise<void> {
  await putItem(table, turnItem(projectId, turn));
}

/** Writes the spoken part of a turn, unless it was interrupted meanwhile; returns whether it was written. */
export async function putTurnUnlessCut(table: Table, projectId: string, turn: StoredTurn): Promise<boolean> {
  return conditionHeld(
    table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: turnItem(projectId, turn),
        ConditionExpression: 'attribute_not_exists(cut)',
      }),
    ),
  );
}

/** Sets which facts a turn discloses. */
export async function putTurnDisclosures(
  table: Table,
  { call_id, index }: Pick<Turn, 'call_id' | 'index'>,
  disclosed: readonly string[],
): Promise<void> {
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: turnKey(call_id, index),
      UpdateExpression: 'SET disclosed = :disclosed',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':disclosed': disclosed },
    }),
  );
}

/**
 * Records who answered, for readers of the conversation. A separate item, because it may be known before the
 * conversation is written, and changes without a step of it.
 */
export async function putAnsweredBy(table: Table, callId: string, answeredBy: AnsweredBy): Promise<void> {
  const key = { pk: conversationPartition(callId), sk: 'ANSWERED-BY' };
  await putItem(table, { ...key, type: 'answered-by', call_id: callId, answered_by: answeredBy });
}

export async function getTurn(table: Table, callId: string, index: number): Promise<StoredTurn | null> {
  return getItem(table, turnKey(callId, index), StoredTurn.parse);
}

export async function getConversation(table: Table, callId: string): Promise<Conversation | null> {
  return getItem(table, conversationKey(callId), conversationFromItem);
}

/** The conversation's state; null without one. */
export async function getConversationEpoch(table: Table, callId: string): Promise<number | null> {
  const epochOf = ({ epoch }: Record<string, unknown>): number => Conversation.shape.epoch.parse(epoch);
  return getItem(table, conversationKey(callId), epochOf, { attributes: ['epoch'] });
}

/** Whether a turn is part of the transcript: unheard and silent turns are not. */
export function isInTranscript({ content }: Pick<Turn, 'content'>): boolean {
  return content !== '';
}

/** The whole transcript in order, across all pages. */
export async function getTurns(table: Table, callId: string): Promise<StoredTurn[]> {
  const turns: StoredTurn[] = [];
  for await (const page of turnPages(table, callId, 0)) turns.push(...page);
  return turns;
}

/**
 * The transcript in order from a position on, a page at a time, so that readers can stop early. Because indexes have
 * gaps, a position is found only by counting from the beginning.
 *
 * @param firstPosition how many turns to skip
 */
export async function* turnPages(
  table: Table,
  callId: string,
  firstPosition: number,
): AsyncGenerator<StoredTurn[]> {
  const { pk, sk } = conversationKey(callId);
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    // A semicolon sorts after digits, and so after every index.
    ExpressionAttributeValues: { ':pk': pk, ':first': sk, ':last': 'TURN#;' },
    ConsistentRead: true,
  });
  let toSkip = firstPosition;
  const inOrder = new TurnsInOrder();
  const pageOf = (found: readonly StoredTurn[]): StoredTurn[] => {
    const turns = found.filter(isInTranscript);
    const page = turns.slice(toSkip);
    toSkip -= turns.length - page.length;
    return page;
  };
  for await (const items of pages) yield pageOf(items.flatMap((item) => inOrder.read(item)));
  yield pageOf(inOrder.rest());
}

/**
 * Orders the turns in items of a conversation. An utterance of ours may be in several; its own item wins, because only
 * that is ever changed.
 */
class TurnsInOrder {
  conversation: Conversation | null = null;
  #nextIndex = 0;

  /** The turns that are known to come next. */
  read(item: Readonly<Record<string, unknown>>): StoredTurn[] {
    if (item.type === 'conversation') this.conversation = conversationFromItem(item);
    if (item.type !== 'turn') return [];
    const { reply_to, ...turn } = TurnItem.parse(item);
    const ours = [this.conversation?.said ?? null, reply_to ?? null].flatMap((words) =>
      words === null || words.index >= turn.index ? [] : [ourTurn(turn.call_id, words)],
    );
    return [...ours, turn].filter((one) => this.#isNext(one));
  }

  /** What only the conversation has, after the last item. */
  rest(): StoredTurn[] {
    const { call_id, said } = this.conversation ?? { call_id: '', said: null };
    return said === null ? [] : [ourTurn(call_id, said)].filter((one) => this.#isNext(one));
  }

  #isNext({ index }: StoredTurn): boolean {
    if (index < this.#nextIndex) return false;
    this.#nextIndex = index + 1;
    return true;
  }
}

function ourTurn(call_id: string, words: OurWords): StoredTurn {
  return { call_id, role: 'assistant', ...words };
}

/** The state of a conversation. */
export interface ConversationWithTurns {
  readonly conversation: Conversation | null;
  /** Includes turns that are not part of the transcript. */
  readonly turns: StoredTurn[];
  /** Who answered, as far as known. */
  readonly answeredBy: AnsweredBy | null;
}

/** A conversation and all its turns in one read: they share a partition. */
export async function getConversationWithTurns(table: Table, callId: string): Promise<ConversationWithTurns> {
  let answeredBy: AnsweredBy | null = null;
  const inOrder = new TurnsInOrder();
  const turns: StoredTurn[] = [];
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': conversationPartition(callId) },
    ConsistentRead: true,
  });
  for (const item of items) {
    turns.push(...inOrder.read(item));
    if (item.type === 'answered-by') answeredBy = AnsweredBy.parse(item.answered_by);
  }
  turns.push(...inOrder.rest());
  return { conversation: inOrder.conversation, turns, answeredBy };
}
