import { randomBytes } from 'node:crypto';
import { type Invitation, invitationDays } from '#shared/domain/invitation.ts';
import type { Project } from '#shared/domain/project.ts';
import { dayMs, minuteMs, timestampAfter } from '#shared/domain/time.ts';
import { hashOfToken } from '#shared/domain/token-hash.ts';
import { log } from '#shared/observability/log.ts';
import { getInvitationByKey, putInvitationItem } from '#shared/table/invitation.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import { getProject } from '#shared/table/project.ts';
import type { Mail, MailAnswer } from './mail.ts';
import { isDue, type MailServices, writeAsRead } from './mail-services.ts';

/** When to retry without a response, or after the worker died. */
const againAfterMs = 5 * minuteMs;

/**
 * Emails the link of an invitation, if due. The token exists only in the email; each try creates a new one, and the
 * newest works. An invitation is sent at least once: one with unknown outcome is sent again.
 */
export async function sendInvitation(services: MailServices, key: PrimaryKey): Promise<void> {
  const { table, sendMail, addresses, now } = services;
  const at = now();
  const invitation = await getInvitationByKey(table, key);
  if (invitation === null || !isDue(invitation, at)) return;
  const project = await getProject(table, invitation.project_id);
  const isTooLate = at.getTime() - Date.parse(invitation.created_at) > dayMs;
  if (sendMail === null || project === null || isTooLate) {
    await replace(services, invitation, { state: 'failed', token_hash: null, due_at: null });
    return;
  }
  const token = randomBytes(32).toString('base64url');
  const taken = await replace(services, invitation, {
    token_hash: hashOfToken(token),
    expires_at: timestampAfter(at, invitationDays * dayMs),
    due_at: timestampAfter(at, againAfterMs),
  });
  // Another worker has taken it, or it was revoked.
  if (taken === null) return;
  const answer = await sendMail(invitationMail(taken, project, addresses.join(project.id, token)));
  log('invitation-mail', {
    project_id: project.id,
    outcome: answer.outcome,
    mail_id: answer.messageId,
    error_name: answer.errorName,
  });
  const next = afterwards(answer);
  if (next !== null) await replace(services, taken, next);
}

/** Null while it stays due. */
function afterwards({ outcome }: MailAnswer): Partial<Invitation> | null {
  switch (outcome) {
    case 'accepted':
      return { state: 'sent', due_at: null };
    case 'refused':
      return { state: 'failed', token_hash: null, due_at: null };
    default:
      return null;
  }
}

/** The updated invitation; null after a concurrent change. */
async function replace(
  { table }: MailServices,
  previous: Invitation,
  changes: Partial<Invitation>,
): Promise<Invitation | null> {
  const next = { ...previous, ...changes, version: previous.version + 1 };
  return (await writeAsRead(table, putInvitationItem(table, previous, next))) ? next : null;
}

export function invitationMail(
  { email, role, invited_by, expires_at }: Invitation,
  { name }: Pick<Project, 'name'>,
  link: string,
): Mail {
  const expires = new Date(expires_at).toLocaleString('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return {
    to: email,
    subject: 'Invitation to Voice agent tasks',
    text: [
      `${invited_by} has invited you to the project “${name}” on Voice agent tasks. Role: ${role}.`,
      '',
      'Join the project:',
      link,
      '',
      `Sign in with ${email}. The link works once, for you only, until ${expires} UTC.`,
      'If you did not expect this invitation, you can ignore it.',
      '',
    ].join('\n'),
  };
}
