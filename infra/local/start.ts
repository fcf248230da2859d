import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { readPersonas } from '../../shared/sandbox-phone/personas/own-personas.ts';
import { parsed, UsageError } from '../command.ts';
import { bold, dim } from './demo/progress.ts';
import { type DemoReport, runDemo } from './demo/run-demo.ts';
import { demoPeople } from './identity/demo-people.ts';
import { type Launched, launch } from './launch.ts';
import { dynamoDbInWords } from './servers/dynamodb-server.ts';
import { writeStackEnvironment } from './stack-environment.ts';
import { writeWholeJson } from './whole-file.ts';

const usage = `Runs the whole service on this machine, on 127.0.0.1 only, and runs a demo.

Usage: npm start -- [options]

  --port N            port of the REST and WebSocket APIs (default 3000; 0 picks a free one)
  --data DIR          where tables, queues and recordings are kept (default .local); a restart continues there
  --no-demo           start without running the demo
  --ready-file FILE   once the stack answers, write base_url, project_id, api_key and webhook_signing_secret as JSON
  --webhook-url URL   send the demo project's webhooks there instead of to the built-in receiver
  --pace SECONDS      real seconds per second of a sandbox call (default 0.05; 0 does not wait at all, 1 is real time)
  --people DIR        add your own personas: one JSON file each (shared/sandbox-phone/personas/README.md)
  --parameter N=V     a parameter of the template, such as DialogueModel=bedrock; may be repeated
  --help              show this text

Ctrl-C stops everything that was started.
`;

interface Options {
  readonly port: number;
  readonly dataDirectory: string;
  readonly demo: boolean;
  readonly readyFile: string | null;
  readonly webhookUrl: string | null;
  readonly pace: string | null;
  readonly peopleDirectory: string | null;
  readonly parameters: Readonly<Record<string, string>>;
}

function readOptions(args: string[]): Options | 'help' {
  const { values } = parsed(() => parse(args));
  if (values.help) return 'help';
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${values.port}"`);
  }
  if (values.pace !== undefined && !/^\d+(\.\d+)?$/.test(values.pace)) {
    throw new UsageError(`--pace must be a number of seconds, not "${values.pace}"`);
  }
  if (values['webhook-url'] !== undefined && !URL.canParse(values['webhook-url'])) {
    throw new UsageError(`--webhook-url must be a URL, not "${values['webhook-url']}"`);
  }
  return {
    port,
    dataDirectory: resolve(values.data),
    demo: values.demo,
    readyFile: values['ready-file'] === undefined ? null : resolve(values['ready-file']),
    webhookUrl: values['webhook-url'] ?? null,
    pace: values.pace ?? null,
    peopleDirectory: values.people === undefined ? null : resolve(values.people),
    parameters: Object.fromEntries(values.parameter.map(readParameter)),
  };
}

function readParameter(text: string): [string, string] {
  const [, name, value] = /^([A-Za-z0-9]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new UsageError(
      `--parameter must be a name and a value, as in DialogueModel=bedrock, not "${text}"`,
    );
  }
  return [name, value];
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowNegative: true,
    options: {
      port: { type: 'string', default: '3000' },
      data: { type: 'string', default: '.local' },
      demo: { type: 'boolean', default: true },
      'ready-file': { type: 'string' },
      'webhook-url': { type: 'string' },
      pace: { type: 'string' },
      people: { type: 'string' },
      parameter: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
}

function printAddresses({ stack, project }: Launched, environmentPath: string, options: Options): void {
  const sendsMail = (options.parameters.MailFrom ?? '') !== '';
  process.stdout.write(`\n${bold('The service is up.')}
  base URL        ${stack.baseUrl}
  API, as a page  ${stack.baseUrl}/docs
  dashboard       ${stack.baseUrl}/dashboard
  sign in as      ${demoPeople.owner.name}, or anyone else on the sign-in page; no password
  project         ${project.project_id}
  API key         ${project.api_key}
  webhook secret  ${project.webhook_signing_secret}
  AWS endpoints   ${relative('', environmentPath)}
  DynamoDB        ${dynamoDbInWords()}
${sendsMail ? `  mail            ${join(relative('', options.dataDirectory), 'outbox')}, not sent\n` : ''}`);
}

function printPeople(people: readonly PersonaFile[]): void {
  if (people.length === 0) return;
  process.stdout.write(`\n${bold('Your own personas:')}\n`);
  for (const person of people) {
    process.stdout.write(`  ${person.numbers.join(', ').padEnd(14)}  ${person.about}\n`);
  }
}

function printDemoReport(report: DemoReport, options: Options, { stack, project }: Launched): void {
  const completed = report.tasks.filter((task) => task.status === 'COMPLETED').length;
  process.stdout.write(
    `\n${bold(`Demo: ${completed} of ${report.tasks.length} tasks completed in ${report.seconds.toFixed(1)} s.`)}\n`,
  );
  for (const problem of report.problems) process.stdout.write(`  problem: ${problem}\n`);
  process.stdout.write(`  recordings      ${join(options.dataDirectory, 'recordings')}\n`);
  const task = report.tasks[0];
  if (task === undefined) return;
  const key = `-H 'Authorization: Bearer ${project.api_key}'`;
  const body = JSON.stringify({
    task_type: 'CUSTOM_TASK',
    task: 'Ask the practice about parking.',
    phone_number: '+12025550103',
    project_id: project.project_id,
    patient_id: report.patientId,
    task_data: { questions_to_ask: [{ index: 0, question: 'Is there parking at your office?' }] },
  });
  process.stdout.write(`
${bold('Try it:')}
${dim('# a finished task with its transcript and structured result')}
curl -s ${key} '${stack.baseUrl}/v1/task/${task.taskId}?include_transcript=true&include_result=true'

${dim('# the patient')}
curl -s ${key} ${stack.baseUrl}/v1/patient/${report.patientId}

${dim('# another call')}
curl -s -X POST ${key} -H 'Content-Type: application/json' ${stack.baseUrl}/v1/task -d '${body}'
`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  if (options.readyFile !== null && !existsSync(dirname(options.readyFile))) {
    throw new UsageError(`--ready-file needs a directory that exists, not ${dirname(options.readyFile)}`);
  }
  const people = options.peopleDirectory === null ? [] : await readPersonas(options.peopleDirectory);
  const launched = await launch({ ...options, people });
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    process.stdout.write('\nStopping …\n');
    await launched.stop();
    process.exit(process.exitCode ?? 0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());

  const environmentPath = await writeStackEnvironment(options.dataDirectory, launched.stack);
  printAddresses(launched, environmentPath, options);
  printPeople(people);
  if (options.readyFile !== null) {
    await writeWholeJson(options.readyFile, {
      base_url: launched.stack.baseUrl,
      project_id: launched.project.project_id,
      api_key: launched.project.api_key,
      webhook_signing_secret: launched.project.webhook_signing_secret,
    });
  }
  if (options.demo) {
    process.stdout.write('\n');
    try {
      const report = await runDemo({
        baseUrl: launched.stack.baseUrl,
        projectId: launched.project.project_id,
        apiKey: launched.project.api_key,
        receiver: options.webhookUrl === null ? launched.receiver : null,
        recordingsDirectory: join(options.dataDirectory, 'recordings'),
      });
      printDemoReport(report, options, launched);
    } catch (error) {
      // A demo fails when its service stops; that is expected.
      if (!stopping) throw error;
    }
  }
  if (!stopping) process.stdout.write(`\n${dim('Ctrl-C stops the service.')}\n`);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
