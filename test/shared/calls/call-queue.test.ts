import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, test, vi } from 'vitest';
import { openQueue } from '#shared/aws/message-queue.ts';
import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import { withLogContext } from '#shared/observability/log.ts';
import { followTrace, traceField } from '#shared/observability/trace.ts';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';

const trace =
  'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:a87bd80c:0';
const ofTask = '1-57ff426a-80c11c39b0c928905eb0828d';

const server = await forThisFile(
  startTestServer((_, response) => respondJson(response, 200, { MessageId: 'm' })),
);
afterEach(() => vi.unstubAllEnvs());

/** The tracing header that a message is sent with. */
async function headerOfMessage(): Promise<unknown> {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'create-task');
  vi.stubEnv('_X_AMZN_TRACE_ID', trace);
  const client = new SQSClient({
    endpoint: server.origin,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    md5: false,
  });
  const queue = openQueue(`${server.origin}/000000000000/calls`, client);
  await enqueueCallMessage(queue, { kind: 'dial', task_id: '019a9f3c-0000-7000-8000-000000000001' });
  client.destroy();
  return server.requests.at(-1)?.headers['x-amzn-trace-id'];
}

// SQS keeps the header as the attribute AWSTraceHeader, by which Lambda links the receiver's trace.
test('a message carries the trace of the sending invocation', async () => {
  expect(await headerOfMessage()).toBe(trace);
});

test('a message for a task carries the trace of the request that created it', async () => {
  const header = await withLogContext(traceField(`Root=${ofTask};Sampled=1`), headerOfMessage);
  expect(header).toBe(`Root=${ofTask};Sampled=1;Lineage=1:a87bd80c:0`);
});

test('a task from an untraced request has no trace in any worker', async () => {
  expect(await withLogContext(traceField(`Root=${ofTask};Sampled=0`), headerOfMessage)).toBe(trace);
  const header = await withLogContext(traceField(trace), () => {
    followTrace({});
    return headerOfMessage();
  });
  expect(header).toBe(trace);
});
