import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { inboundCallUrl } from '#shared/carrier/callbacks.ts';
import { loadCarrierCredentials, reloadCarrierCredentials } from '#shared/carrier/credentials.ts';
import { handleRequest } from '#shared/sandbox-phone/rest/handle-request.ts';
import type { RestServices } from '#shared/sandbox-phone/rest/rest-services.ts';
import { openSandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { readEnvironment } from '#shared/triggers/environment.ts';
import { rawEndpoint } from '#shared/triggers/http.ts';
import { manifest } from './manifests/sandbox-phone-api.ts';

const env = readEnvironment(manifest.environment);
const secretId = env.SANDBOX_CARRIER_SECRET_ID;

const services: RestServices = {
  store: openSandboxStore(env.SANDBOX_TABLE_NAME),
  bucket: { client: new S3Client(clientLimits()), name: env.SANDBOX_BUCKET },
  lineQueue: { client: new SQSClient(clientLimits()), url: env.SANDBOX_LINE_QUEUE_URL },
  credentials: () => loadCarrierCredentials(secretId),
  renewedCredentials: () => reloadCarrierCredentials(secretId),
  publicBaseUrl: env.PUBLIC_BASE_URL,
  voiceUrl: inboundCallUrl(env.PUBLIC_BASE_URL),
  callsPerSecond: env.SANDBOX_PHONE_CALLS_PER_SECOND === 0 ? null : env.SANDBOX_PHONE_CALLS_PER_SECOND,
};

/** The REST API of the simulated carrier. */
export const handler = rawEndpoint((request) => handleRequest(services, request));
