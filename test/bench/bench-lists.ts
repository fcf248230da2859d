import { createRequire } from 'node:module';
import * as z from 'zod/mini';
import { linksBelow } from '#shared/dashboard/links.ts';
import { newSession } from '#shared/dashboard/session/session.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { bundleFunctions, bundlePath } from '../../infra/bundle.ts';
import { runCommand } from '../../infra/command.ts';
import { startSecrets } from '../../infra/local/servers/secrets-server.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../support/embedded-table.ts';
import { localKms } from '../support/local-kms.ts';
import { storeBusyClinic } from './busy-clinic.ts';
import { type ProcessorTime, processorTime } from './processor-time.ts';

const usage = `Prints how long the deployable bundle of the dashboard needs for the lists of a project with 5,000
tasks and 1,250 patients, each time for somebody who has not looked before, so that the audit entry is in it. The
table is the embedded one, on this machine. Exits with 1 when a list is above the bound, which is one for processor
time of function and table together: what else the machine does changes the time on the clock, and that hardly.

Usage: npm run bench-lists [-- --help]`;

const boundMs = 150;
const rounds = 15;
const publicBaseUrl = 'http://127.0.0.1:1';

const Answer = z.object({
  statusCode: z.int(),
  body: z.string(),
  headers: z.optional(z.object({ location: z.optional(z.string()) })),
});
const links = linksBelow(publicBaseUrl);

function loadDashboard(embedded: EmbeddedTable, secretsEndpoint: string) {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: embedded.endpoint,
    AWS_ENDPOINT_URL_KMS: embedded.kmsEndpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsEndpoint,
    LOG_LEVEL: 'silent',
    TABLE_NAME: embedded.table.name,
    CALL_QUEUE_URL: `${publicBaseUrl}/000000000000/calls`,
    DELIVERY_QUEUE_URL: `${publicBaseUrl}/000000000000/deliveries`,
    ERASURE_QUEUE_URL: `${publicBaseUrl}/000000000000/erasures`,
    RECORDINGS_BUCKET: 'bench',
    SECRETS_KEY_ID: 'bench',
    SESSION_SECRET_ID: 'session',
    PUBLIC_BASE_URL: publicBaseUrl,
    WEBHOOK_LOOPBACK: 'refused',
    MAIL_FROM: '',
    SANDBOX_CARRIER_BASE_URL: publicBaseUrl,
    OIDC_ISSUER: 'https://idp.example.test',
    OIDC_CLIENT_ID: 'bench',
  });
  const { handler } = createRequire(import.meta.url)(bundlePath('dashboard')) as {
    handler: (event: object, context: object) => Promise<unknown>;
  };
  return handler;
}

interface Asked {
  readonly ms: number;
  /** Processor time. */
  readonly spentMs: ProcessorTime;
  readonly body: string;
}

function askingAs(
  email: string,
  { table }: EmbeddedTable,
  handler: ReturnType<typeof loadDashboard>,
): (address: string, search?: string) => Promise<Asked> {
  return async (address, search) => {
    const person = { subject: uuidv7(), email, name: null };
    const cookie = `vat_session=${await newSession(table, person, new Date())}`;
    let opened = address;
    if (search !== undefined) {
      // The page with the field has the token that every form needs.
      const page = Answer.parse(await handler(toEvent(address.replace(/\/find$/, '/patients'), cookie), {}));
      const token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
      const form = new URLSearchParams({ form_token: token, text: search, from: 'tasks' });
      opened = String(Answer.parse(await handler(toEvent(address, cookie, form), {})).headers?.location);
    }
    const [started, before] = [performance.now(), processorTime()];
    const { statusCode, body } = Answer.parse(await handler(toEvent(opened, cookie), {}));
    const [ms, after] = [performance.now() - started, processorTime()];
    const spentMs = { own: after.own - before.own, servers: after.servers - before.servers };
    if (statusCode !== 200) throw new Error(`${address} answered ${statusCode}: ${body.slice(0, 300)}`);
    return { ms, spentMs, body };
  };
}

function toEvent(address: string, cookie: string, form?: URLSearchParams): object {
  const url = new URL(address, publicBaseUrl);
  const headers = {
    cookie,
    origin: publicBaseUrl,
    'content-type': 'application/x-www-form-urlencoded',
  };
  return {
    httpMethod: form === undefined ? 'GET' : 'POST',
    resource: '/dashboard/{proxy+}',
    path: url.pathname,
    pathParameters: { proxy: url.pathname.slice('/dashboard/'.length) },
    multiValueQueryStringParameters: Object.fromEntries([...url.searchParams].map(([n, v]) => [n, [v]])),
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([n, v]) => [n, [v]])),
    body: form === undefined ? null : form.toString(),
    isBase64Encoded: false,
    requestContext: { requestId: 'bench' },
  };
}

async function main(): Promise<boolean> {
  process.stdout.write(`Node ${process.version}; bundling …\n`);
  await bundleFunctions();
  const embedded = await startEmbeddedTable();
  const secrets = await startSecrets([{ name: 'session', arn: 'session', value: 'bench'.repeat(10) }]);
  try {
    process.stdout.write('storing 5,000 tasks …\n');
    const clinic = await storeBusyClinic(
      embedded.table,
      localKms(embedded.keys).keyMaker(embedded.table.name),
    );
    const ask = askingAs(clinic.email, embedded, loadDashboard(embedded, secrets.endpoint));
    const id = clinic.projectId;
    const tasks = (query: Parameters<typeof links.tasks>[1] = {}) => links.tasks(id, query);
    const deep = /href="([^"]+cursor=[^"]+)"/.exec((await ask(tasks())).body)?.[1]?.replaceAll('&amp;', '&');
    const lists: readonly (readonly [name: string, address: string, search?: string])[] = [
      ['tasks, newest first', tasks()],
      ['tasks, oldest first', tasks({ sort: 'oldest' })],
      ['tasks, second page', deep ?? ''],
      ['tasks, failed (one in ten)', tasks({ status: 'FAILED' })],
      ['tasks, canceled (one in a thousand)', tasks({ status: 'CANCELLED' })],
      ['tasks, needs follow-up', tasks({ needs: 'follow-up' })],
      ['tasks, needs review', tasks({ needs: 'review' })],
      ['tasks, assigned to me (three, old)', tasks({ assigned: 'me' })],
      ['tasks, a number (five)', tasks({ number_of: clinic.taskId })],
      ['tasks of one patient', tasks({ patient_id: clinic.patientId })],
      ['tasks, by next attempt', tasks({ sort: 'next-attempt' })],
      ['tasks, by patient', tasks({ sort: 'patient' })],
      ['patients', links.patients(id)],
      ['search by name', links.find(id), clinic.name],
      ['search by number', links.find(id), clinic.phoneNumber],
      ['search by confirmation number', links.find(id), clinic.reference],
      ['search by words of a task', links.find(id), 'knee arthroscopy'],
      ['overview', links.project(id)],
      ['results by destination', links.results(id, { by: 'destination', days: 30 })],
    ];
    let kept = true;
    process.stdout.write(`\n${'list'.padEnd(40)}function ms   table ms  median ms\n`);
    for (const [name, address, search] of lists) {
      const times: number[] = [];
      const spent = { own: 0, servers: 0 };
      for (let round = -1; round < rounds; round += 1) {
        const { ms, spentMs } = await ask(address, search);
        // The first round only warms the code.
        if (round < 0) continue;
        times.push(ms);
        spent.own += spentMs.own / rounds;
        spent.servers += spentMs.servers / rounds;
      }
      times.sort((a, b) => a - b);
      const median = times[Math.floor(times.length / 2)] ?? Number.NaN;
      if (spent.own + spent.servers > boundMs) kept = false;
      const columns = [spent.own, spent.servers, median].map((value) => value.toFixed(0).padStart(11));
      process.stdout.write(`${name.padEnd(40)}${columns.join('')}\n`);
    }
    process.stdout.write(`\nBound: ${boundMs} ms of processor time: ${kept ? 'kept' : 'NOT KEPT'}\n`);
    return kept;
  } finally {
    await secrets.stop();
    await embedded.stop();
  }
}

await runCommand('bench-lists', 'The lists were not measured', { help: usage }, async () =>
  (await main()) ? 0 : 1,
);
