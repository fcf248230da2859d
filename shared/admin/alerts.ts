import { randomBytes } from 'node:crypto';
import { type AuditAction, toEntry } from '#shared/audit/access-entry.ts';
import type { Alert, AlertFrequency } from '#shared/domain/alert.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import type { RequestOrigin } from '#shared/domain/request-origin.ts';
import { nextDigestAt } from '#shared/mail/digest-times.ts';
import { alertKey, getAlert, listAlerts, putAlertItem } from '#shared/table/alert.ts';
import { auditEntryItem } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** How often the caller receives alerts by email about the project. */
export async function readAlertFrequency(
  table: Table,
  { project, caller }: ProjectAccess,
): Promise<AlertFrequency> {
  const key = alertKey({ project_id: project.id, email: caller.person.email });
  return (await getAlert(table, key))?.frequency ?? 'off';
}

/**
 * Sets how often the caller is emailed. Newly enabled alerts cover only what happens from now on.
 *
 * @param timeZone of a daily digest's morning, unless the project has one
 */
export function setAlertFrequency(
  table: Table,
  access: ProjectAccess,
  { frequency, timeZone }: { readonly frequency: AlertFrequency; readonly timeZone: string },
  now: Date = new Date(),
): Promise<void> {
  const { project, caller } = access;
  const { email } = caller.person;
  return retryOnConflict(async () => {
    const previous = await getAlert(table, alertKey({ project_id: project.id, email }));
    if ((previous?.frequency ?? 'off') === frequency && (previous?.time_zone ?? timeZone) === timeZone)
      return;
    const wasOff = previous === null || previous.frequency === 'off';
    const due = nextDigestAt(frequency, project.time_zone ?? timeZone, now);
    const next: Alert = {
      project_id: project.id,
      email,
      frequency,
      time_zone: timeZone,
      told_until: wasOff ? now.toISOString() : previous.told_until,
      unsubscribe_token: previous?.unsubscribe_token ?? randomBytes(32).toString('base64url'),
      due_at: due?.toISOString() ?? null,
      version: (previous?.version ?? 0) + 1,
    };
    await writeTransaction(table, [
      putAlertItem(table, previous, next),
      auditItem(table, access, alertsChanged(previous, next), now),
    ]);
  });
}

/**
 * Unsubscribes by the token in an email, without a sign-in; idempotent. Throws `not_found` for an unknown token.
 *
 * @param origin of the request, which has no signed-in user
 */
export async function unsubscribe(
  table: Table,
  projectId: string,
  token: string,
  { origin, now = new Date() }: { readonly origin: RequestOrigin; readonly now?: Date | undefined },
): Promise<void> {
  const id = Uuid.safeParse(projectId);
  await retryOnConflict(async () => {
    const alerts = id.success ? await listAlerts(table, id.data) : [];
    const alert = alerts.find(({ unsubscribe_token }) => unsubscribe_token === token);
    if (alert === undefined) throw new ServiceError('not_found', 'Not found');
    if (alert.frequency === 'off') return;
    const next: Alert = { ...alert, frequency: 'off', due_at: null, version: alert.version + 1 };
    const doer = { actor: { kind: 'service', function: 'dashboard' }, origin } as const;
    await writeTransaction(table, [
      putAlertItem(table, alert, next),
      auditEntryItem(table, toEntry(doer, alert.project_id, byLink(alertsChanged(alert, next)), now)),
    ]);
  });
}

function byLink(action: AuditAction): AuditAction {
  return { ...action, after: { ...action.after, by_email_link: true } };
}

/** Recipient and frequency. */
function alertsChanged(previous: Alert | null, { email, frequency, time_zone }: Alert): AuditAction {
  return {
    action: 'alerts.changed',
    target: { type: 'member', id: email },
    before: { frequency: previous?.frequency ?? 'off', time_zone: previous?.time_zone ?? null },
    after: { frequency, time_zone },
  };
}
