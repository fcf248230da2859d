import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { bucketAuditCopies } from '../shared/audit/audit-copies.ts';
import { keepMissed } from '../shared/audit/keep-missed.ts';
import { announceAgain } from '../shared/sweeping/announce-again.ts';
import { openTable, type Table } from '../shared/table/client.ts';
import { projectIds } from '../shared/table/project.ts';
import { given, givenId, runCommand, UsageError, type Values } from './command.ts';

const help = `Recovers what was lost during an outage.

  npm run redrive -- --table NAME --delivery-queue URL --since TIME [--project ID]
  npm run redrive -- --table NAME --audit-bucket NAME --since TIME [--project ID]
  npm run redrive -- --dead-letters URL --to URL

The first publishes missed events of tasks and calls since then, and records their usage: use it after dead letters of
webhook-fanout, or a stalled stream. It sends no event to an endpoint twice.
The second seals audit entries since then that were never sealed, and files them under the patients they concern: use it
after dead letters of audit-keeper, or a stalled stream. npm run verify-audit lists these entries; look at them first.
The third moves dead letters back to the queue they come from. Fix what made them fail first.

  --table NAME           the service's table (output TableName of the stack)
  --delivery-queue URL   output DeliveryQueueUrl
  --audit-bucket NAME    output AuditBucketName
  --since TIME           such as 2026-11-20T00:00:00Z; for events at most 29 days ago
  --project ID           this project only
  --dead-letters URL     an output ending in DeadLetterQueueUrl, except two that the above recover:
                         CompletionDeadLetterQueueUrl (webhook-fanout), AuditDeadLetterQueueUrl (audit-keeper)
  --to URL               the queue of that name, which it must be
  --help                 this text

Region, credentials and endpoints come from the environment, as for the AWS command line.
Prints JSON with a count: announced, kept or moved.`;

/** Deliveries are kept for 30 days: an older event would be delivered again. */
const longestAgoMs = 29 * 24 * 60 * 60 * 1000;

function readTime(text: string): Date {
  const since = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(since.getTime())) {
    throw new UsageError('--since must be a time such as 2026-11-20T00:00:00Z');
  }
  return since;
}

interface Period {
  readonly table?: string;
  readonly since?: string;
  readonly project?: string;
}

/** Does the work for each project, or the given one, and returns the sum of what it counts. */
async function inEachProject(
  table: Table,
  { project }: Period,
  work: (projectId: string) => Promise<number>,
): Promise<number> {
  let count = 0;
  for await (const ids of project === undefined ? projectIds(table) : [[givenId('--project', project)]]) {
    for (const projectId of ids) count += await work(projectId);
  }
  return count;
}

async function announce(
  client: SQSClient,
  { 'delivery-queue': url, ...period }: Period & { 'delivery-queue'?: string },
): Promise<object> {
  const now = new Date();
  const table = openTable(given('--table', period.table));
  const queue = { url: given('--delivery-queue', url), client };
  const since = readTime(given('--since', period.since));
  if (now.getTime() - since.getTime() > longestAgoMs || since > now) {
    throw new UsageError('--since must be within the last 29 days');
  }
  const announced = await inEachProject(table, period, (projectId) =>
    announceAgain(table, queue, { projectId, since, now }),
  );
  return { announced };
}

async function keep({
  'audit-bucket': name,
  ...period
}: Period & { 'audit-bucket'?: string }): Promise<object> {
  const bucket = given('--audit-bucket', name);
  const services = { table: openTable(given('--table', period.table)), copies: bucketAuditCopies(bucket) };
  const since = readTime(given('--since', period.since));
  const now = new Date();
  const kept = await inEachProject(services.table, period, (projectId) =>
    keepMissed(services, { projectId, since, now }),
  );
  return { kept };
}

/** Another queue's worker could not read the messages, and they would be gone from their own. */
async function checkPair(client: SQSClient, deadLetters: string, queue: string): Promise<void> {
  const [arn, policy] = await Promise.all([
    attribute(client, deadLetters, 'QueueArn'),
    attribute(client, queue, 'RedrivePolicy'),
  ]);
  const target: unknown = policy === undefined ? {} : JSON.parse(policy);
  if (arn === undefined || Object(target).deadLetterTargetArn !== arn) {
    throw new UsageError('--dead-letters does not hold the dead letters of --to');
  }
}

async function attribute(
  client: SQSClient,
  url: string,
  name: 'QueueArn' | 'RedrivePolicy',
): Promise<string | undefined> {
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [name] });
  return (await client.send(command)).Attributes?.[name];
}

/** Moves one at a time; a message that could not be sent stays where it is. */
async function move(
  client: SQSClient,
  { 'dead-letters': deadLetters, to: queue }: { 'dead-letters'?: string; to?: string },
): Promise<object> {
  const [from, to] = [given('--dead-letters', deadLetters), given('--to', queue)];
  await checkPair(client, from, to);
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
  'audit-bucket': { type: 'string' },
  since: { type: 'string' },
  project: { type: 'string' },
  'dead-letters': { type: 'string' },
  to: { type: 'string' },
} as const;

/** What each kind of recovery takes besides its own option. */
const companions: Readonly<Record<'dead-letters' | 'audit-bucket' | 'delivery-queue', readonly string[]>> = {
  'dead-letters': ['to'],
  'audit-bucket': ['table', 'since', 'project'],
  'delivery-queue': ['table', 'since', 'project'],
};

function kindOf(values: Values<typeof options>): keyof typeof companions {
  const kinds = ['dead-letters', 'audit-bucket'] as const;
  const kind = kinds.find((name) => name in values) ?? 'delivery-queue';
  const other = Object.keys(values).find((name) => name !== kind && !companions[kind].includes(name));
  if (other !== undefined) throw new UsageError(`--${other} does not go with --${kind}`);
  return kind;
}

await runCommand('redrive', 'Not everything was redriven', { help, options }, async (values) => {
  const client = new SQSClient({});
  const recoveries = {
    'dead-letters': () => move(client, values),
    'audit-bucket': () => keep(values),
    'delivery-queue': () => announce(client, values),
  };
  return JSON.stringify(await recoveries[kindOf(values)](), null, 2);
});
