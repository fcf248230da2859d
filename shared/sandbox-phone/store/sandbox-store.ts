import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { SandboxCall } from './sandbox-call.ts';
import { recordingSid, SandboxRecording } from './sandbox-recording.ts';

/** Storage of the sandbox phone: calls and recordings by SID, and both by account and time. */
export interface SandboxStore {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}

export function openSandboxStore(
  tableName: string,
  client = new DynamoDBClient(clientLimits()),
): SandboxStore {
  return {
    tableName,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}

type Items = { call: SandboxCall; recording: SandboxRecording };
type Kind = keyof Items;

/** Items of another kind (a recording's SID where a call's is expected) do not exist. */
const parsers: { [K in Kind]: (attributes: unknown) => Items[K] | null } = {
  call: (attributes) => z.safeParse(SandboxCall, attributes).data ?? null,
  recording: (attributes) => z.safeParse(SandboxRecording, attributes).data ?? null,
};

/** Everything expires after a week. */
const lifetimeSeconds = 7 * 24 * 3600;

export async function putItem<K extends Kind>(store: SandboxStore, item: Items[K]): Promise<void> {
  const createdSeconds = Math.floor(Date.parse(item.created_at) / 1000);
  await store.client.send(
    new PutCommand({
      TableName: store.tableName,
      Item: { ...item, expires_at_seconds: createdSeconds + lifetimeSeconds },
    }),
  );
}

export async function getItem<K extends Kind>(
  store: SandboxStore,
  kind: K,
  sid: string,
): Promise<Items[K] | null> {
  const { Item } = await store.client.send(
    new GetCommand({ TableName: store.tableName, Key: { sid }, ConsistentRead: true }),
  );
  return parseItem(kind, Item);
}

/** A condition on the stored item: every named attribute must have one of these values. */
export type Condition = Readonly<Record<string, readonly (string | boolean | null)[]>>;

/** Changes attributes and returns the item as it is afterwards; null when it does not exist or the condition fails. */
export async function updateItem<K extends Kind>(
  store: SandboxStore,
  kind: K,
  sid: string,
  changes: Partial<Items[K]>,
  condition: Condition = {},
): Promise<Items[K] | null> {
  const names: Record<string, string> = { '#sid': 'sid' };
  const values: Record<string, unknown> = {};
  const assignments = Object.entries(changes).map(([name, value], index) => {
    names[`#set${index}`] = name;
    values[`:set${index}`] = value;
    return `#set${index} = :set${index}`;
  });
  const conditions = Object.entries(condition).map(([name, allowed], index) => {
    names[`#if${index}`] = name;
    const places = allowed.map((value, place) => {
      values[`:if${index}_${place}`] = value;
      return `:if${index}_${place}`;
    });
    return `#if${index} IN (${places.join(', ')})`;
  });
  try {
    const { Attributes } = await store.client.send(
      new UpdateCommand({
        TableName: store.tableName,
        Key: { sid },
        UpdateExpression: `SET ${assignments.join(', ')}`,
        ConditionExpression: ['attribute_exists(#sid)', ...conditions].join(' AND '),
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
      }),
    );
    return parseItem(kind, Attributes);
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return null;
    throw error;
  }
}

export async function deleteItem(store: SandboxStore, sid: string): Promise<void> {
  await store.client.send(new DeleteCommand({ TableName: store.tableName, Key: { sid } }));
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Sid and creation time of the last item, when there are more. */
  readonly next: { readonly sid: string; readonly createdAt: string } | null;
}

/** Newest first. */
export async function recordingsOf(store: SandboxStore, callSid: string): Promise<SandboxRecording[]> {
  const recordings: SandboxRecording[] = [];
  for (;;) {
    const recording = await getItem(store, 'recording', recordingSid(callSid, recordings.length));
    if (recording === null) return recordings.reverse();
    recordings.push(recording);
  }
}

/** Newest first. `matches` filters here, because an account of a sandbox has few items. */
export async function listItems<K extends Kind>(
  store: SandboxStore,
  kind: K,
  {
    accountSid,
    after,
    limit,
    matches,
  }: {
    accountSid: string;
    after: { sid: string; createdAt: string } | null;
    limit: number;
    matches: (item: Items[K]) => boolean;
  },
): Promise<Page<Items[K]>> {
  const items: Items[K][] = [];
  const pages = paginateQuery(
    { client: store.client },
    {
      TableName: store.tableName,
      IndexName: 'created-index',
      KeyConditionExpression: 'account_sid = :account',
      FilterExpression: '#type = :type',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: { ':account': accountSid, ':type': kind },
      ScanIndexForward: false,
      ...(after === null
        ? {}
        : {
            ExclusiveStartKey: { sid: after.sid, account_sid: accountSid, created_at: after.createdAt },
          }),
    },
  );
  for await (const { Items: found = [] } of pages) {
    for (const attributes of found) {
      const item = parseItem(kind, attributes);
      if (item === null || !matches(item)) continue;
      const last = items.at(-1);
      if (items.length === limit && last !== undefined) {
        return { items, next: { sid: last.sid, createdAt: last.created_at } };
      }
      items.push(item);
    }
  }
  return { items, next: null };
}

/** How many calls the same caller made to the same number before this one. */
export async function countCallsBefore(
  store: SandboxStore,
  { account_sid, to, from, created_at }: SandboxCall,
): Promise<number> {
  let count = 0;
  const pages = paginateQuery(
    { client: store.client },
    {
      TableName: store.tableName,
      IndexName: 'created-index',
      Select: 'COUNT',
      KeyConditionExpression: 'account_sid = :account AND created_at < :created',
      FilterExpression: '#type = :type AND #to = :to AND #from = :from',
      ExpressionAttributeNames: { '#type': 'type', '#to': 'to', '#from': 'from' },
      ExpressionAttributeValues: {
        ':account': account_sid,
        ':created': created_at,
        ':type': 'call',
        ':to': to,
        ':from': from,
      },
    },
  );
  for await (const { Count = 0 } of pages) count += Count;
  return count;
}

function parseItem<K extends Kind>(kind: K, attributes: unknown): Items[K] | null {
  return parsers[kind](attributes);
}
