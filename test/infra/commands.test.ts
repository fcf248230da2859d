import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenOnLoopback } from '../../infra/loopback.ts';
import {
  type CommandRun,
  endingTheirProcess,
  runCommandOn,
  runProcessOn,
  type Variables,
} from '../support/command-run.ts';
import { inFull } from '../support/in-full.ts';

const project = '0192e4a0-0000-7000-8000-000000000000';
const queue = 'https://sqs.us-east-1.amazonaws.com/1/example';
const since = new Date(Date.now() - 3_600_000).toISOString();

/** Every command that calls AWS, with valid arguments. */
const awsCommands: readonly (readonly [name: string, ...args: string[]])[] = [
  ['create-project', '--table', 'x', '--name', 'x'],
  ['add-owner', '--table', 'x', '--project', project, '--email', 'olive@clinic.example.com'],
  [
    'grant-live',
    '--table',
    'x',
    '--project',
    project,
    '--carrier-secret',
    'x',
    '--caller-number',
    '+12025550199',
  ],
  ['opt-outs', '--table', 'x', '--operator'],
  ['destinations', '--table', 'x'],
  ['verify-audit', '--table', 'x'],
  ['redrive', '--table', 'x', '--delivery-queue', queue, '--since', since],
  ['redrive', '--dead-letters', queue, '--to', queue],
  ['migrate', '--table', 'x', '--dry-run'],
  ['erase-project', '--table', 'x', '--project', project],
  ['check-live', '--stack', 'x'],
];

/** All other commands that people run. */
const otherCommands = [
  'bundle',
  'cost',
  'lint-template',
  'renew-time-zones',
  'train-language',
  'local/demo',
  'local/doctor',
  'local/sign-in',
  'local/smoke',
  'local/start',
  '../test/bench/bench',
  '../test/bench/bench-batch',
  '../test/bench/bench-lists',
  '../test/bench/bench-side-by-side',
  '../test/bench/count-calls',
  '../test/clients/test-clients',
  '../test/crash/crash-test',
  '../test/dynamodb-local/test-dynamodb-local',
  '../test/evaluation/evaluate',
  '../test/evaluation/evaluate-strangers',
  '../test/firefox/test-firefox',
  '../test/load/load',
  '../test/simulation/simulate',
];

/** An environment without AWS variables, whatever this machine has. */
const withoutAws = {
  AWS_REGION: undefined,
  AWS_DEFAULT_REGION: undefined,
  AWS_PROFILE: undefined,
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_ENDPOINT_URL_DYNAMODB: undefined,
  AWS_CONFIG_FILE: '/nowhere',
  AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
  AWS_EC2_METADATA_DISABLED: 'true',
};

const run = (name: string, args: readonly string[], variables: Variables) =>
  runCommandOn({ endpoint: '' }, name, args, variables);

/** Checks that it failed, did nothing, and says in its last line what to do. */
function expectRemedy({ exitCode, stdout, stderr }: CommandRun, said: RegExp): void {
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain('    at ');
  expect([exitCode, stdout]).toEqual([1, '']);
}

// One that uses the SDK, and one that sends its own requests.
test.each([
  ['migrate', '--table', 'x'],
  ['check-live', '--stack', 'x'],
])('%s without a region explains how to set one', async (name, ...args) => {
  expectRemedy(await run(name, args, withoutAws), /Region is missing\n\n.*AWS_REGION/);
});

test.each(awsCommands)('%s without credentials explains how to provide them', async (name, ...args) => {
  const ran = await run(name, args, { ...withoutAws, AWS_REGION: 'us-east-1' });
  expectRemedy(ran, /credentials.*\n\n.*AWS_PROFILE.*AWS_ACCESS_KEY_ID/);
});

test.each([
  [
    'ExpiredTokenException',
    'The security token included in the request is expired',
    /expired\n\n.*sign in again/i,
  ],
  [
    'UnrecognizedClientException',
    'The security token included in the request is invalid.',
    /invalid.*\n\n.*AWS_PROFILE/,
  ],
  ['AccessDeniedException', 'Role x is not authorized to perform: dynamodb:Query', /Query\n\n.*allow/],
  ['ResourceNotFoundException', 'Requested resource not found', /not found\n\n.*outputs.*AWS_REGION/],
])('explains a request of %s that AWS refuses', async (type, message, said) => {
  const server = createServer((_, response) => {
    response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }));
  });
  const endpoint = `http://127.0.0.1:${await listenOnLoopback(server, 0)}`;
  try {
    expectRemedy(await runCommandOn({ endpoint }, 'migrate', ['--table', 'x']), said);
  } finally {
    server.close();
  }
});

test('suggests checking the address if nothing responds', async () => {
  const ran = await runCommandOn({ endpoint: 'http://127.0.0.1:1' }, 'migrate', ['--table', 'x']);
  expectRemedy(ran, /127\.0\.0\.1:1\n\n.*AWS_REGION/);
});

test('names the address that a client does not reach', async () => {
  const args = ['--url', 'http://127.0.0.1:2', '--project', project, '--key', 'vat_test_x'];
  const { exitCode, stderr } = await run('local/smoke', args, {});
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/fetch failed: .*127\.0\.0\.1:2/)]);
});

const awsNames = new Set(awsCommands.map(([name]) => name));

/** Two of them stand for the others, which take a second each to load twice. */
const inOwnProcess = inFull ? endingTheirProcess : endingTheirProcess.slice(0, 2);

const explained = [...awsNames, ...otherCommands].filter(
  (name) => inOwnProcess.includes(name) || !endingTheirProcess.includes(name),
);

test.each(explained)('%s explains its usage and refuses unknown options', async (name) => {
  const ask = endingTheirProcess.includes(name) ? runProcessOn : runCommandOn;
  // Other tests start the commands that call AWS in a separate process anyway.
  const explain = inFull && !awsNames.has(name) ? runProcessOn : ask;
  const help = await explain({ endpoint: '' }, name, ['--help']);
  const unknown = await ask({ endpoint: '' }, name, ['--nonsense']);
  expect(help).toMatchObject({ exitCode: 0, stderr: '' });
  expect(help.stdout).toContain('--help');
  expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/^Unknown option '--nonsense'/);
  expect(unknown.stderr).toContain('--help');
});
