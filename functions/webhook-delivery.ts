import { SQSClient } from '@aws-sdk/client-sqs';
import { openSecretBox, rememberOpened } from '#shared/encryption/secret-box.ts';
import { openTable } from '#shared/table/client.ts';
import { environment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';

const services = {
  table: openTable(environment('TABLE_NAME')),
  queue: { url: environment('DELIVERY_QUEUE_URL'), client: new SQSClient({}) },
  network: openWebhookNetwork(environment('WEBHOOK_LOOPBACK')),
  secrets: rememberOpened(openSecretBox(environment('SECRETS_KEY_ID'))),
  now: () => new Date(),
  random: Math.random,
};

/** Sends one webhook to one endpoint and plans the next attempt if that one fails. */
export const handler = queueWorker(DeliveryMessage, (message) => deliver(services, message));
