import type { Alert } from '#shared/domain/alert.ts';
import { may } from '#shared/domain/permissions.ts';
import { timestampAfter } from '#shared/domain/time.ts';
import { log } from '#shared/observability/log.ts';
import { getAlert, putAlertItem } from '#shared/table/alert.ts';
import type { Table } from '#shared/table/client.ts';
import { indexLagMs } from '#shared/table/indexes.ts';
import { getMember } from '#shared/table/member.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import { listTaskProgress } from '#shared/table/progress-list.ts';
import { getProject } from '#shared/table/project.ts';
import { nextDigestAt } from './digest-times.ts';
import type { Mail } from './mail.ts';
import { isDue, type MailAddresses, type MailServices, writeAsRead } from './mail-services.ts';

/** How far back a digest reads, newest first: a task of any age may end in its period. */
const lookedAt = { pages: 10, pageTasks: 1_000 };
/** Delay before a deferred digest is retried, spread out over time. */
const againAfterMs = { least: 5 * 60_000, more: 5 * 60_000 };

/** How many tasks have come to need a person. */
export interface NewNeeds {
  readonly followUp: number;
  readonly review: number;
  readonly failed: number;
  /** Tasks of any kind; one may count in several. */
  readonly tasks: number;
  /** How many tasks were checked, if the project has older ones; null if all were. */
  readonly onlyNewest: number | null;
}

/**
 * Emails a member how many tasks have come to need a person since the last digest, if one is due and there are any. Of
 * concurrent workers, the one that moves the due time sends it, so that each period has at most one email. Its tasks
 * count as reported once the email service has accepted it; otherwise the next digest reports them.
 */
export async function sendDigest(services: MailServices, key: PrimaryKey): Promise<void> {
  const { table, sendMail, addresses, now, random } = services;
  const at = now();
  const alert = await getAlert(table, key);
  if (alert === null || !isDue(alert, at)) return;
  const { project_id, email, frequency } = alert;
  const [member, project] = await Promise.all([
    getMember(table, project_id, email),
    getProject(table, project_id),
  ]);
  if (project === null || member === null || !may(member.role, 'tasks.read')) {
    await replace(table, alert, { frequency: 'off', due_at: null });
    return;
  }
  // The clock that found it due may be ahead of ours: its period is over nevertheless.
  const after = new Date(Math.max(at.getTime(), Date.parse(alert.due_at)));
  const due = nextDigestAt(frequency, project.time_zone ?? alert.time_zone, after);
  const due_at = due?.toISOString() ?? null;
  // Recent events may not be in the index yet; the next digest reports them.
  const until = new Date(at.getTime() - indexLagMs);
  const needs = await countNewNeeds(table, project_id, { after: new Date(alert.told_until), until });
  const told = { told_until: until.toISOString() };
  if (needs.tasks === 0 || sendMail === null) {
    await replace(table, alert, { due_at, ...told });
    return;
  }
  const taken = await replace(table, alert, { due_at });
  if (taken === null) return;
  const answer = await sendMail(digestMail(alert, needs, addresses));
  log('digest-mail', {
    project_id,
    outcome: answer.outcome,
    mail_id: answer.messageId,
    error_name: answer.errorName,
  });
  if (answer.outcome === 'accepted') await replace(table, taken, told);
  if (answer.outcome === 'not-now') {
    const waitMs = againAfterMs.least + random() * againAfterMs.more;
    await replace(table, taken, { due_at: timestampAfter(at, waitMs) });
  }
}

/** The updated alert; null after a concurrent change. */
async function replace(table: Table, previous: Alert, changes: Partial<Alert>): Promise<Alert | null> {
  const next = { ...previous, ...changes, version: previous.version + 1 };
  return (await writeAsRead(table, putAlertItem(table, previous, next))) ? next : null;
}

/** Reads only states and times. A finished task no longer changes. */
export async function countNewNeeds(
  table: Table,
  projectId: string,
  { after, until }: { readonly after: Date; readonly until: Date },
  { pages, pageTasks } = lookedAt,
): Promise<NewNeeds> {
  const ids = { followUp: new Set<string>(), review: new Set<string>(), failed: new Set<string>() };
  let before: string | null = null;
  let looked = 0;
  for (let page = 0; page < pages; page += 1) {
    const read = await listTaskProgress(table, projectId, { limit: pageTasks, before });
    looked += read.items.length;
    for (const { id, status, updated_at, needs_follow_up, needs_review } of read.items) {
      const time = Date.parse(updated_at);
      if (time <= after.getTime() || time > until.getTime()) continue;
      if (needs_follow_up) ids.followUp.add(id);
      if (needs_review) ids.review.add(id);
      if (status === 'FAILED') ids.failed.add(id);
    }
    before = read.next;
    if (before === null) break;
  }
  return {
    followUp: ids.followUp.size,
    review: ids.review.size,
    failed: ids.failed.size,
    tasks: new Set([...ids.followUp, ...ids.review, ...ids.failed]).size,
    onlyNewest: before === null ? null : looked,
  };
}

/** Counts and links, without any patient, task or project data. */
export function digestMail(
  { project_id, email, frequency, unsubscribe_token }: Alert,
  { followUp, review, failed, tasks, onlyNewest }: NewNeeds,
  addresses: MailAddresses,
): Mail {
  const lines = [
    ['Need follow-up', followUp, addresses.tasks(project_id, { needs: 'follow-up' })],
    ['Need review', review, addresses.tasks(project_id, { needs: 'review' })],
    ['Failed', failed, addresses.tasks(project_id, { status: 'FAILED' })],
  ] as const;
  const unsubscribe = addresses.unsubscribe(project_id, unsubscribe_token);
  return {
    to: email,
    subject: `Voice agent tasks that need attention: ${tasks}`,
    text: [
      'New since the last digest:',
      '',
      ...lines.flatMap(([label, count, address]) => (count === 0 ? [] : [`${label}: ${count}`, address, ''])),
      ...(onlyNewest === null
        ? []
        : [`Only the newest ${onlyNewest.toLocaleString('en-US')} tasks were checked.`, '']),
      `You receive this ${frequency} digest when there is something new. Change your settings:`,
      addresses.alerts(project_id),
      '',
      'Stop these emails:',
      unsubscribe,
      '',
    ].join('\n'),
    // RFC 8058: the email client sends one POST, without a sign-in.
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
