import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectRecording, isAudibleOnBothChannels } from '../../infra/local/demo/recording-check.ts';
import { demoPatient, demoTasks } from '../../infra/local/demo/scenario.ts';
import { eventually, newTestClient, type TestClient } from '../support/stack.ts';

let client: TestClient;
let patientId: string;

beforeAll(async () => {
  client = await newTestClient();
  const created = await client.request('POST', '/v1/patient', {
    project_id: client.projectId,
    ...demoPatient,
  });
  patientId = created.body.id;
});

afterAll(() => client.stop());

describe.each(demoTasks.map((task) => [task.body.task_type, task.body] as const))(
  'a %s task',
  (_type, body) => {
    test('is carried out by telephone, from its creation to recording, transcript, outcome and webhooks', async () => {
      const created = await client.request('POST', '/v1/task', {
        project_id: client.projectId,
        patient_id: patientId,
        ...body,
      });
      expect(created.status).toBe(201);
      const path = `/v1/task/${created.body.id}?include_transcript=true&include_all_calls=true&include_result=true`;
      const task = await eventually('the task to end', async () => {
        const { body: view } = await client.request('GET', path);
        return ['PENDING', 'IN_PROGRESS'].includes(view.status) ? null : view;
      });

      expect(task).toMatchObject({ status: 'COMPLETED', task_type: body.task_type, has_more_calls: false });
      expect(task.task_outcome).toMatch(/\w.{20,}/);
      expect(task.calls).toHaveLength(1);
      const [call] = task.calls;
      expect(call).toMatchObject({ status: 'SUCCESS', patient_id: patientId });
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
      // Speech runs at about 14 characters a second, whatever pace the sandbox runs at.
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
  },
);
