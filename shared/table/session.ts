import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { EmailAddress, Person } from '#shared/domain/person.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { createItem } from './create-item.ts';
import { deleteItem } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryAll } from './query-pages.ts';
import { ExpiresAtSeconds } from './time-to-live.ts';
import { updateIf } from './transaction-items.ts';

/** A dashboard session. The cookie's content is stored only as its hash, in the key. */
export const StoredSession = z.object({
  /** Identifies the session in the audit log; gives no access. */
  id: Uuid,
  person: Person,
  started_at: Timestamp,
  /** When the person was last active, to the minute. */
  seen_at: Timestamp,
  expires_at_seconds: ExpiresAtSeconds,
});
export type StoredSession = z.infer<typeof StoredSession>;

function sessionKey(cookieHash: string): PrimaryKey {
  return { pk: `SESSION#${cookieHash}`, sk: 'SESSION' };
}

function sessionsPartition(email: string): string {
  return `PERSON#${email}#SESSION`;
}

export async function putSession(table: Table, cookieHash: string, session: StoredSession): Promise<void> {
  await createItem(table, {
    ...sessionKey(cookieHash),
    type: 'session',
    project_pk: sessionsPartition(session.person.email),
    project_sk: session.id,
    ...session,
  });
}

/** Strongly consistent, so that ending a session takes effect at once. */
export async function getSession(table: Table, cookieHash: string): Promise<StoredSession | null> {
  return getItem(table, sessionKey(cookieHash), StoredSession.parse);
}

/** Records activity; false if the session has ended meanwhile. */
export async function touchSession(table: Table, cookieHash: string, seenAt: string): Promise<boolean> {
  return updateIf(table, sessionKey(cookieHash), {
    change: 'SET seen_at = :at',
    condition: 'attribute_exists(pk)',
    values: { at: seenAt },
  });
}

export async function deleteSession(table: Table, cookieHash: string): Promise<void> {
  await deleteItem(table, sessionKey(cookieHash));
}

/**
 * Ends all sessions of a person; returns their number. Eventually consistent: it may miss a new one, so it only
 * supplements the checks of every request, such as project membership.
 */
export async function deleteSessionsOf(table: Table, email: string): Promise<number> {
  const keys = await queryAll(table, {
    IndexName: indexNames.rows,
    KeyConditionExpression: 'project_pk = :person',
    ExpressionAttributeValues: { ':person': sessionsPartition(EmailAddress.parse(email)) },
    ProjectionExpression: 'pk, sk',
  });
  await Promise.all(keys.map(({ pk, sk }) => deleteItem(table, { pk: String(pk), sk: String(sk) })));
  return keys.length;
}
