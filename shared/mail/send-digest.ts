import type { Alert } from '#shared/domain/alert.ts';
import { may } from '#shared/domain/permissions.ts';
import { log } from '#shared/observability/log.ts';
import { getAlert, putAlertItem } from '#shared/table/alert.ts';
import type { Table } from '#shared/table/client.ts';
import { indexLagMs } from '#shared/table/indexes.ts';
import { getMember } from '#shared/table/member.ts';
import { listTaskProgress } from '#shared/table/progress-list.ts';
import { getProject } from '#shared/table/project.ts';
import { nextDigestAt } from './digest-times.ts';
import type { Mail } from './mail.ts';
import { isDue, type MailAddresses, type MailKey, type MailServices, writeAsRead } from './mail-services.ts';

/** Tasks looked at, the newest; a busy project's digest costs no more than its overview. */
const tasksAtMost = 1_000;
/** When a digest that the mail service did not take now is tried again: not all of them at the same moment. */
const againAfterMs = { least: 5 * 60_000, more: 5 * 60_000 };

/** How many tasks have come to need a person. */
export interface NewNeeds {
  readonly followUp: number;
  readonly review: number;
  readonly failed: number;
  /** Those of any kind; one may be of several. */
  readonly tasks: number;
}

/**
 * Mails a member how many tasks have come to need a person since the last digest, if one is due and there are any.
 * Of several workers the one sends it that moves the due time, so that each period has one mail at most. What it
 * tells counts as told once the mail service has taken it, and else is told by the next.
 */
export async function sendDigest(services: MailServices, key: MailKey): Promise<void> {
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
  // The clock that found it due may be ahead of ours: its period is over all the same.
  const after = new Date(Math.max(at.getTime(), Date.parse(alert.due_at)));
  const due = nextDigestAt(frequency, project.time_zone ?? alert.time_zone, after);
  const due_at = due?.toISOString() ?? null;
  // What has just happened may not be in the index yet; the next digest tells it.
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
    await replace(table, taken, { due_at: new Date(at.getTime() + waitMs).toISOString() });
  }
}

/** The alert as it is then; null when it was changed by others. */
async function replace(table: Table, previous: Alert, changes: Partial<Alert>): Promise<Alert | null> {
  const next = { ...previous, ...changes, version: previous.version + 1 };
  return (await writeAsRead(table, putAlertItem(table, previous, next))) ? next : null;
}

/** Only states and times are read of the tasks. A task that is over changes its time no more. */
export async function countNewNeeds(
  table: Table,
  projectId: string,
  { after, until }: { readonly after: Date; readonly until: Date },
): Promise<NewNeeds> {
  const page = { limit: tasksAtMost, before: null };
  const { items } = await listTaskProgress(table, projectId, page, 'without-numbers');
  const ended = items.filter(({ updated_at }) => {
    const time = Date.parse(updated_at);
    return time > after.getTime() && time <= until.getTime();
  });
  const followUp = ended.filter(({ needs_follow_up }) => needs_follow_up);
  const review = ended.filter(({ needs_review }) => needs_review);
  const failed = ended.filter(({ status }) => status === 'FAILED');
  return {
    followUp: followUp.length,
    review: review.length,
    failed: failed.length,
    tasks: new Set([...followUp, ...review, ...failed].map(({ id }) => id)).size,
  };
}

/** Counts and links, and nothing of any patient, task or project. */
export function digestMail(
  { project_id, email, frequency, unsubscribe_token }: Alert,
  { followUp, review, failed, tasks }: NewNeeds,
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
    subject: `Voice agent tasks to look at: ${tasks}`,
    text: [
      'New since the last digest:',
      '',
      ...lines.flatMap(([label, count, address]) => (count === 0 ? [] : [`${label}: ${count}`, address, ''])),
      `You get this ${frequency} digest when there is something new. Change that:`,
      addresses.alerts(project_id),
      '',
      'Stop these emails:',
      unsubscribe,
      '',
    ].join('\n'),
    // RFC 8058: the mail program sends one POST, without a sign-in.
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
