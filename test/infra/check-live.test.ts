import { beforeEach, describe, expect, test } from 'vitest';
import type { Finding } from '../../infra/check-live/finding.ts';
import { forThisFile } from '../support/lifetime.ts';
import {
  type Answer,
  type Answers,
  accountSid,
  findingsOf,
  keySecret,
  keySid,
  member,
  model,
  needed,
  number,
  refused,
  reset,
  run,
  serviceUrl,
  startLiveAccount,
  subscriptions,
  token,
  topicArn,
} from './live-account.ts';

const account = await forThisFile(startLiveAccount());
beforeEach(() => reset(account));

describe('check-live', () => {
  test('passes everything except what only a person can check', async () => {
    const { exitCode, all } = await findingsOf(account);
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
    expect(account.bedrock.requests.at(-1)?.inferenceConfig.maxTokens).toBe(1);
    const signed = account.aws.requests.map(({ headers }) => headers.authorization ?? '');
    expect(signed.every((header) => header.startsWith('AWS4-HMAC-SHA256 Credential=local/'))).toBe(true);
    // Patients' audio stays where it is.
    expect(
      account.carrier.requests.filter(({ url }) => url.endsWith('.wav')).map(({ method }) => method),
    ).toEqual(['HEAD']);
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
      'does not have this number',
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
      'Select',
    ],
    [
      'Canada under the United States',
      { CA: [404, { code: 20404 }] },
      'calls to CA',
      'ok',
      'may call this country',
    ],
    ['an unknown country', { US: [404, { code: 20404 }] }, 'calls to US', 'cannot-tell', 'Geo permissions'],
    [
      'fraud let through',
      { US: [200, { low_risk_numbers_enabled: true, high_risk_tollfraud_numbers_enabled: true }] },
      'calls to US',
      'missing',
      'Deselect',
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
  ])('reports a carrier with %s', async (_, answers, check, state, words) => {
    Object.assign(account.answers.carrier, answers);
    const { exitCode, by, stdout } = await findingsOf(account);
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
  ])('reports an AWS account with %s', async (_, answers, check, state, words) => {
    Object.assign(account.answers.aws, answers);
    const { exitCode, by } = await findingsOf(account);
    expect(by(check)?.state).toBe(state);
    expect(JSON.stringify(by(check))).toContain(words);
    expect(exitCode).toBe(state === 'missing' ? 1 : 0);
  });

  test.each<[number, Finding['state']]>([
    [403, 'missing'],
    [400, 'missing'],
    [429, 'cannot-tell'],
    [503, 'cannot-tell'],
  ])('reports a language model that returns %i', async (status, state) => {
    account.answers.bedrockStatus = status;
    expect((await findingsOf(account)).by(`language model ${model}`)?.state).toBe(state);
  });

  test.each<[string, () => void, Finding['state']]>([
    ['is not there', () => account.store.set('carrier', { error: 'ResourceNotFoundException' }), 'missing'],
    ['is not given', () => account.store.set('carrier', { error: 'AccessDeniedException' }), 'cannot-tell'],
    ['holds something else', () => account.store.put('carrier', { user: 'x', password: token }), 'missing'],
    ['is not answered', () => account.store.set('carrier', { error: 'InternalServiceError' }), 'cannot-tell'],
  ])('does not call the carrier with a secret that %s', async (_, arrange, state) => {
    arrange();
    const before = account.carrier.requests.length;
    const { by, stdout } = await findingsOf(account);
    expect(by('carrier secret')?.state).toBe(state);
    expect(account.carrier.requests).toHaveLength(before);
    expect(stdout).not.toContain(token);
  });

  test('reads the remaining settings from the CloudFormation stack', async () => {
    const outputs = [
      member(['OutputKey', 'TableName'], ['OutputValue', account.embedded.table.name]),
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
    account.answers.aws.DescribeStacks = [
      200,
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
        <StackId>arn:aws:cloudformation:us-east-1:123456789012:stack/Some/1</StackId>
        <Outputs>${outputs.join('')}</Outputs><Parameters>${parameters.join('')}</Parameters>
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    ];
    const args = ['--stack', 'VoiceAgentTasks-prod', '--carrier-url', account.carrier.origin];
    const { exitCode, by, all } = await findingsOf(account, args);
    expect(by('concurrent executions of Lambda')).toMatchObject({ state: 'missing' });
    expect(all.filter(({ state }) => state === 'missing')).toHaveLength(1);
    expect(by('mail of the service')?.state).toBe('ok');
    expect(by(`language model ${model}`)?.seen).toContain('us-east-1');
    expect([exitCode, by('live projects')?.state]).toEqual([1, 'ok']);

    account.answers.aws.DescribeStacks = [400, '<Message>Stack with id Some does not exist</Message>'];
    expect(await run(account, ['--stack', 'Some'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no stack Some'),
    });
    account.answers.aws.DescribeStacks = [403, '<Message>not authorized</Message>'];
    const denied = await findingsOf(account, args);
    expect(denied.exitCode).toBe(1);
    expect(denied.by('stack')).toMatchObject({
      state: 'cannot-tell',
      todo: expect.stringContaining('cloudformation:DescribeStacks'),
    });
  });

  test('tells people what to do, one line each', async () => {
    account.answers.carrier[`${accountSid}.json`] = [200, { status: 'active', type: 'Trial' }];
    const { exitCode, stdout, stderr } = await run(account, needed(account));
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^missing {6}account: .*trial.*\n {13}-> Upgrade it under Admin/m);
    expect(stdout).toMatch(/\n\n12 ok, 1 missing, 1 cannot tell\n$/);
  });

  test('reports an unreadable table', async () => {
    const args = ['--table', 'another', ...needed(account).slice(2)];
    expect((await findingsOf(account, args)).by('live projects')?.state).toBe('cannot-tell');
  });

  test.each([
    [[], '--table, or --stack, is required'],
    [['--table', 'x'], '--carrier-secret is required'],
    [['--stack', 'x', '--carrier-url', 'x'], '--carrier-url must be an address'],
    [['--stack', 'x', '--timeout-seconds', '0'], '--timeout-seconds must be a number from 1 to 60'],
    [['--stack', 'x', '--bedrock-model', 'x', '--bedrock-region', ''], '--bedrock-region is required'],
  ])('explains what is wrong with %j', async (args, problem) => {
    const { exitCode, stderr } = await run(account, args);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});
