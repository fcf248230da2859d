import type { Context, SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putProject } from '#shared/table/project.ts';
import { createTaskItem, getTaskWithCalls } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { type CarrierServer, startCarrierServer } from '../support/carrier-server.ts';
import { type FunctionEnvironment, startFunctionEnvironment } from '../support/function-environment.ts';
import { lambdaContext, queueEvent } from '../support/lambda-events.ts';
import { sampleProject, sampleTask } from '../support/sample-tasks.ts';

let environment: FunctionEnvironment;
let carrier: CarrierServer;
let handler: (
  event: SQSEvent,
  context: Context,
) => Promise<{ batchItemFailures: { itemIdentifier: string }[] }>;
beforeAll(async () => {
  carrier = await startCarrierServer(() => new Date());
  environment = await startFunctionEnvironment({ SANDBOX_CARRIER_BASE_URL: carrier.origin });
  ({ handler } = await import('../../functions/call-runner.ts'));
});
afterAll(() => Promise.all([environment.stop(), carrier.stop()]));

test('processes a batch despite an invalid message in it', async () => {
  const { table } = environment.tables;
  const project = sampleProject();
  const tasks = ['+12025550103', '+12025550104'].map((phone_number) => sampleTask(project, { phone_number }));
  await writeTransaction(table, [
    putProject(table, project),
    ...tasks.map((task) => createTaskItem(table, task)),
  ]);
  const [first, second] = tasks.map((task) => JSON.stringify({ kind: 'dial', task_id: task.id }));
  const answer = await handler(queueEvent([first ?? '', '{"kind":"explode"}', second ?? '']), lambdaContext);
  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  for (const task of tasks) {
    const found = await getTaskWithCalls(table, task.id, { limit: 1 });
    expect(found?.calls).toMatchObject([
      { submission: 'submitted', carrier_call_sid: expect.stringMatching(/^CA/) },
    ]);
  }
  const signedIn = carrier.requests.map(({ headers }) => headers.authorization?.startsWith('Basic '));
  expect(signedIn).toEqual([true, true]);
});
