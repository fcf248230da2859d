import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { loadCarrierCredentials } from '#shared/carrier/credentials.ts';
import { isTurn, LineMessage } from '#shared/sandbox-phone/line/line-queue.ts';
import { runCall } from '#shared/sandbox-phone/line/run-call.ts';
import { cachedDirectory } from '#shared/sandbox-phone/people/people-bucket.ts';
import { type SpeechKind, speechKinds } from '#shared/sandbox-phone/sound/speech.ts';
import { openSandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { environment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';

const secretId = environment('SANDBOX_CARRIER_SECRET_ID');
const store = openSandboxStore(environment('SANDBOX_TABLE_NAME'));
const lineQueue = { url: environment('SANDBOX_LINE_QUEUE_URL'), client: new SQSClient({}) };
const bucket = { client: new S3Client({}), name: environment('SANDBOX_BUCKET') };
const directory = cachedDirectory(bucket);
const publicBaseUrl = environment('PUBLIC_BASE_URL');
const relayUrl = environment('RELAY_URL');
const pace = readPace(environment('SANDBOX_PHONE_PACE'));
const speech = readSpeech(environment('SANDBOX_PHONE_SPEECH'));

/** Plays one simulated call from dialling to its last callback. */
export const handler = queueWorker(LineMessage, async (message) => {
  if (!(await isTurn(lineQueue, message, new Date()))) return;
  const { authTokens } = await loadCarrierCredentials(secretId);
  await runCall(
    {
      store,
      lineQueue,
      bucket,
      authToken: authTokens[0],
      publicBaseUrl,
      relayUrl,
      pace,
      speech,
      directory: await directory(),
    },
    message.call_sid,
  );
});

function readPace(text: string): number {
  const value = Number(text);
  if (text === '' || !(value >= 0 && value <= 1)) throw new Error('SANDBOX_PHONE_PACE must be from 0 to 1');
  return value;
}

function readSpeech(text: string): SpeechKind {
  const kind = speechKinds.find((known) => known === text);
  if (kind === undefined) throw new Error(`SANDBOX_PHONE_SPEECH must be one of ${speechKinds.join(', ')}`);
  return kind;
}
