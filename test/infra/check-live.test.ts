import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const accountSid = `AC${'0'.repeat(31)}7`;
const keySid = `SK${'0'.repeat(31)}8`;
const token = 'invented-auth-token';
const keySecret = 'invented-key-secret';
const number = '+12025550150';
const serviceUrl = 'https://api.example.test/prod';
const topicArn = 'arn:aws:sns:us-east-1:123456789012:alarms';
const model = 'us.anthropic.claude-haiku-4-5-20251001-v1:0';

/** A status with a body: an object as JSON, text as it is. Or nothing ever. */
type Answer = readonly [status: number, body: unknown] | 'silence';
type Answers = Record<string, Answer>;

const refused: Answer = [401, { code: 20003, message: 'Authenticate', status: 401 }];
/** Of an account that is ready, by the last part of the path. */
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

const member = (...entries: [string, string][]): string =>
  `<member>${entries.map(([name, value]) => `<${name}>${value}</${name}>`).join('')}</member>`;
const subscriptions = (...members: string[]): Answer => [
  200,
  `<ListSubscriptionsByTopicResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><ListSubscriptionsByTopicResult>
    <Subscriptions>${members.join('')}</Subscriptions></ListSubscriptionsByTopicResult></ListSubscriptionsByTopicResponse>`,
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

let carrierAnswers: Answers = {};
let awsAnswers: Answers = {};
let embedded: EmbeddedTable;
let store: SecretStore;
let carrier: TestServer;
let aws: TestServer;
let bedrock: FakeBedrock;
let bedrockStatus = 200;

function give(response: ServerResponse, answer: Answer): void {
  if (answer === 'silence') return;
  const [status, body] = answer;
  if (typeof body === 'string') response.writeHead(status).end(body);
  else respondJson(response, status, body);
}

/** As the carrier lets in: the account by its token only, everything else by the key, recordings by nobody. */
function isLetIn({ url, headers }: SeenRequest, resource: string): boolean {
  if (resource.endsWith('.wav')) return headers.authorization === undefined;
  const login = resource === `${accountSid}.json` ? `${accountSid}:${token}` : `${keySid}:${keySecret}`;
  return url !== '' && headers.authorization === `Basic ${Buffer.from(login).toString('base64')}`;
}

beforeAll(async () => {
  [embedded, store, carrier, aws, bedrock] = await Promise.all([
    startEmbeddedTable(),
    startSecretStore(),
    startTestServer((request, response) => {
      const resource = request.url.split('?')[0]?.split('/').at(-1) ?? '';
      give(
        response,
        isLetIn(request, resource) ? (carrierAnswers[resource] ?? [404, { code: 20404 }]) : refused,
      );
    }),
    startTestServer(({ url, body }, response) => {
      const action = new URLSearchParams(body).get('Action') ?? 'lambda';
      give(
        response,
        awsAnswers[url] ??
          awsAnswers[url.startsWith('/2016-08-19/account-settings') ? 'lambda' : action] ?? [500, ''],
      );
    }),
    startFakeBedrock(() =>
      bedrockStatus === 200 ? speaks('Yes') : { status: bedrockStatus, type: 'AccessDeniedException' },
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
});
afterAll(() => Promise.all([embedded.stop(), store.stop(), carrier.stop(), aws.stop(), bedrock.stop()]));
beforeEach(() => {
  carrierAnswers = { ...readyCarrier };
  awsAnswers = { ...readyAws };
  bedrockStatus = 200;
  store.put('carrier', {
    account_sid: accountSid,
    api_key_sid: keySid,
    api_key_secret: keySecret,
    auth_tokens: [token],
  });
});

function run(args: readonly string[], variables: Record<string, string> = {}): Promise<CommandRun> {
  return runCommandOn(embedded, 'check-live', args, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint,
    AWS_ENDPOINT_URL_LAMBDA: aws.origin,
    AWS_ENDPOINT_URL_SES: aws.origin,
    AWS_ENDPOINT_URL_SNS: aws.origin,
    AWS_ENDPOINT_URL_CLOUDFORMATION: aws.origin,
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock.origin,
    ...variables,
  });
}

const needed = (): string[] => [
  ...['--table', embedded.table.name, '--carrier-secret', 'carrier', '--carrier-url', carrier.origin],
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
    isSilent() ? '1' : '30',
  ],
];

/** Whether somebody never answers, for which no test waits long. */
function isSilent(): boolean {
  return [...Object.values(carrierAnswers), ...Object.values(awsAnswers)].includes('silence');
}

/** The findings by what was checked, and how the command ended. */
async function findingsOf(
  args: readonly string[] = needed(),
): Promise<{ exitCode: number; by: (check: string) => Finding | undefined; all: Finding[]; stdout: string }> {
  const { exitCode, stdout, stderr } = await run([...args, '--json']);
  expect(stderr).toBe('');
  const all: Finding[] = JSON.parse(stdout).findings;
  return { exitCode, all, stdout, by: (check) => all.find((finding) => finding.check === check) };
}

describe('check-live', () => {
  test('says that all is there, but for what only a person can see', async () => {
    const { exitCode, all } = await findingsOf();
    expect(all.filter(({ state }) => state !== 'ok')).toMatchObject([
      { check: 'addendum for ConversationRelay', state: 'cannot-tell' },
    ]);
    expect(exitCode).toBe(0);
    expect(all.map(({ check }) => check)).toEqual([
      'concurrent executions of Lambda',
      'alarms by mail',
      'mail of the service',
      `language model ${model}`,
      'carrier secret',
      'account',
      'requests to the carrier',
      `caller number ${number}`,
      `inbound calls of ${number}`,
      'calls to CA',
      'calls to US',
      'authentication for recordings',
      'addendum for ConversationRelay',
      'live projects',
    ]);
    expect(bedrock.requests.at(-1)?.inferenceConfig.maxTokens).toBe(1);
    const signed = aws.requests.map(({ headers }) => headers.authorization ?? '');
    expect(signed.every((header) => header.startsWith('AWS4-HMAC-SHA256 Credential=local/'))).toBe(true);
    // The audio of a patient stays where it is.
    expect(carrier.requests.filter(({ url }) => url.endsWith('.wav')).map(({ method }) => method)).toEqual([
      'HEAD',
    ]);
  });

  const numbers = (...list: object[]): Answer => [200, { incoming_phone_numbers: list }];
  test.each<[string, Answers, string, Finding['state'], string]>([
    [
      'trial',
      { [`${accountSid}.json`]: [200, { status: 'active', type: 'Trial' }] },
      'account',
      'missing',
      'Upgrade',
    ],
    [
      'suspended',
      { [`${accountSid}.json`]: [200, { status: 'suspended', type: 'Full' }] },
      'account',
      'missing',
      'suspended',
    ],
    ['a wrong token', { [`${accountSid}.json`]: refused }, 'account', 'missing', 'auth_tokens'],
    ['a silent account', { [`${accountSid}.json`]: 'silence' }, 'account', 'cannot-tell', 'in time'],
    ['a broken account', { [`${accountSid}.json`]: [200, '<html>'] }, 'account', 'cannot-tell', 'status 200'],
    [
      'a wrong key',
      { 'IncomingPhoneNumbers.json': refused },
      'requests to the carrier',
      'missing',
      'API key',
    ],
    [
      'no voice',
      {
        'IncomingPhoneNumbers.json': numbers({ phone_number: number, capabilities: { voice: false } }),
      },
      `caller number ${number}`,
      'missing',
      'without voice',
    ],
    ...[
      { voice_url: null },
      { voice_url: 'https://demo.twilio.com/welcome/voice/', voice_method: 'POST' },
      { voice_url: `${serviceUrl}/carrier/inbound`, voice_method: 'GET' },
      { voice_url: `${serviceUrl}/carrier/inbound`, voice_application_sid: `AP${'0'.repeat(32)}` },
    ].map((voice): [string, Answers, string, Finding['state'], string] => [
      `a number that answers by ${JSON.stringify(voice)}`,
      { 'IncomingPhoneNumbers.json': numbers({ phone_number: number, ...voice }) },
      `inbound calls of ${number}`,
      'missing',
      `${serviceUrl}/carrier/inbound`,
    ]),
    [
      'a longer number only',
      { 'IncomingPhoneNumbers.json': numbers({ phone_number: `${number}1` }) },
      `caller number ${number}`,
      'missing',
      'no number of the account',
    ],
    [
      'a verified number',
      {
        'IncomingPhoneNumbers.json': numbers(),
        'OutgoingCallerIds.json': [200, { outgoing_caller_ids: [{ phone_number: number }] }],
      },
      `caller number ${number}`,
      'ok',
      'verified',
    ],
    [
      'too many requests',
      { 'OutgoingCallerIds.json': [429, { code: 20429 }], 'IncomingPhoneNumbers.json': numbers() },
      `caller number ${number}`,
      'cannot-tell',
      '429',
    ],
    [
      'a closed country',
      { CA: [200, { low_risk_numbers_enabled: false }] },
      'calls to CA',
      'missing',
      'Tick',
    ],
    ['Canada under the United States', { CA: [404, { code: 20404 }] }, 'calls to CA', 'ok', 'may call there'],
    ['an unknown country', { US: [404, { code: 20404 }] }, 'calls to US', 'cannot-tell', 'Geo permissions'],
    [
      'fraud let through',
      { US: [200, { low_risk_numbers_enabled: true, high_risk_tollfraud_numbers_enabled: true }] },
      'calls to US',
      'missing',
      'Untick',
    ],
    ['a fault', { US: [503, 'no'] }, 'calls to US', 'cannot-tell', '503'],
    [
      'open recordings',
      { [`RE${'0'.repeat(31)}9.wav`]: [200, ''] },
      'authentication for recordings',
      'missing',
      'Enforce HTTP Auth',
    ],
    [
      'no recordings',
      { 'Recordings.json': [200, { recordings: [] }] },
      'authentication for recordings',
      'cannot-tell',
      'Enforce HTTP Auth',
    ],
  ])('of a carrier with %s', async (_, answers, check, state, words) => {
    Object.assign(carrierAnswers, answers);
    const { exitCode, by, stdout } = await findingsOf();
    expect(by(check)?.state).toBe(state);
    expect(JSON.stringify(by(check))).toContain(words);
    expect(exitCode).toBe(state === 'missing' ? 1 : 0);
    for (const secret of [token, keySecret, accountSid, keySid]) expect(stdout).not.toContain(secret);
  });

  test.each<[string, Answers, string, Finding['state'], string]>([
    [
      'few executions',
      { lambda: [200, { AccountLimit: { ConcurrentExecutions: 10 } }] },
      'concurrent executions of Lambda',
      'missing',
      'Service Quotas',
    ],
    [
      'no right to ask',
      { lambda: [403, { message: 'not authorized' }] },
      'concurrent executions of Lambda',
      'cannot-tell',
      'lambda:GetAccountSettings',
    ],
    [
      'nobody to alarm',
      { ListSubscriptionsByTopic: subscriptions() },
      'alarms by mail',
      'missing',
      'AlarmEmail',
    ],
    [
      'an address that did not confirm',
      {
        ListSubscriptionsByTopic: subscriptions(
          member(['Protocol', 'email'], ['SubscriptionArn', 'PendingConfirmation']),
        ),
      },
      'alarms by mail',
      'missing',
      'Click the link',
    ],
    [
      'an address to send from that is not verified',
      { '/v2/email/identities/mail.example.com': [200, { VerifiedForSendingStatus: false }] },
      'mail of the service',
      'missing',
      'Verify one',
    ],
    [
      'mail for its own people only',
      { '/v2/email/account': [200, { ProductionAccessEnabled: false, SendingEnabled: true }] },
      'mail of the service',
      'missing',
      'production access',
    ],
    [
      'mail that is paused',
      { '/v2/email/account': [200, { ProductionAccessEnabled: true, SendingEnabled: false }] },
      'mail of the service',
      'missing',
      'paused',
    ],
    [
      'no right to ask for identities',
      { '/v2/email/identities/mail.example.com': [403, { message: 'not authorized' }] },
      'mail of the service',
      'cannot-tell',
      'ses:GetEmailIdentity',
    ],
    ['a silent topic', { ListSubscriptionsByTopic: 'silence' }, 'alarms by mail', 'cannot-tell', 'in time'],
  ])('of an AWS account with %s', async (_, answers, check, state, words) => {
    Object.assign(awsAnswers, answers);
    const { exitCode, by } = await findingsOf();
    expect(by(check)?.state).toBe(state);
    expect(JSON.stringify(by(check))).toContain(words);
    expect(exitCode).toBe(state === 'missing' ? 1 : 0);
  });

  test.each<[number, Finding['state']]>([
    [403, 'missing'],
    [400, 'missing'],
    [429, 'cannot-tell'],
    [503, 'cannot-tell'],
  ])('of a language model that answers %i', async (status, state) => {
    bedrockStatus = status;
    expect((await findingsOf()).by(`language model ${model}`)?.state).toBe(state);
  });

  test.each<[string, () => void, Finding['state']]>([
    ['is not there', () => store.set('carrier', { error: 'ResourceNotFoundException' }), 'missing'],
    ['is not given', () => store.set('carrier', { error: 'AccessDeniedException' }), 'cannot-tell'],
    ['holds something else', () => store.put('carrier', { user: 'x', password: token }), 'missing'],
    ['is not answered', () => store.set('carrier', { error: 'InternalServiceError' }), 'cannot-tell'],
  ])('of a secret that %s asks the carrier nothing', async (_, arrange, state) => {
    arrange();
    const before = carrier.requests.length;
    const { by, stdout } = await findingsOf();
    expect(by('carrier secret')?.state).toBe(state);
    expect(carrier.requests).toHaveLength(before);
    expect(stdout).not.toContain(token);
  });

  test('reads of a stack in CloudFormation what else must be said', async () => {
    const outputs = [
      member(['OutputKey', 'TableName'], ['OutputValue', embedded.table.name]),
      member(['OutputKey', 'AlarmTopicArn'], ['OutputValue', topicArn]),
    ];
    const parameters = Object.entries({
      LiveCarrierSecretId: 'carrier',
      LiveCarrierMaxCalls: '900',
      MailFrom: 'calls@mail.example.com',
      DialogueModel: 'bedrock',
      BedrockModelId: model,
      BedrockStandbyModelId: '',
      BedrockRegion: '',
    }).map(([name, value]) => member(['ParameterKey', name], ['ParameterValue', value]));
    awsAnswers.DescribeStacks = [
      200,
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
        <StackId>arn:aws:cloudformation:us-east-1:123456789012:stack/Some/1</StackId>
        <Outputs>${outputs.join('')}</Outputs><Parameters>${parameters.join('')}</Parameters>
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    ];
    const args = ['--stack', 'VoiceAgentTasks-prod', '--carrier-url', carrier.origin];
    const { exitCode, by, all } = await findingsOf(args);
    expect(by('concurrent executions of Lambda')).toMatchObject({ state: 'missing' });
    expect(all.filter(({ state }) => state === 'missing')).toHaveLength(1);
    expect(by('mail of the service')?.state).toBe('ok');
    expect(by(`language model ${model}`)?.seen).toContain('us-east-1');
    expect([exitCode, by('live projects')?.state]).toEqual([1, 'ok']);

    awsAnswers.DescribeStacks = [400, '<Message>Stack with id Some does not exist</Message>'];
    expect(await run(['--stack', 'Some'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no stack Some'),
    });
    awsAnswers.DescribeStacks = [403, '<Message>not authorized</Message>'];
    const denied = await findingsOf(args);
    expect(denied.by('stack')).toMatchObject({
      state: 'cannot-tell',
      todo: expect.stringContaining('cloudformation:DescribeStacks'),
    });
  });

  test('tells people what to do, a line each', async () => {
    carrierAnswers[`${accountSid}.json`] = [200, { status: 'active', type: 'Trial' }];
    const { exitCode, stdout, stderr } = await run(needed());
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^missing {6}account: .*trial.*\n {13}-> Upgrade it under Admin/m);
    expect(stdout).toMatch(/\n\n12 ok, 1 missing, 1 cannot tell\n$/);
  });

  test('tells when the table cannot be read', async () => {
    const args = ['--table', 'another', ...needed().slice(2)];
    expect((await findingsOf(args)).by('live projects')?.state).toBe('cannot-tell');
  });

  test.each([
    [[], '--table, or --stack, is required'],
    [['--table', 'x'], '--carrier-secret is required'],
    [['--stack', 'x', '--carrier-url', 'x'], '--carrier-url must be an address'],
    [['--stack', 'x', '--timeout-seconds', '0'], '--timeout-seconds must be a number from 1 to 60'],
    [['--stack', 'x', '--bedrock-model', 'x', '--bedrock-region', ''], '--bedrock-region is required'],
  ])('says what is wrong with %j', async (args, problem) => {
    const { exitCode, stderr } = await run(args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
