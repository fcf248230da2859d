import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { loadCarrierCredentials, reloadCarrierCredentials } from '#shared/carrier/credentials.ts';
import { answerRequest, type RestServices } from '#shared/sandbox-phone/rest/answer-request.ts';
import { openSandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { environment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';

const secretId = environment('SANDBOX_CARRIER_SECRET_ID');

const services: RestServices = {
  store: openSandboxStore(environment('SANDBOX_TABLE_NAME')),
  bucket: { client: new S3Client({}), name: environment('SANDBOX_BUCKET') },
  lineQueue: { client: new SQSClient({}), url: environment('SANDBOX_LINE_QUEUE_URL') },
  credentials: () => loadCarrierCredentials(secretId),
  renewedCredentials: () => reloadCarrierCredentials(secretId),
  publicBaseUrl: environment('PUBLIC_BASE_URL'),
  callsPerSecond: readCallsPerSecond(environment('SANDBOX_PHONE_CALLS_PER_SECOND')),
};

/** The REST API of the simulated carrier. */
export const handler = rawEndpoint((request) => answerRequest(services, request));

/** Null for 0, which is no limit. */
function readCallsPerSecond(text: string): number | null {
  const value = Number(text);
  if (text === '' || !(value >= 0)) throw new Error('SANDBOX_PHONE_CALLS_PER_SECOND must be a number');
  return value === 0 ? null : value;
}
