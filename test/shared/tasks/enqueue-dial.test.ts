import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { sampleProject, sampleTask, sampleTime } from '../../support/sample-tasks.ts';

const server = await forThisFile(
  startTestServer((_, response) => respondJson(response, 200, { MessageId: 'm' })),
);
const client = new SQSClient({
  endpoint: server.origin,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  md5: false,
});

test.each([
  [0, 0],
  [30.001, 31],
  [900, 900],
  // The sweeper finds it then.
  [901, null],
])('the dial of a task due %s seconds later arrives when it is due', async (seconds, delay) => {
  const next_attempt_at = new Date(Date.parse(sampleTime) + seconds * 1000).toISOString();
  const task = sampleTask(sampleProject(), { next_attempt_at, updated_at: sampleTime });
  const sent = server.requests.length;
  await enqueueDial({ url: `${server.origin}/000000000000/calls`, client }, task);
  const delays = server.requests.slice(sent).map(({ body }) => JSON.parse(String(body)).DelaySeconds ?? 0);
  expect(delays).toEqual(delay === null ? [] : [delay]);
});
