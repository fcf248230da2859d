import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './client.ts';
import { conditionHeld } from './condition-held.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';

type Attributes = Readonly<Record<string, unknown>>;

/** The condition of a write. `#status` is the attribute `status`, `:status` the value named `status`. */
export interface Condition {
  readonly expression: string;
  readonly values: Attributes;
}

export function when(expression: string, values: Attributes = {}): Condition {
  return { expression, values };
}

/** Requires that no item has the key. */
export const isNew = when('attribute_not_exists(pk)');

/** Requires that an item is unchanged since it was read, by the time of its last change; null for none. */
export function asRead(read: { readonly updated_at: string } | null): Condition {
  return read === null ? isNew : when('updated_at = :updated_at', { updated_at: read.updated_at });
}

/** Requires that an item has the version that was read; null for none. */
export function isVersion(read: { readonly version: number } | null): Condition {
  return read === null ? isNew : when('#version = :version', { version: read.version });
}

/** Replaces the item with the same key. */
export function itemPut(table: Table, item: Attributes, condition?: Condition): TransactionItem {
  return { Put: { TableName: table.name, Item: item, ...(condition && conditionOf(condition)) } };
}

export function itemDelete(table: Table, { pk, sk }: PrimaryKey, condition?: Condition): TransactionItem {
  return { Delete: { TableName: table.name, Key: { pk, sk }, ...(condition && conditionOf(condition)) } };
}

export function itemCheck(table: Table, { pk, sk }: PrimaryKey, condition: Condition): TransactionItem {
  return { ConditionCheck: { TableName: table.name, Key: { pk, sk }, ...conditionOf(condition) } };
}

/** A change of attributes and its condition, in the same notation. */
export interface Change {
  readonly change: string;
  readonly condition?: string;
  readonly values: Attributes;
}

export function itemUpdate(table: Table, key: PrimaryKey, change: Change): TransactionItem {
  return { Update: updateOf(table, key, change) };
}

/** Changes an item at once. Returns whether the condition held; otherwise nothing was changed. */
export function updateIf(table: Table, key: PrimaryKey, change: Change): Promise<boolean> {
  return conditionHeld(table.client.send(new UpdateCommand(updateOf(table, key, change))));
}

function updateOf(table: Table, { pk, sk }: PrimaryKey, { change, condition, values }: Change) {
  return {
    TableName: table.name,
    Key: { pk, sk },
    UpdateExpression: change,
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ...placeholders(`${change} ${condition ?? ''}`, values),
  };
}

function conditionOf({ expression, values }: Condition) {
  return { ConditionExpression: expression, ...placeholders(expression, values) };
}

function placeholders(expression: string, values: Attributes) {
  const names = expression.match(/#\w+/g) ?? [];
  return {
    ...(names.length === 0
      ? {}
      : { ExpressionAttributeNames: Object.fromEntries(names.map((name) => [name, name.slice(1)])) }),
    ...(Object.keys(values).length === 0
      ? {}
      : {
          ExpressionAttributeValues: Object.fromEntries(
            Object.entries(values).map(([name, value]) => [`:${name}`, value]),
          ),
        }),
  };
}
