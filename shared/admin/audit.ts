import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import { auditEntryItem, writeAuditEntry } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** What was done; `before` and `after` are settings without secrets and without health information. */
export interface AuditAction extends Pick<AuditEntry, 'action' | 'target'> {
  readonly before?: AuditEntry['before'];
  readonly after?: AuditEntry['after'];
}

/** The audit entry of a change, to be written in the transaction that makes it. */
export function auditItem(
  table: Table,
  { caller, project }: Pick<ProjectAccess, 'caller'> & { readonly project: { readonly id: string } },
  action: AuditAction,
  now: Date = new Date(),
): TransactionItem {
  return auditEntryItem(table, toEntry(project.id, authorOf(caller), action, now));
}

/** The audit entry of what a command of the operator changes, to be written in the transaction that makes it. */
export function commandAuditItem(
  table: Table,
  projectId: string,
  action: AuditAction,
  now: Date,
): TransactionItem {
  return auditEntryItem(
    table,
    toEntry(projectId, { actor: { kind: 'command' }, request_id: null }, action, now),
  );
}

/** Writes down that a person is about to see something. Awaited before the answer: what is not written is not shown. */
export async function auditView(
  table: Table,
  { caller, project }: ProjectAccess,
  action: AuditAction,
  now: Date = new Date(),
): Promise<void> {
  await writeAuditEntry(table, toEntry(project.id, authorOf(caller), action, now));
}

type Author = Pick<AuditEntry, 'actor' | 'request_id'>;

function authorOf({ person: { subject, email }, requestId }: AdminCaller): Author {
  return { actor: { kind: 'person', subject, email }, request_id: requestId };
}

function toEntry(
  projectId: string,
  { actor, request_id }: Author,
  { action, target, before = null, after = null }: AuditAction,
  now: Date,
): AuditEntry {
  return {
    id: uuidv7(now.getTime()),
    project_id: projectId,
    at: now.toISOString(),
    actor,
    action,
    target,
    before,
    after,
    request_id,
  };
}
