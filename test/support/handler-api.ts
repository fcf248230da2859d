import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { startFauxqs } from 'fauxqs';
import type { ServedRoute } from '../../infra/routes.ts';
import { type ApiUnderTest, newApiClient } from './api-under-test.ts';
import { startEmbeddedTable } from './embedded-table.ts';
import { startHandlerServer } from './handler-server.ts';
import { limitVariables } from './limit-variables.ts';

/**
 * Handlers, by default those of `/v1`, in this process on their own embedded table, queue and
 * bucket.
 */
export async function startHandlerApi(isServed?: (route: ServedRoute) => boolean): Promise<ApiUnderTest> {
  const [embedded, queuesAndBuckets] = await Promise.all([
    startEmbeddedTable(),
    startFauxqs({ port: 0, logger: false }),
  ]);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: queuesAndBuckets.address,
    forcePathStyle: true,
    credentials,
  });
  const bucket = 'recordings';
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const queuePath = new URL(queuesAndBuckets.createQueue('calls').queueUrl).pathname;
  const deliveryQueuePath = new URL(queuesAndBuckets.createQueue('deliveries').queueUrl).pathname;
  const erasureQueuePath = new URL(queuesAndBuckets.createQueue('erasures').queueUrl).pathname;
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: embedded.endpoint,
    AWS_ENDPOINT_URL_SQS: queuesAndBuckets.address,
    AWS_ENDPOINT_URL_S3: queuesAndBuckets.address,
    TABLE_NAME: embedded.table.name,
    // By the URL itself: the SDK warns if a queue's URL has another host than the endpoint.
    CALL_QUEUE_URL: `${queuesAndBuckets.address}${queuePath}`,
    ERASURE_QUEUE_URL: `${queuesAndBuckets.address}${erasureQueuePath}`,
    DELIVERY_QUEUE_URL: `${queuesAndBuckets.address}${deliveryQueuePath}`,
    PUBLIC_BASE_URL: 'https://api.example.test/base',
    SANDBOX_CARRIER_BASE_URL: 'https://api.example.test/base/sandbox-phone',
    RECORDINGS_BUCKET: bucket,
    ...limitVariables,
    // Tests send requests faster than any client; the limit has its own tests.
    PROJECT_REQUESTS_PER_SECOND: '0',
  });
  const server = await startHandlerServer(isServed);
  return {
    baseUrl: server.baseUrl,
    table: embedded.table,
    mine: await newApiClient(embedded.table),
    other: await newApiClient(embedded.table),
    recordings: { client, bucket },
    async stop() {
      await server.stop();
      await queuesAndBuckets.stop();
      await embedded.stop();
    },
  };
}
