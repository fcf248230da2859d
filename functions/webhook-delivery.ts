import { SQSClient } from '@aws-sdk/client-sqs';
import { openTable } from '#shared/table/client.ts';
import { environment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { deliver } from '#shared/webhooks/deliver.ts';
import { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';

const table = openTable(environment('TABLE_NAME'));
const queue = { url: environment('DELIVERY_QUEUE_URL'), client: new SQSClient({}) };

/** Sends one webhook to one endpoint and plans the next attempt if that one fails. */
export const handler = queueWorker(DeliveryMessage, (message) => deliver(table, queue, message));
