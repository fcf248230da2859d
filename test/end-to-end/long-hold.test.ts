import { expect, test } from 'vitest';
import { createProject } from '#shared/projects/create-project.ts';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { putPersonas } from '#shared/sandbox-phone/personas/own-personas.ts';
import { demoPatient } from '../../infra/local/demo/scenario.ts';
import { projectServices, sandboxBucket } from '../../infra/local/stack-clients.ts';
import { openTemporaryStack } from '../support/temporary-stack.ts';

/** Puts callers on hold for fifteen minutes, with music and no words. */
const holds = PersonaFile.parse({
  id: 'holds-long',
  about: 'An insurer that puts callers on hold for a quarter of an hour.',
  numbers: ['+12025550177'],
  name: 'Tessa',
  business: 'Example Health Plan',
  voice: 'rms',
  greeting: ['Thank you for holding, this is {name} with {business}. Go ahead, please.'],
  desks: [{ borrowed_from: 'insurer-provider-line' }],
  line: {
    first: 'queue',
    stages: {
      queue: {
        kind: 'hold',
        ms: [900_000, 900_000],
        every_ms: 890_000,
        to: 'person',
        announcements: ['All of our representatives are busy. Please stay on the line.'],
      },
    },
  },
});

test('41: a fifteen-minute hold does not break the connection', async () => {
  // At this pace, sockets are closed after half a minute, during the hold.
  const { stack, close } = await openTemporaryStack('hold', {
    SandboxPhonePace: '0.04',
    SandboxPhoneSpeech: 'tones',
  });
  try {
    await putPersonas(sandboxBucket(stack), [holds]);
    const { project, apiKey } = await createProject(projectServices(stack), {
      name: 'Hold',
      carrier: 'sandbox',
      webhook: null,
    });
    const request = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const response = await fetch(`${stack.baseUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${apiKey}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return Object(await response.json());
    };
    const patient = await request('/v1/patient', { project_id: project.id, ...demoPatient });
    const task = await request('/v1/task', {
      project_id: project.id,
      patient_id: patient.id,
      task_type: 'VERIFY_INSURANCE',
      task: 'Verify the coverage.',
      phone_number: holds.numbers[0],
    });
    for (const deadline = Date.now() + 240_000; Date.now() < deadline; ) {
      const found = await request(`/v1/task/${task.id}?include_all_calls=true`);
      const [call] = Array.isArray(found.calls) ? found.calls : [];
      if (call !== undefined && call.status !== 'IN_PROGRESS') {
        expect(call).toMatchObject({ status: 'SUCCESS' });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('the call did not end');
  } finally {
    await close();
  }
}, 300_000);
