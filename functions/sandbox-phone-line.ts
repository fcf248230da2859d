import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientLimits, objectLimits } from '#shared/aws/client-limits.ts';
import { loadCarrierCredentials } from '#shared/carrier/credentials.ts';
import { isTurn, LineMessage } from '#shared/sandbox-phone/line/line-queue.ts';
import { runCall } from '#shared/sandbox-phone/line/run-call.ts';
import { cachedDirectory } from '#shared/sandbox-phone/personas/persona-bucket.ts';
import { openSandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { queueWorker } from '#shared/triggers/queue.ts';
import { manifest } from './manifests/sandbox-phone-line.ts';

const env = readEnvironment(manifest.environment);
const secretId = env.SANDBOX_CARRIER_SECRET_ID;
const store = openSandboxStore(env.SANDBOX_TABLE_NAME);
const lineQueue = { url: env.SANDBOX_LINE_QUEUE_URL, client: new SQSClient(clientLimits()) };
const bucket = { client: new S3Client(objectLimits()), name: env.SANDBOX_BUCKET };
const directory = cachedDirectory(bucket);
const publicBaseUrl = env.PUBLIC_BASE_URL;
const relayUrl = env.RELAY_URL;
const pace = env.SANDBOX_PHONE_PACE;
const speech = env.SANDBOX_PHONE_SPEECH;

/** Plays one simulated call from dialing to its last callback. */
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
