import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Turn } from '#shared/domain/conversation.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

/**
 * The live state of one call's conversation. `state` belongs to the voice agent, which parses it with its own schema; the
 * table only keeps it. The plan of the call lies beside it (`conversation-plan.ts`).
 */
export const Conversation = z.object({
  call_id: Uuid,
  task_id: Uuid,
  project_id: Uuid,
  carrier_call_sid: z.string(),
  connection_id: z.string(),
  /** Counts turns taken: a turn is written on the condition that no other was written since it was read. */
  epoch: z.int(),
  /** Number of transcript turns written so far; the index of the next one. */
  turn_count: z.int(),
  /** Where the timeline stands: no turn begins before the one ahead of it could have been spoken. */
  offset_ms: z.int(),
  status: z.enum(['open', 'ended']),
  state: z.unknown(),
  started_at: Timestamp,
  updated_at: Timestamp,
});
export type Conversation = z.infer<typeof Conversation>;

function conversationPartition(callId: string): string {
  return `CALL#${callId}`;
}

export function conversationKey(callId: string): { pk: string; sk: string } {
  return { pk: conversationPartition(callId), sk: 'CONVERSATION' };
}

export function turnKey(callId: string, index: number): { pk: string; sk: string } {
  return { pk: conversationPartition(callId), sk: `TURN#${String(index).padStart(5, '0')}` };
}

export function createConversationItem(table: Table, conversation: Conversation): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...conversationKey(conversation.call_id), type: 'conversation', ...conversation },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Replaces the conversation if no other turn was taken since it was read; `next.epoch` must be the one after. */
export function replaceConversationItem(table: Table, next: Conversation): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...conversationKey(next.call_id), type: 'conversation', ...next },
      ConditionExpression: 'epoch = :read_epoch',
      ExpressionAttributeValues: { ':read_epoch': next.epoch - 1 },
    },
  };
}

/** One item per turn: no limit on the length of a transcript, and a turn written twice is the same item. */
export function putTurnItem(table: Table, turn: Turn): TransactionItem {
  return {
    Put: { TableName: table.name, Item: { ...turnKey(turn.call_id, turn.index), type: 'turn', ...turn } },
  };
}

export async function getConversation(table: Table, callId: string): Promise<Conversation | null> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: conversationKey(callId), ConsistentRead: true }),
  );
  return Item === undefined ? null : Conversation.parse(Item);
}

/** The whole transcript in order, however many pages it takes. */
export async function getTurns(table: Table, callId: string): Promise<Turn[]> {
  const turns: Turn[] = [];
  for await (const page of turnPages(table, callId, 0)) turns.push(...page);
  return turns;
}

/** The transcript in order from one turn on, a page at a time, so that a reader can stop when it has enough. */
export async function* turnPages(table: Table, callId: string, firstIndex: number): AsyncGenerator<Turn[]> {
  const first = turnKey(callId, firstIndex);
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        // A semicolon follows the digits in the order of characters, so it stands above every index.
        ExpressionAttributeValues: { ':pk': first.pk, ':first': first.sk, ':last': 'TURN#;' },
        ConsistentRead: true,
        ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
      }),
    );
    yield Items.map((item) => Turn.parse(item));
    startKey = LastEvaluatedKey;
  } while (startKey !== undefined);
}

/** A conversation and its whole transcript in one read: they share a partition, and `CONVERSATION` sorts before the turns. */
export async function getConversationWithTurns(
  table: Table,
  callId: string,
): Promise<{ conversation: Conversation | null; turns: Turn[] }> {
  let conversation: Conversation | null = null;
  const turns: Turn[] = [];
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': conversationPartition(callId) },
        ConsistentRead: true,
        ...(startKey === undefined ? {} : { ExclusiveStartKey: startKey }),
      }),
    );
    for (const item of Items) {
      if (item.type === 'conversation') conversation = Conversation.parse(item);
      else if (item.type === 'turn') turns.push(Turn.parse(item));
    }
    startKey = LastEvaluatedKey;
  } while (startKey !== undefined);
  return { conversation, turns };
}
