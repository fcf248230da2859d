import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { OptOut } from '#shared/domain/opt-out.ts';
import type { Table } from './client.ts';
import { queryAll } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';

function optOutKey(projectId: string, phoneNumber: string): { pk: string; sk: string } {
  return { pk: `PROJECT#${projectId}`, sk: `OPTOUT#${phoneNumber}` };
}

/** Replaces an earlier one of the same number: what was said last counts. */
export function putOptOutItem(table: Table, optOut: OptOut): TransactionItem {
  return {
    Put: {
      TableName: table.name,
      Item: { ...optOutKey(optOut.project_id, optOut.phone_number), type: 'opt-out', ...optOut },
    },
  };
}

/** Holds when the number has not opted out of the project's calls. */
export function checkNoOptOut(table: Table, projectId: string, phoneNumber: string): TransactionItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: optOutKey(projectId, phoneNumber),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getOptOut(
  table: Table,
  projectId: string,
  phoneNumber: string,
): Promise<OptOut | null> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: optOutKey(projectId, phoneNumber),
      ConsistentRead: true,
    }),
  );
  return Item === undefined ? null : OptOut.parse(Item);
}

/** All opt-outs of a project, by number. */
export async function listOptOuts(table: Table, projectId: string): Promise<OptOut[]> {
  const first = optOutKey(projectId, '');
  const items = await queryAll(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :opt_out)',
    ExpressionAttributeValues: { ':pk': first.pk, ':opt_out': first.sk },
    ConsistentRead: true,
  });
  return items.map((item) => OptOut.parse(item));
}

/** Removes the opt-out of a number; false when there is none. */
export async function deleteOptOut(table: Table, projectId: string, phoneNumber: string): Promise<boolean> {
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: optOutKey(projectId, phoneNumber),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
