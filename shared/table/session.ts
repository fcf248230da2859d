import * as z from 'zod/mini';
import { Uuid } from '#shared/domain/identifiers.ts';
import { EmailAddress, Person } from '#shared/domain/person.ts';
import { Timestamp } from '#shared/domain/values.ts';
import type { Table } from './client.ts';
import { createItem } from './create-item.ts';
import { deleteItem } from './delete-items.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import { queryAll } from './query-pages.ts';
import { ExpiresAtSeconds } from './time-to-live.ts';
import { updateIf } from './transaction-items.ts';

/** Somebody's session at the dashboard. What their cookie holds is stored only as its hash, in the key. */
export const StoredSession = z.object({
  /** By which the audit log names the session; nobody gets in with it. */
  id: Uuid,
  person: Person,
  started_at: Timestamp,
  /** When the person last did something, to the minute. */
  seen_at: Timestamp,
  expires_at_seconds: ExpiresAtSeconds,
});
export type StoredSession = z.infer<typeof StoredSession>;

function sessionKey(cookieHash: string): { pk: string; sk: string } {
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

/** Strongly consistent: a session that was ended is over at once. */
export async function getSession(table: Table, cookieHash: string): Promise<StoredSession | null> {
  return getItem(table, sessionKey(cookieHash), StoredSession.parse);
}

/** Writes down that the person did something; false when the session was ended meanwhile. */
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
 * Ends all sessions of a person; gives their number. Eventually consistent: one that began a moment ago may
 * be missed, so this only adds to what is checked at every request, such as the membership in a project.
 */
export async function deleteSessionsOf(table: Table, email: string): Promise<number> {
  const keys = await queryAll(table, {
    IndexName: indexNames.project,
    KeyConditionExpression: 'project_pk = :person',
    ExpressionAttributeValues: { ':person': sessionsPartition(EmailAddress.parse(email)) },
    ProjectionExpression: 'pk, sk',
  });
  await Promise.all(keys.map(({ pk, sk }) => deleteItem(table, { pk: String(pk), sk: String(sk) })));
  return keys.length;
}
