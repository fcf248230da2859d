import {
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { announceAgain } from '../shared/sweeping/announce-again.ts';
import { openTable } from '../shared/table/client.ts';
import { projectIds } from '../shared/table/project.ts';
import { given, givenId, runCommand, UsageError } from './command.ts';

const help = `Recovers what was lost during an outage.

  npm run redrive -- --table NAME --delivery-queue URL --since TIME [--project ID]
  npm run redrive -- --dead-letters URL --to URL

The first publishes missed events of tasks and calls since then, and records their usage: use it after dead letters of
webhook-fanout, or a stalled stream. It sends no event to an endpoint twice.
The second moves dead letters back to the queue they come from. Fix what made them fail first.

  --table NAME           the service's table (output TableName of the stack)
  --delivery-queue URL   output DeliveryQueueUrl
  --since TIME           such as 2026-11-20T00:00:00Z, at most 29 days ago
  --project ID           this project only
  --dead-letters URL     an output ending in DeadLetterQueueUrl, except CompletionDeadLetterQueueUrl
  --to URL               the queue of that name
  --help                 this text

Region, credentials and endpoints come from the environment, as for the AWS command line.
Prints JSON with a count: announced or moved.`;

/** Deliveries are kept for 30 days: an older event would be delivered again. */
const longestAgoMs = 29 * 24 * 60 * 60 * 1000;

function readTime(text: string, now: Date): Date {
  const since = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(since.getTime())) {
    throw new UsageError('--since must be a time such as 2026-11-20T00:00:00Z');
  }
  if (now.getTime() - since.getTime() > longestAgoMs || since > now) {
    throw new UsageError('--since must be within the last 29 days');
  }
  return since;
}

async function announce(
  client: SQSClient,
  values: { table?: string; 'delivery-queue'?: string; since?: string; project?: string },
): Promise<object> {
  const now = new Date();
  const table = openTable(given('--table', values.table));
  const queue = { url: given('--delivery-queue', values['delivery-queue']), client };
  const since = readTime(given('--since', values.since), now);
  let announced = 0;
  const pages = values.project === undefined ? projectIds(table) : [[givenId('--project', values.project)]];
  for await (const ids of pages) {
    for (const projectId of ids) announced += await announceAgain(table, queue, { projectId, since, now });
  }
  return { announced };
}

/** Moves one at a time; a message that could not be sent stays where it is. */
async function move(client: SQSClient, from: string, to: string): Promise<object> {
  for (let moved = 0; ; ) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: from, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    if (Messages.length === 0) return { moved };
    for (const message of Messages) await moveOne(client, from, to, message);
    moved += Messages.length;
  }
}

async function moveOne(client: SQSClient, from: string, to: string, message: Message): Promise<void> {
  await client.send(new SendMessageCommand({ QueueUrl: to, MessageBody: message.Body }));
  await client.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle: message.ReceiptHandle }));
}

const options = {
  table: { type: 'string' },
  'delivery-queue': { type: 'string' },
  since: { type: 'string' },
  project: { type: 'string' },
  'dead-letters': { type: 'string' },
  to: { type: 'string' },
} as const;

await runCommand('redrive', 'Not everything was redriven', { help, options }, async (values) => {
  const client = new SQSClient({});
  const result =
    values['dead-letters'] === undefined
      ? await announce(client, values)
      : await move(client, values['dead-letters'], given('--to', values.to));
  return JSON.stringify(result, null, 2);
});
