import { CallCapacity, emptyCapacity } from '#shared/domain/call-capacity.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';
import { updateIf } from './transaction-items.ts';

/*
 * Each project's slots are an attribute of their own, `lines#…`, so that a slot can be released without reading the
 * item: an update of a map member would fail if the map is missing.
 */
const slotsPrefix = 'lines#';
/** How many attributes of projects without calls one write cleans up. */
const maxCleared = 20;

function callCapacityKey(carrier: CarrierName): PrimaryKey {
  return { pk: `SWITCHBOARD#${carrier}`, sk: 'SWITCHBOARD' };
}

/** Strongly consistent: the caller decides by it who gets a slot. */
export async function getCallCapacity(table: Table, carrier: CarrierName): Promise<CallCapacity> {
  return (await getItem(table, callCapacityKey(carrier), toCallCapacity)) ?? emptyCapacity;
}

function toCallCapacity(item: Record<string, unknown>): CallCapacity {
  const slots = Object.entries(item)
    .filter(([name]) => name.startsWith(slotsPrefix))
    .map(([name, count]) => [name.slice(slotsPrefix.length), count]);
  return CallCapacity.parse({ ...emptyCapacity, ...item, slots: Object.fromEntries(slots) });
}

/**
 * Replaces the call capacity if it is unchanged since `previous` was read, apart from `dispatch_due_at`, which has a
 * write of its own. May only add slots: `releaseSlotItem` releases them.
 */
export function replaceCallCapacityItem(
  table: Table,
  carrier: CarrierName,
  previous: CallCapacity,
  next: CallCapacity,
): TransactionItem {
  const taken = Object.entries(next.slots).filter(([id, count]) => count !== (previous.slots[id] ?? 0));
  const idle = Object.keys(next.slots)
    .filter((id) => next.slots[id] === 0)
    .slice(0, maxCleared);
  const names = [
    ...taken.map(([id], index) => [`#taken${index}`, `${slotsPrefix}${id}`]),
    ...idle.map((id, index) => [`#idle${index}`, `${slotsPrefix}${id}`]),
  ];
  const counts = taken.map(([, count], index) => [`:taken${index}`, count]);
  const settings = taken.map((_, index) => `, #taken${index} = :taken${index}`).join('');
  const removals = idle.length === 0 ? '' : ` REMOVE ${idle.map((_, index) => `#idle${index}`).join(', ')}`;
  return {
    Update: {
      TableName: table.name,
      Key: callCapacityKey(carrier),
      UpdateExpression:
        'SET #type = :type, waiting = :waiting, next_slot_at = :slot, ' +
        `version = :next${settings}${removals}`,
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
 * Releases a slot of the project, whatever the state of the call capacity.
 *
 * @param pausedUntil when the carrier takes calls again, if it has said so
 */
export function releaseSlotItem(
  table: Table,
  carrier: CarrierName,
  projectId: string,
  pausedUntil: Date | null = null,
): TransactionItem {
  const pause = pausedUntil === null ? '' : ', next_slot_at = :slot';
  return {
    Update: {
      TableName: table.name,
      Key: callCapacityKey(carrier),
      UpdateExpression: `SET #lines = if_not_exists(#lines, :one) - :one${pause} ADD version :one`,
      ExpressionAttributeNames: { '#lines': `${slotsPrefix}${projectId}` },
      ExpressionAttributeValues: {
        ':one': 1,
        ...(pausedUntil === null ? {} : { ':slot': pausedUntil.toISOString() }),
      },
    },
  };
}

/**
 * Whether the caller should send the message that allocates slots at `dueAt`: true for one of many concurrent callers.
 */
export function scheduleDispatch(
  table: Table,
  carrier: CarrierName,
  now: Date,
  dueAt: Date,
): Promise<boolean> {
  return isDueToDispatch(table, callCapacityKey(carrier), now, dueAt);
}

/** As `scheduleDispatch`, for any item with slots. */
export async function isDueToDispatch(
  table: Table,
  key: PrimaryKey,
  now: Date,
  dueAt: Date,
): Promise<boolean> {
  return updateIf(table, key, {
    change: 'SET dispatch_due_at = :due_at',
    condition: 'attribute_not_exists(dispatch_due_at) OR dispatch_due_at <= :now',
    values: { due_at: dueAt.toISOString(), now: now.toISOString() },
  });
}
