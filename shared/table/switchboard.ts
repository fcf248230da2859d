import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CarrierName } from '#shared/domain/project.ts';
import { emptySwitchboard, Switchboard } from '#shared/domain/switchboard.ts';
import type { Table } from './client.ts';
import type { TransactionItem } from './transaction.ts';

/*
 * The lines of each project are an attribute of their own, `lines#…`, because a line must be given back without a look at
 * the rest of the item: an update of a member of a map fails for good where the map is missing, this one never does.
 */
const linesPrefix = 'lines#';
/** How many attributes of projects without a call are cleared away in one write. */
const maxCleared = 20;

function switchboardKey(carrier: CarrierName): { pk: string; sk: string } {
  return { pk: `SWITCHBOARD#${carrier}`, sk: 'SWITCHBOARD' };
}

/** Strongly consistent: the caller decides by it who gets a line. */
export async function getSwitchboard(table: Table, carrier: CarrierName): Promise<Switchboard> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: switchboardKey(carrier), ConsistentRead: true }),
  );
  if (Item === undefined) return emptySwitchboard;
  const lines = Object.entries(Item)
    .filter(([name]) => name.startsWith(linesPrefix))
    .map(([name, count]) => [name.slice(linesPrefix.length), count]);
  return Switchboard.parse({ ...emptySwitchboard, ...Item, lines: Object.fromEntries(lines) });
}

/**
 * Replaces the board if it is unchanged since `previous` was read, apart from `dispatch_due_at`, which has a write of
 * its own. Lines may only be added: they are given back with `freeLineItem`.
 */
export function replaceSwitchboardItem(
  table: Table,
  carrier: CarrierName,
  previous: Switchboard,
  next: Switchboard,
): TransactionItem {
  const taken = Object.entries(next.lines).filter(([id, count]) => count !== (previous.lines[id] ?? 0));
  const idle = Object.keys(next.lines)
    .filter((id) => next.lines[id] === 0)
    .slice(0, maxCleared);
  const names = [
    ...taken.map(([id], index) => [`#taken${index}`, `${linesPrefix}${id}`]),
    ...idle.map((id, index) => [`#idle${index}`, `${linesPrefix}${id}`]),
  ];
  const counts = taken.map(([, count], index) => [`:taken${index}`, count]);
  const settings = taken.map((_, index) => `, #taken${index} = :taken${index}`).join('');
  const removals = idle.length === 0 ? '' : ` REMOVE ${idle.map((_, index) => `#idle${index}`).join(', ')}`;
  return {
    Update: {
      TableName: table.name,
      Key: switchboardKey(carrier),
      UpdateExpression: `SET #type = :type, waiting = :waiting, next_slot_at = :slot, version = :next${settings}${removals}`,
      ConditionExpression: previous.version === 0 ? 'attribute_not_exists(version)' : 'version = :read',
      ExpressionAttributeNames: { '#type': 'type', ...Object.fromEntries(names) },
      ExpressionAttributeValues: {
        ':type': 'switchboard',
        ':waiting': next.waiting,
        ':slot': next.next_slot_at,
        ':next': previous.version + 1,
        ...(previous.version === 0 ? {} : { ':read': previous.version }),
        ...Object.fromEntries(counts),
      },
    },
  };
}

/**
 * Gives back a line of the project, however the board stands.
 *
 * @param pausedUntil when the carrier has said that it takes no call before
 */
export function freeLineItem(
  table: Table,
  carrier: CarrierName,
  projectId: string,
  pausedUntil: Date | null = null,
): TransactionItem {
  return {
    Update: {
      TableName: table.name,
      Key: switchboardKey(carrier),
      UpdateExpression: `SET #lines = if_not_exists(#lines, :one) - :one${pausedUntil === null ? '' : ', next_slot_at = :slot'} ADD version :one`,
      ExpressionAttributeNames: { '#lines': `${linesPrefix}${projectId}` },
      ExpressionAttributeValues: {
        ':one': 1,
        ...(pausedUntil === null ? {} : { ':slot': pausedUntil.toISOString() }),
      },
    },
  };
}

/** Whether the caller is to send the message that shares out lines at `dueAt`: of many who would, one is. */
export async function scheduleDispatch(
  table: Table,
  carrier: CarrierName,
  now: Date,
  dueAt: Date,
): Promise<boolean> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: switchboardKey(carrier),
        UpdateExpression: 'SET dispatch_due_at = :due_at',
        ConditionExpression: 'attribute_not_exists(dispatch_due_at) OR dispatch_due_at <= :now',
        ExpressionAttributeValues: { ':due_at': dueAt.toISOString(), ':now': now.toISOString() },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
