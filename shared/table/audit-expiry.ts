import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { auditPartition, patientAccessItem } from './audit-log.ts';
import type { Table } from './client.ts';
import { queryPages } from './query-pages.ts';
import { expiresIn, timeToLiveAttribute } from './time-to-live.ts';

/** Pages of a project's oldest stored entries without an expiry, up to a given entry. */
export function unexpiredEntries(
  table: Table,
  projectId: string,
  { through }: { readonly through: string },
): AsyncGenerator<Record<string, unknown>[]> {
  return queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    FilterExpression: `attribute_not_exists(${timeToLiveAttribute})`,
    ExpressionAttributeValues: {
      ':pk': auditPartition(projectId),
      ':first': 'AUDIT#',
      ':last': `AUDIT#${through}`,
    },
    ConsistentRead: true,
  });
}

export interface ExpiringEntry {
  readonly stored: Readonly<Record<string, unknown>>;
  readonly entry: AuditEntry;
  readonly patientIds: readonly string[];
}

/**
 * Sets the TTL of an entry and of its copies with patients, and changes nothing else. Skips copies that are
 * gone.
 */
export async function expireAuditEntry(
  table: Table,
  { stored, entry, patientIds }: ExpiringEntry,
  now: Date,
): Promise<void> {
  const expiry = expiresIn(0, now.getTime());
  // The entry comes last, so that a retry finds what is not done.
  const copies = patientIds.map((patientId) => patientAccessItem(entry, patientId));
  for (const item of [...copies, stored]) {
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...item, ...expiry },
          ConditionExpression: 'attribute_exists(pk)',
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}
