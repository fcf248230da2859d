import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Patient } from '#shared/domain/patient.ts';
import { Task } from '#shared/domain/task.ts';
import { isSealed } from '#shared/encryption/seal.ts';
import { callItem, callItemPages, callStateFromItem } from './call.ts';
import type { Table } from './client.ts';
import { conditionHeld } from './condition-held.ts';
import {
  conversationFromItem,
  conversationItem,
  conversationPartition,
  TurnItem,
  turnItem,
} from './conversation.ts';
import { conversationPlanKey } from './conversation-plan.ts';
import { getItem } from './get-item.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { unpack } from './packed.ts';
import { sealPatient } from './patient.ts';
import { PrimaryKey } from './primary-key.ts';
import { queryPages } from './query-pages.ts';
import { taskDetails, taskItem } from './task.ts';
import { detailsAttribute, sealPacked, ToSeal } from './to-seal.ts';
import { wholeItems } from './whole-items.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * A project's items with health information, as stored, a page at a time. Leaves out what expires within
 * 30 days, such as rows of imports.
 */
export async function* itemsToSeal(table: Table, projectId: string): AsyncGenerator<Item[]> {
  const stored = { ...table, client: table.stored };
  for (const type of ['PATIENT', 'TASK'] as const) {
    for (const partition of projectPartitions(projectId, type)) {
      const pages = queryPages(stored, {
        IndexName: indexNames.rows,
        KeyConditionExpression: 'project_pk = :pk',
        ExpressionAttributeValues: { ':pk': partition },
        ProjectionExpression: 'pk, sk, project_sk',
      });
      for await (const rows of pages) {
        yield await wholeItems(stored, rows);
        if (type !== 'TASK') continue;
        for (const { project_sk: id } of rows) yield* itemsOfCalls(stored, String(id));
      }
    }
  }
}

async function* itemsOfCalls(stored: Table, taskId: string): AsyncGenerator<Item[]> {
  for await (const items of callItemPages(stored, taskId)) {
    yield items;
    for (const { type, call_pk: id } of items) {
      if (type === 'call') yield* conversationItems(stored, String(id));
    }
  }
}

async function* conversationItems(stored: Table, callId: string): AsyncGenerator<Item[]> {
  for (const pk of [conversationPartition(callId), conversationPlanKey(callId).pk]) {
    yield* queryPages(stored, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    });
  }
}

/**
 * Seals an item as if written now, and changes nothing else. Returns whether it needed sealing.
 *
 * @param isDry checks without writing
 */
export async function sealStoredItem(
  table: Table,
  projectId: string,
  item: Item,
  { isDry }: { readonly isDry: boolean },
): Promise<boolean> {
  const stored = { ...table, client: table.stored };
  for (let current: Item | null = item; current !== null; ) {
    const change = changeOf(projectId, current);
    if (change === null) return false;
    if (isDry || (await writeChange(table, current, change))) return true;
    current = await getItem<Item>(stored, PrimaryKey.parse(current), (read) => read);
  }
  return false;
}

interface Change {
  /** Attributes, with what to seal of them. */
  readonly set: Item;
  /** Attributes now sealed together. */
  readonly removed: readonly string[];
}

/** Null for an item that is sealed or has nothing to seal. */
function changeOf(projectId: string, stored: Item): Change | null {
  if (Object.values(stored).some(isSealed)) return null;
  // As this version stores the items of projects without a key.
  const { [detailsAttribute]: details, ...rest } = stored;
  const item = { ...rest, ...Object(details) };
  const { attributes, replaced } = asWrittenNow(projectId, item);
  const set = Object.fromEntries(Object.entries(attributes).filter(([, value]) => hasToSeal(value)));
  if (Object.keys(set).length === 0) return null;
  return { set, removed: replaced.filter((name) => name in stored && !(name in set)) };
}

interface Written {
  readonly attributes: Item;
  readonly replaced: readonly string[];
}

function asWrittenNow(projectId: string, item: Item): Written {
  switch (item.type) {
    case 'patient': {
      const patient = Patient.parse(item);
      const attributes = sealPatient(patient);
      return { attributes, replaced: Object.keys(patient).filter((name) => !(name in attributes)) };
    }
    case 'task':
      return { attributes: taskItem(Task.parse(item)), replaced: taskDetails };
    case 'call':
      return { attributes: callItem(callStateFromItem(item)), replaced: [] };
    case 'turn':
      return { attributes: turnItem(projectId, TurnItem.parse(item)), replaced: [] };
    case 'conversation': {
      const attributes = conversationItem(conversationFromItem(item));
      return { attributes, replaced: Object.keys(item).filter((name) => !(name in attributes)) };
    }
    case 'conversation-plan':
      return { attributes: { plan: sealPacked(projectId, 'plan', unpack(item.plan)) }, replaced: [] };
    default:
      return { attributes: {}, replaced: [] };
  }
}

function hasToSeal(value: unknown): boolean {
  if (value instanceof ToSeal) return true;
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((one) => one instanceof ToSeal)
  );
}

/** False when one of these attributes changed after it was read. */
async function writeChange(table: Table, stored: Item, { set, removed }: Change): Promise<boolean> {
  const names = [...Object.keys(set), ...removed];
  const place = (name: string): number => names.indexOf(name);
  const unchanged = names.map((name) =>
    name in stored ? `#${place(name)} = :old${place(name)}` : `attribute_not_exists(#${place(name)})`,
  );
  const { pk, sk } = stored;
  return conditionHeld(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { pk, sk },
        UpdateExpression: [
          `SET ${Object.keys(set)
            .map((name) => `#${place(name)} = :${place(name)}`)
            .join(', ')}`,
          ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((name) => `#${place(name)}`).join(', ')}`]),
        ].join(' '),
        ConditionExpression: ['attribute_exists(pk)', ...unchanged].join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${place(name)}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${place(name)}`, value])),
          ...Object.fromEntries(
            names.filter((name) => name in stored).map((name) => [`:old${place(name)}`, stored[name]]),
          ),
        },
      }),
    ),
  );
}
