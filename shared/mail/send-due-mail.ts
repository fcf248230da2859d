import { isAlertKey } from '#shared/table/alert.ts';
import { isInvitationKey } from '#shared/table/invitation.ts';
import type { PrimaryKey } from '#shared/table/primary-key.ts';
import type { MailServices } from './mail-services.ts';
import { sendDigest } from './send-digest.ts';
import { sendInvitation } from './send-invitation.ts';

/** Whether a message of the delivery queue is about email and not about a webhook. */
export function isMailKey(key: PrimaryKey): boolean {
  return isInvitationKey(key) || isAlertKey(key);
}

/** Sends an item's due email, if any. Messages may be duplicated, late and concurrent. */
export function sendDueMail(services: MailServices, key: PrimaryKey): Promise<void> {
  return isInvitationKey(key) ? sendInvitation(services, key) : sendDigest(services, key);
}
