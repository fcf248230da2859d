import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { type LiveGrant, usualGrant } from '#shared/domain/live-grant.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { Finding } from '../../infra/check-live/finding.ts';
import { type CommandRun, runCommandOn } from '../support/command-run.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../support/embedded-table.ts';
import { type FakeBedrock, speaks, startFakeBedrock } from '../support/fake-bedrock.ts';
import { respondJson, type SeenRequest, startTestServer, type TestServer } from '../support/http-server.ts';
import { sampleProject } from '../support/sample-tasks.ts';
import { type SecretStore, startSecretStore } from '../support/secret-store.ts';

export const accountSid = `AC${'0'.repeat(31)}7`;
export const keySid = `SK${'0'.repeat(31)}8`;
export const token = 'invented-auth-token';
export const keySecret = 'invented-key-secret';
export const number = '+12025550150';
export const serviceUrl = 'https://api.example.test/prod';
export const topicArn = 'arn:aws:sns:us-east-1:123456789012:alarms';
export const model = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';

/** A status with a body: an object as JSON, or text. Or no response at all. */
export type Answer = readonly [status: number, body: unknown] | 'silence';
export type Answers = Record<string, Answer>;

export const refused: Answer = [401, { code: 20003, message: 'Authenticate', status: 401 }];
/** The responses of an account that is ready, by the last part of the path. */
const readyCarrier: Answers = {
  [`${accountSid}.json`]: [200, { sid: accountSid, status: 'active', type: 'Full', friendly_name: 'Ours' }],
  'IncomingPhoneNumbers.json': [
    200,
    {
      incoming_phone_numbers: [
        {
          phone_number: number,
          capabilities: { voice: true, sms: false },
          voice_url: `${serviceUrl}/carrier/inbound`,
          voice_method: 'POST',
          voice_application_sid: '',
          trunk_sid: null,
        },
      ],
    },
  ],
  'OutgoingCallerIds.json': [200, { outgoing_caller_ids: [] }],
  US: [200, { iso_code: 'US', low_risk_numbers_enabled: true, high_risk_tollfraud_numbers_enabled: false }],
  CA: [200, { iso_code: 'CA', low_risk_numbers_enabled: true, high_risk_tollfraud_numbers_enabled: false }],
  'Recordings.json': [200, { recordings: [{ sid: `RE${'0'.repeat(31)}9`, status: 'completed' }] }],
  [`RE${'0'.repeat(31)}9.wav`]: [401, ''],
};

export const member = (...entries: [string, string][]): string =>
  `<member>${entries.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</member>`;
export const subscriptions = (...members: string[]): Answer => [
  200,
  `<ListSubscriptionsByTopicResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><ListSubscriptionsByTopicResult>
    <Subscriptions>${members.join('')}</Subscriptions>
  </ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`,
];
const readyAws: Answers = {
  lambda: [200, { AccountLimit: { ConcurrentExecutions: 1000 }, AccountUsage: {} }],
  ListSubscriptionsByTopic: subscriptions(
    member(['Protocol', 'email'], ['SubscriptionArn', `${topicArn}:5f2c`]),
  ),
  '/v2/email/identities/calls%40mail.example.com': [404, { message: 'Email identity does not exist.' }],
  '/v2/email/identities/mail.example.com': [200, { VerifiedForSendingStatus: true }],
  '/v2/email/account': [200, { ProductionAccessEnabled: true, SendingEnabled: true }],
};

/** The responses from now on; tests change them. */
interface Answered {
  carrier: Answers;
  aws: Answers;
  bedrockStatus: number;
}

function readyAnswers(): Answered {
  return { carrier: { ...readyCarrier }, aws: { ...readyAws }, bedrockStatus: 200 };
}

export interface LiveAccount {
  readonly answers: Answered;
  readonly embedded: EmbeddedTable;
  readonly store: SecretStore;
  readonly carrier: TestServer;
  readonly aws: TestServer;
  readonly bedrock: FakeBedrock;
  stop(): Promise<unknown>;
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  const [status, body] = answer;
  if (typeof body === 'string') response.writeHead(status).end(body);
  else respondJson(response, status, body);
}

/** As the carrier does: the account only by its token, everything else by the key, recordings for nobody. */
function isLetIn({ url, headers }: SeenRequest, resource: string): boolean {
  if (resource.endsWith('.wav')) return headers.authorization === undefined;
  const login = resource === `${accountSid}.json` ? `${accountSid}:${token}` : `${keySid}:${keySecret}`;
  return url !== '' && headers.authorization === `Basic ${Buffer.from(login).toString('base64')}`;
}

/** Fake carrier and AWS accounts with configurable responses, and a table with live projects. */
export async function startLiveAccount(): Promise<LiveAccount> {
  const answers = readyAnswers();
  const [embedded, store, carrier, aws, bedrock] = await Promise.all([
    startEmbeddedTable(),
    startSecretStore(),
    startTestServer((request, response) => {
      const resource = request.url.split('?')[0]?.split('/').at(-1) ?? '';
      give(
        response,
        isLetIn(request, resource) ? (answers.carrier[resource] ?? [404, { code: 20404 }]) : refused,
      );
    }),
    startTestServer(({ url, body }, response) => {
      const action = new URLSearchParams(body).get('Action') ?? 'lambda';
      give(
        response,
        answers.aws[url] ??
          answers.aws[url.startsWith('/2016-08-19/account-settings') ? 'lambda' : action] ?? [500, ''],
      );
    }),
    startFakeBedrock(() =>
      answers.bedrockStatus === 200
        ? speaks('Yes')
        : { status: answers.bedrockStatus, type: 'AccessDeniedException' },
    ),
  ]);
  const at = new Date().toISOString();
  const since = { since: at, granted_at: at, withdrawn_at: null };
  const grant = { ...usualGrant, ...since, caller_number: number, countries: ['US', 'CA'] };
  const withdrawn = { ...grant, caller_number: '+12025550151', withdrawn_at: at };
  const live = (live_grant: LiveGrant) => sampleProject({ id: uuidv7(), carrier: 'live', live_grant });
  await writeTransaction(embedded.table, [
    putProject(embedded.table, live(grant)),
    putProject(embedded.table, live(withdrawn)),
    putProject(embedded.table, sampleProject({ id: uuidv7() })),
  ]);
  return {
    answers,
    embedded,
    store,
    carrier,
    aws,
    bedrock,
    stop: () => Promise.all([embedded.stop(), store.stop(), carrier.stop(), aws.stop(), bedrock.stop()]),
  };
}

/** Restores the account that is ready. */
export function reset({ answers, store }: LiveAccount): void {
  Object.assign(answers, readyAnswers());
  store.put('carrier', {
    account_sid: accountSid,
    api_key_sid: keySid,
    api_key_secret: keySecret,
    auth_tokens: [token],
  });
}

export function run(
  account: LiveAccount,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<CommandRun> {
  return runCommandOn(account.embedded, 'check-live', args, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: account.store.endpoint,
    AWS_ENDPOINT_URL_LAMBDA: account.aws.origin,
    AWS_ENDPOINT_URL_SES: account.aws.origin,
    AWS_ENDPOINT_URL_SNS: account.aws.origin,
    AWS_ENDPOINT_URL_CLOUDFORMATION: account.aws.origin,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: account.bedrock.origin,
    ...variables,
  });
}

export function needed(account: LiveAccount): string[] {
  return [
    ...[
      '--table',
      account.embedded.table.name,
      '--carrier-secret',
      'carrier',
      '--carrier-url',
      account.carrier.origin,
    ],
    ...[
      '--base-url',
      `${serviceUrl}/`,
      '--alarm-topic',
      topicArn,
      '--mail-from',
      'calls@mail.example.com',
      '--bedrock-model',
      model,
      '--timeout-seconds',
      isSilent(account) ? '1' : '30',
    ],
  ];
}

/** Whether a service never responds, which no test waits long for. */
function isSilent(account: LiveAccount): boolean {
  return [...Object.values(account.answers.carrier), ...Object.values(account.answers.aws)].includes(
    'silence',
  );
}

/** The findings by check, and the command's exit code. */
export async function findingsOf(
  account: LiveAccount,
  args: readonly string[] = needed(account),
): Promise<{ exitCode: number; by: (check: string) => Finding | undefined; all: Finding[]; stdout: string }> {
  const { exitCode, stdout, stderr } = await run(account, [...args, '--json']);
  expect(stderr).toBe('');
  const all: Finding[] = JSON.parse(stdout).findings;
  return { exitCode, all, stdout, by: (check) => all.find((finding) => finding.check === check) };
}
