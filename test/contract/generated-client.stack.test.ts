import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateApi } from 'swagger-typescript-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newTestClient, stack, type TestClient } from '../support/stack.ts';

/*
 * A TypeScript client as integrators build it, with a generator that knows only the document of this service.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What an integrator would write with it: the demo's steps. */
const program = `
import { Api, type NewTask } from './client.ts';

const [baseUrl = '', projectId = '', apiKey = ''] = process.argv.slice(2);
const api = new Api({
  baseUrl,
  securityWorker: () => ({ headers: { Authorization: \`Bearer \${apiKey}\` } }),
});

const { data: patient } = await api.v1.createPatient({
  project_id: projectId,
  first_name: 'Maya',
  last_name: 'Rivera',
  phone_number: '+12025550142',
  date_of_birth: '1984-07-12',
});
const newTask: NewTask = {
  project_id: projectId,
  patient_id: patient.id,
  task_type: 'SCHEDULE_APPOINTMENT',
  task: 'Schedule an annual physical.',
  phone_number: '+12025550100',
  task_data: { timeframe_availability: 'Weekday mornings in the next two weeks', patient_status: 'existing' },
};
const { data: created } = await api.v1.createTask(newTask);

let { data: task } = await api.v1.getTask({ taskId: created.id });
while (task.status === 'PENDING' || task.status === 'IN_PROGRESS') {
  await new Promise((resolve) => setTimeout(resolve, 100));
  ({ data: task } = await api.v1.getTask({ taskId: created.id, include_transcript: true, include_result: true }));
}
const [call] = task.calls;
const recording = await api.v1.getCallRecording({ callId: call?.id ?? '' });
const bytes = Buffer.from(await recording.arrayBuffer());
const unknown = await api.v1.getPatient({ patientId: created.id }).catch((refused) => refused.error.detail);

console.log(JSON.stringify({
  status: task.status,
  goalReached: task.result?.goal_reached,
  roles: [...new Set(call?.transcripts?.map(({ role }) => role))].sort(),
  recording: bytes.subarray(0, 4).toString('latin1'),
  unknown,
}));
`;

let client: TestClient;
let directory: string;
beforeAll(async () => {
  client = await newTestClient();
  directory = await mkdtemp(join(tmpdir(), 'generated-client-'));
  const response = await fetch(`${stack().baseUrl}/openapi.json`);
  await generateApi({
    spec: await response.json(),
    output: directory,
    fileName: 'client.ts',
    httpClientType: 'fetch',
    extractRequestParams: true,
    generateUnionEnums: true,
    silent: true,
  });
  await writeFile(join(directory, 'program.ts'), program);
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      include: ['*.ts'],
    }),
  );
});
afterAll(async () => {
  await client.stop();
  await rm(directory, { recursive: true, force: true });
});

test('a client generated from the document compiles with our strict settings', () => {
  const compiler = join(root, 'node_modules/.bin/tsc');
  const output = execFileSync(compiler, ['-p', directory, '--listFiles'], { encoding: 'utf8' });
  expect(output).toContain(join(directory, 'client.ts'));
  expect(output).toContain(join(directory, 'program.ts'));
});

test('a client generated from the document runs the steps of the demo', () => {
  const args = [join(directory, 'program.ts'), stack().baseUrl, client.projectId, client.apiKey];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 100_000 });
  const outcome = z.record(z.string(), z.unknown()).parse(JSON.parse(output));
  expect(outcome).toEqual({
    status: 'COMPLETED',
    goalReached: true,
    roles: ['assistant', 'user'],
    recording: 'RIFF',
    unknown: 'Patient not found',
  });
});
