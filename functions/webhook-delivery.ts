import { openQueue } from '#shared/aws/message-queue.ts';
import { linksBelow, mailAddresses } from '#shared/dashboard/links.ts';
import { openKmsEnvelope, rememberOpened } from '#shared/encryption/kms-envelope.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import { openMailer } from '#shared/mail/mailer.ts';
import { isMailKey, sendDueMail } from '#shared/mail/send-due-mail.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import { manifest } from './manifests/webhook-delivery.ts';

const env = readEnvironment(manifest.environment);
const services = {
  table: openTable(env.TABLE_NAME),
  queue: openQueue(env.DELIVERY_QUEUE_URL),
  network: openWebhookNetwork(env.WEBHOOK_LOOPBACK),
  secrets: rememberOpened(openKmsEnvelope(env.SECRETS_KEY_ID)),
  addresses: clientAddresses(env.PUBLIC_BASE_URL),
  openBudget: openResponseBudget,
  now: () => new Date(),
  random: Math.random,
};
const mail = {
  table: services.table,
  sendMail: openMailer(env.MAIL_FROM),
  addresses: mailAddresses(linksBelow(env.PUBLIC_BASE_URL)),
  now: services.now,
  random: services.random,
};

/** Sends one webhook to one endpoint and schedules a retry if it fails, or sends one email to one person. */
export const handler = queueWorker(DeliveryMessage, (message) =>
  isMailKey(message) ? sendDueMail(mail, message) : deliver(services, message),
);
