import { isAlertKey } from '#shared/table/alert.ts';
import { isInvitationKey } from '#shared/table/invitation.ts';
import type { MailKey, MailServices } from './mail-services.ts';
import { sendDigest } from './send-digest.ts';
import { sendInvitation } from './send-invitation.ts';

/** Whether a message of the delivery queue is about email and not about a webhook. */
export function isMailKey(key: MailKey): boolean {
  return isInvitationKey(key) || isAlertKey(key);
}

/** Sends an item's due email, if any. Messages may be duplicated, late and concurrent. */
export function sendDueMail(services: MailServices, key: MailKey): Promise<void> {
  return isInvitationKey(key) ? sendInvitation(services, key) : sendDigest(services, key);
}
