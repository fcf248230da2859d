import { openQueue } from '#shared/aws/message-queue.ts';
import { type CallbackServices, receiveCallback } from '#shared/calls/carrier-events/receive-callback.ts';
import { computeSignature } from '#shared/carrier/signature.ts';
import type { Call } from '#shared/domain/call.ts';
import { createCallItem } from '#shared/table/call.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startSecrets } from '../../../../infra/local/servers/secrets-server.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { sampleCall, sampleProject, sampleTask } from '../../../support/sample-tasks.ts';

export const token = '0123456789abcdef0123456789abcdef';
export const liveToken = 'fedcba9876543210fedcba9876543210';
export const sid = `CA${'0'.repeat(31)}a`;
interface CallbackSite {
  readonly services: CallbackServices;
  readonly queues: EmbeddedQueues;
  stop(): Promise<unknown>;
}

/** The receiver of callbacks, with both carriers' credentials. */
export async function startCallbackSite(): Promise<CallbackSite> {
  const accountSid = `AC${'0'.repeat(31)}1`;
  const [tables, queues, secrets] = await Promise.all([
    startEmbeddedTable(),
    startEmbeddedQueues(),
    startSecrets([
      {
        name: 'sandbox',
        arn: 'arn:sandbox',
        value: JSON.stringify({ account_sid: accountSid, auth_token: token }),
      },
      {
        name: 'live',
        arn: 'arn:live',
        value: JSON.stringify({ account_sid: accountSid, auth_tokens: ['a-new-one', liveToken] }),
      },
    ]),
  ]);
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.endpoint;
  process.env.AWS_REGION = 'us-east-1';
  process.env.AWS_ACCESS_KEY_ID = 'local';
  process.env.AWS_SECRET_ACCESS_KEY = 'local';
  const services: CallbackServices = {
    table: tables.table,
    queue: openQueue(queues.createQueue('calls'), queues.sqs),
    secretIds: { sandbox: 'sandbox', live: 'live' },
    publicBaseUrl: 'https://api.example.test/prod',
    relayUrl: 'wss://ws.example.test/relay',
  };
  return { services, queues, stop: () => Promise.all([tables.stop(), queues.stop(), secrets.stop()]) };
}

export async function storedCall(services: CallbackServices, changes: Partial<Call> = {}): Promise<Call> {
  const call = sampleCall(sampleTask(sampleProject()), changes);
  await writeTransaction(services.table, [createCallItem(services.table, call)]);
  return call;
}

interface Sent {
  readonly kind: string;
  readonly call: Pick<Call, 'id' | 'task_id'>;
  readonly form: Record<string, string>;
  readonly authToken?: string;
  readonly changedBeforeArrival?: Record<string, string>;
  readonly services?: CallbackServices;
}

/** Sends a callback as the carrier does: signed over the public URL of its path. */
export function send(
  services: CallbackServices,
  { kind, call, form, authToken = token, changedBeforeArrival = {}, ...rest }: Sent,
): Promise<string | null> {
  const path = `/carrier/${kind}/${call.task_id}/${call.id}`;
  const url = `${services.publicBaseUrl}${path}`;
  return receiveCallback(rest.services ?? services, {
    path,
    signature: computeSignature(authToken, url, Object.entries(form)),
    form: new URLSearchParams({ ...form, ...changedBeforeArrival }),
  });
}

export function queuedFor(queues: EmbeddedQueues, call: Pick<Call, 'id'>): unknown[] {
  return queues
    .messages('calls')
    .map(({ body }) => body)
    .filter((body) => JSON.stringify(body).includes(call.id));
}

export const answered = { CallSid: sid, CallStatus: 'in-progress', From: '+12025550199', To: '+12025550103' };
