import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { enqueueCallMessage, openCallQueue } from '#shared/calls/call-queue.ts';
import { respondJson, startTestServer, type TestServer } from '../../support/http-server.ts';

const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer((_, response) => respondJson(response, 200, { MessageId: 'm' }));
});
afterAll(() => server.stop());
afterEach(() => vi.unstubAllEnvs());

// SQS keeps the header as the attribute AWSTraceHeader, by which Lambda links the receiver's trace.
test('a message takes the trace of the invocation that sends it along', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'create-task');
  vi.stubEnv('_X_AMZN_TRACE_ID', trace);
  const client = new SQSClient({
    endpoint: server.origin,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    md5: false,
  });
  const queue = openCallQueue(`${server.origin}/000000000000/calls`, client);
  await enqueueCallMessage(queue, { kind: 'dial', task_id: '019a9f3c-0000-7000-8000-000000000001' });
  expect(server.requests[0]?.headers['x-amzn-trace-id']).toBe(trace);
  client.destroy();
});
