import { SQSClient } from '@aws-sdk/client-sqs';
import { sweepDue } from '#shared/calls/sweep-due.ts';
import { openTable } from '#shared/table/client.ts';
import { environment } from '#shared/triggers/environment.ts';
import { scheduledJob } from '#shared/triggers/schedule.ts';

const client = new SQSClient({});
const services = {
  table: openTable(environment('TABLE_NAME')),
  callQueue: { url: environment('CALL_QUEUE_URL'), client },
  deliveryQueue: { url: environment('DELIVERY_QUEUE_URL'), client },
};

/** Finds tasks, calls and webhook deliveries whose time has come and hands them to their workers. */
export const handler = scheduledJob(({ at }) => sweepDue(services, at));
