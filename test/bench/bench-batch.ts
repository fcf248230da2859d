import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFauxqs } from 'fauxqs';
import * as z from 'zod/mini';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { maxBatchItems } from '#shared/domain/task-batch.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { createProject } from '#shared/projects/create-project.ts';
import type { Table } from '#shared/table/client.ts';
import { bundleFunctions, bundlePath } from '../../infra/bundle.ts';
import { runCommand, wholeNumber } from '../../infra/command.ts';
import { startDynamoDb } from '../../infra/local/servers/dynamodb-server.ts';
import { startEmbeddedTable } from '../support/embedded-table.ts';
import { lambdaContext } from '../support/lambda-events.ts';
import { projectServices } from '../support/project-services.ts';
import { processorTime } from './processor-time.ts';

const usage = `Prints how long the deployable bundle of POST /v1/task/batch needs to accept ${maxBatchItems} tasks,
with and without an idempotency key each, again and again on the same table. The table is the local stack's DynamoDB
on a file; the one in memory, which tests use, reads its stream's whole history for each write. Exits with 1 when a
median is above the bound, which is one for processor time of function and table together: what else the machine does
hardly changes that.

Usage: npm run bench-batch [-- --rounds N] [--help]`;

const boundMs = 2000;
const patientCount = 250;

interface Round {
  readonly ms: number;
  readonly functionMs: number;
  readonly tableMs: number;
}

interface Client {
  readonly projectId: string;
  readonly apiKey: string;
  readonly patientIds: readonly string[];
}

const Answer = z.object({ statusCode: z.int(), body: z.string() });
const Accepted = z.object({ items: z.array(z.object({ error: z.unknown() })) });

async function storeClient(table: Table): Promise<Client> {
  const { project, apiKey } = await createProject(projectServices(table), {
    name: 'Bench',
    carrier: 'sandbox',
    webhook: null,
  });
  const patientIds: string[] = [];
  for (let index = 0; index < patientCount; index += 1) {
    const newPatient = {
      project_id: project.id,
      first_name: 'Ada',
      last_name: 'Example',
      phone_number: '+12025550142',
      date_of_birth: '1980-02-29',
    };
    patientIds.push((await createPatient(table, { projectId: project.id, newPatient })).id);
  }
  return { projectId: project.id, apiKey, patientIds };
}

function tasksOf({ projectId, patientIds }: Client, hasKeys: boolean): object[] {
  return Array.from({ length: maxBatchItems }, (_, index) => ({
    project_id: projectId,
    patient_id: patientIds[index % patientIds.length],
    task_type: 'SCHEDULE_APPOINTMENT',
    task: 'Ask for an appointment for a check-up in the next two weeks, mornings preferred.',
    phone_number: `+1202555${String(100 + (index % 100)).padStart(4, '0')}`,
    task_data: { appointment_reason: 'Check-up', preferred_times: ['Tuesday morning', 'Thursday morning'] },
    ...(hasKeys ? { idempotency_key: uuidv7() } : {}),
  }));
}

function loadFunction(): (event: object, context: object) => Promise<unknown> {
  const { handler } = createRequire(import.meta.url)(bundlePath('create-task-batch')) as {
    handler: (event: object, context: object) => Promise<unknown>;
  };
  return handler;
}

function toEvent(apiKey: string, tasks: readonly object[]): object {
  const path = '/v1/task/batch';
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  return {
    resource: path,
    path,
    httpMethod: 'POST',
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: { requestId: 'bench', stage: 'dev', path, identity: { sourceIp: '127.0.0.1' } },
    body: JSON.stringify({ tasks }),
    isBase64Encoded: false,
  };
}

async function measure(handler: ReturnType<typeof loadFunction>, event: object): Promise<Round> {
  const [started, before] = [performance.now(), processorTime()];
  const { statusCode, body } = Answer.parse(await handler(event, lambdaContext));
  const [ms, after] = [performance.now() - started, processorTime()];
  if (statusCode !== 202) throw new Error(`the batch was answered ${statusCode}: ${body.slice(0, 300)}`);
  const refused = Accepted.parse(JSON.parse(body)).items.find(({ error }) => error !== null);
  if (refused !== undefined) throw new Error(`a task was refused: ${JSON.stringify(refused)}`);
  return { ms, functionMs: after.own - before.own, tableMs: after.servers - before.servers };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function main(rounds: number): Promise<boolean> {
  process.stdout.write(`Node ${process.version}; bundling …\n`);
  await bundleFunctions();
  const dataDir = mkdtempSync(join(tmpdir(), 'voice-agent-bench-batch-'));
  const server = await startDynamoDb(dataDir, (line) => process.stdout.write(`${line}\n`));
  process.env.DYNAMODB_ENDPOINT = server.endpoint;
  const embedded = await startEmbeddedTable();
  const queues = await startFauxqs({ port: 0, logger: false });
  try {
    queues.createQueue('calls');
    Object.assign(process.env, {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: embedded.endpoint,
      AWS_ENDPOINT_URL_SQS: queues.address,
      LOG_LEVEL: 'silent',
      TABLE_NAME: embedded.table.name,
      CALL_QUEUE_URL: `${queues.address}/000000000000/calls`,
      PROJECT_REQUESTS_PER_SECOND: '500',
      SANDBOX_CARRIER_BASE_URL: 'http://127.0.0.1:1',
    });
    const client = await storeClient(embedded.table);
    const handler = loadFunction();
    let isKept = true;
    process.stdout.write(`\n${'tasks'.padEnd(28)}on the clock ms  function ms  table ms\n`);
    const tell = (name: string, { ms, functionMs, tableMs }: Round): void => {
      const [clock, own, table] = [ms, functionMs, tableMs].map((one) => one.toFixed(0));
      process.stdout.write(
        `${name.padEnd(28)}${clock?.padStart(15)}${own?.padStart(13)}${table?.padStart(10)}\n`,
      );
    };
    for (const hasKeys of [false, true]) {
      const name = hasKeys ? 'with a key each' : 'without keys';
      const measured: Round[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const one = await measure(handler, toEvent(client.apiKey, tasksOf(client, hasKeys)));
        tell(`${name}, ${round}`, one);
        measured.push(one);
      }
      const spentMs = medianOf(measured.map(({ functionMs, tableMs }) => functionMs + tableMs));
      const clockMs = medianOf(measured.map(({ ms }) => ms));
      process.stdout.write(
        `${name}: median ${clockMs.toFixed(0)} ms on the clock, ${spentMs.toFixed(0)} ms of processor time\n\n`,
      );
      if (spentMs > boundMs) isKept = false;
    }
    process.stdout.write(`Bound: ${boundMs} ms of processor time: ${isKept ? 'kept' : 'NOT KEPT'}\n`);
    return isKept;
  } finally {
    await queues.stop();
    await embedded.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const options = { rounds: { type: 'string', default: '5' } } as const;

await runCommand(
  'bench-batch',
  'The batches were not measured',
  { help: usage, options },
  async ({ rounds }) => ((await main(wholeNumber('rounds', rounds, 1, 1000))) ? 0 : 1),
);
