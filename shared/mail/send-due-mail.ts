import { isInvitationKey } from '#shared/table/invitation.ts';
import type { MailServices } from './mail-services.ts';
import { sendInvitation } from './send-invitation.ts';

/** Key of an item by which mail is to be sent. */
export interface MailKey {
  readonly pk: string;
  readonly sk: string;
}

/** Whether a message of the delivery queue is about mail and not about a webhook. */
export function isMailKey(key: MailKey): boolean {
  return isInvitationKey(key);
}

/** Sends the mail that is due by an item, if any is. Messages may be repeated, late and at the same time. */
export function sendDueMail(services: MailServices, key: MailKey): Promise<void> {
  return sendInvitation(services, key);
}
