import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getTaskWithCalls } from '#shared/table/task.ts';
import { inspectRecording, isAudibleOnBothChannels } from '../../infra/local/demo/recording-check.ts';
import { demoTasks } from '../../infra/local/demo/scenario.ts';
import { runProcessOn } from '../support/command-run.ts';
import { eventually, newTestClient, stack, stackTable, type TestClient } from '../support/stack.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient();
});
afterAll(() => client.stop());

// The carrier waits 10 s for an agent that is starting, which a busy machine may exceed: then it is warm.
test('npm run smoke calls once per task type on a stack given by its URL, and reports the results', {
  timeout: 400_000,
  retry: 1,
}, async () => {
  const { baseUrl, endpoints } = stack();
  const args = ['--url', baseUrl, '--project', client.projectId, '--table', stackTable().name];
  const key = { SMOKE_API_KEY: client.apiKey };
  const servers = { endpoint: endpoints.dynamodb, kmsEndpoint: endpoints.kms };
  const ran = await runProcessOn(servers, 'local/smoke', args, key);
  expect(ran.stderr).toBe('');
  expect(ran.stdout).toMatch(/4 of 4 tasks completed in [\d.]+ s; 0 problems\n$/);
  expect(ran.exitCode).toBe(0);
});

describe.each(demoTasks.map(({ body }) => body.task_type))('a %s task', (taskType) => {
  test('is performed by telephone, from its creation to recording, transcript, outcome and webhooks', async () => {
    const { tasks } = (await client.request('GET', '/v1/task')).body;
    const { id, patient_id } = tasks.find((each: { task_type: string }) => each.task_type === taskType);
    const path = `/v1/task/${id}?include_transcript=true&include_all_calls=true&include_result=true`;
    const { body: task } = await client.request('GET', path);

    expect(task).toMatchObject({ status: 'COMPLETED', has_more_calls: false });
    expect(task.task_outcome).toMatch(/\w.{20,}/);
    expect(task.calls).toHaveLength(1);
    const [call] = task.calls;
    expect(call).toMatchObject({ status: 'SUCCESS', patient_id });
    expect(call.call_outcome).toMatch(/\w.{20,}/);

    const { transcripts } = call;
    const roles: string[] = transcripts.map((turn: { role: string }) => turn.role);
    expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'assistant' : 'user')));
    const opening = transcripts.find((turn: { role: string }) => turn.role === 'assistant').content;
    expect(opening).toMatch(/automated|assistant/i);
    expect(opening).toMatch(/recorded/i);
    expect(roles.length).toBeGreaterThanOrEqual(6);

    const { result } = task;
    expect(result.goal_reached).toBe(true);
    const answered = result.answers.filter((answer: { answer: string | null }) => answer.answer !== null);
    expect(answered.length).toBeGreaterThan(0);
    for (const { quote, turn } of answered) {
      expect(transcripts[turn].role).toBe('user');
      expect(transcripts[turn].content).toContain(quote);
    }

    const redirect = await client.request('GET', new URL(call.recording_url).pathname);
    expect(redirect.status).toBe(302);
    const media = await fetch(String(redirect.headers.get('location')));
    expect(media.status).toBe(200);
    const facts = inspectRecording(Buffer.from(await media.arrayBuffer()));
    expect(facts).toMatchObject({ channels: 2, sampleRate: 8000 });
    expect(isAudibleOnBothChannels(facts)).toBe(true);
    // Speech has about 14 characters per second, at any pace of the sandbox.
    const characters = transcripts.reduce(
      (sum: number, turn: { content: string }) => sum + turn.content.length,
      0,
    );
    expect(facts.durationSeconds).toBeGreaterThan(characters / 28);
    expect(facts.durationSeconds).toBeLessThan(characters / 4);

    for (const event of ['call.completed', 'task.completed']) {
      const webhook = await eventually(event, async () =>
        client.receiver.received.find((one) => one.task_id === task.id && one.event === event),
      );
      expect(webhook).toMatchObject({ call_id: call.id, signatureValid: true });
    }
  });
});

test('a person is detected as one', async () => {
  const { tasks } = (await client.request('GET', '/v1/task')).body;
  const { id } = tasks.find((each: { task_type: string }) => each.task_type === 'SCHEDULE_APPOINTMENT');
  const stored = await getTaskWithCalls(stackTable(), id, { limit: 1 });
  expect(stored?.calls).toMatchObject([{ status: 'SUCCESS', answered_by: 'human' }]);
});
