import { setTimeout } from 'node:timers/promises';
import { openQueue } from '#shared/aws/message-queue.ts';
import { CallMessage } from '#shared/calls/call-message.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { dialLimits } from '#shared/calls/dial/dial-limits.ts';
import { handleCallMessage } from '#shared/calls/handle-call-message.ts';
import { openWarmUp } from '#shared/calls/warm-up-for-answer.ts';
import { carrierClients } from '#shared/carrier/carriers.ts';
import { openTable } from '#shared/table/client.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { lateCallResults } from '#shared/voice-agent/result/late-call-results.ts';
import { manifest } from './manifests/call-runner.ts';

const env = readEnvironment(manifest.environment);
const table = openTable(env.TABLE_NAME);
const queue = openQueue(env.CALL_QUEUE_URL);
const services: CallServices = {
  table,
  queue,
  warmUp: openWarmUp(env.WARMED_FUNCTIONS, queue.client.config),
  recordingQueue: openQueue(env.RECORDING_QUEUE_URL),
  carrier: carrierClients(
    { sandbox: env.SANDBOX_CARRIER_SECRET_ID, live: env.LIVE_CARRIER_SECRET_ID },
    env.SANDBOX_CARRIER_BASE_URL,
  ),
  ...dialLimits(env),
  callResult: lateCallResults(table),
  publicBaseUrl: env.PUBLIC_BASE_URL,
  now: () => new Date(),
  wait: setTimeout,
};

/** Works through the call queue: places calls and follows them to their end. */
export const handler = queueWorker(CallMessage, (message) => handleCallMessage(services, message));
