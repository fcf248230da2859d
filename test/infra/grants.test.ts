import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { bundlePath } from '../../infra/bundle.ts';
import { pascalCase } from '../../infra/constructs/service-function.ts';
import { type RestFunctionName, restFunctionNames, routes, tableAccessOf } from '../../infra/routes.ts';
import {
  environmentOf,
  grantsOf,
  resourcesOfType,
  statementsOf,
  synthesized,
  type Template,
  written,
} from './synthesized.ts';

const tableRead = [
  ...onTable('dynamodb:GetItem'),
  ...onTable('dynamodb:BatchGetItem'),
  ...onTable('dynamodb:Query'),
  'kms:Decrypt on {ServiceTableKey} via dynamodb',
  'kms:DescribeKey on {ServiceTableKey} via dynamodb',
];
const tableWrite = [
  ...tableRead,
  'dynamodb:PutItem on {ServiceTable}',
  'dynamodb:UpdateItem on {ServiceTable}',
  'dynamodb:ConditionCheckItem on {ServiceTable}',
  'kms:Encrypt on {ServiceTableKey} via dynamodb',
  'kms:GenerateDataKey on {ServiceTableKey} via dynamodb',
  'kms:ReEncryptFrom on {ServiceTableKey} via dynamodb',
  'kms:ReEncryptTo on {ServiceTableKey} via dynamodb',
];
/** What every function that clients ask may note, even if it only reads otherwise. */
const noteRequests = [
  'dynamodb:UpdateItem on {ServiceTable} of APIKEY#* and RATE#*',
  ...['Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map(
    (action) => `kms:${action} on {ServiceTableKey} via dynamodb`,
  ),
];
const clientFunctions = routes.flatMap((route): string[] =>
  route.authentication === 'api-key' ? [route.function] : [],
);
const tableGrants = { none: [], read: tableRead, write: tableWrite };

function onTable(action: string): string[] {
  return [`${action} on {ServiceTable}`, `${action} on {ServiceTable}/index/*`];
}

function sendTo(queue: string): string[] {
  return [`sqs:SendMessage on {${queue}}`];
}

function consume(queue: string): string[] {
  return [
    'ReceiveMessage',
    'ChangeMessageVisibility',
    'GetQueueUrl',
    'DeleteMessage',
    'GetQueueAttributes',
  ].map((action) => `sqs:${action} on {${queue}}`);
}

const sessions = [
  'execute-api:ManageConnections on arn:{AWS::Partition}:execute-api:{AWS::Region}:{AWS::AccountId}:{RelayApi}/relay/*/@connections/*',
];
const sandboxSecret = ['secretsmanager:GetSecretValue on {SandboxPhoneCarrierSecret}'];
const carrierSecrets = [
  ...sandboxSecret,
  'secretsmanager:GetSecretValue on arn:{AWS::Partition}:secretsmanager:{AWS::Region}:{AWS::AccountId}:secret:{LiveCarrierSecretId}-?????? if HasLiveCarrier',
];
const bedrockRegion = '{BedrockRegionIsGiven ? {BedrockRegion} : {AWS::Region}}';
const languageModel = [
  ...useOfModel('BedrockModelId', 'UsesBedrock'),
  ...useOfModel('BedrockStandbyModelId', 'UsesBedrockStandby'),
  'secretsmanager:GetSecretValue on {OpenAiSecretArn} if UsesOpenAiSecret',
];

/** An ARN is the resource itself; an id may be that of a profile or of a model. Any model is used through a profile only. */
function useOfModel(parameter: string, condition: string): string[] {
  const use = 'bedrock:InvokeModelWithResponseStream on';
  const orArn = (arn: string): string => `{${parameter}IsArn ? {${parameter}} : ${arn}}`;
  const bedrock = `arn:{AWS::Partition}:bedrock:${bedrockRegion}`;
  const profile = orArn(`${bedrock}:{AWS::AccountId}:inference-profile/{${parameter}}`);
  return [
    `${use} ${profile} if ${condition}`,
    `${use} ${orArn(`${bedrock}::foundation-model/{${parameter}}`)} if ${condition}`,
    `${use} arn:{AWS::Partition}:bedrock:*::foundation-model/* through ${profile} if ${condition}`,
  ];
}
const sandboxStore = [
  ...['GetItem', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action} on {SandboxPhoneTable}`),
  'dynamodb:Query on {SandboxPhoneTable}/index/created-index',
];

/** What each function answering REST requests may do besides using the table. */
const restGrants: Record<RestFunctionName, string[]> = {
  'create-patient': [],
  'get-patient': [],
  'list-patients': [],
  'create-task': sendTo('CallQueue'),
  'get-task': [],
  'list-tasks': [],
  'cancel-task': sendTo('CallQueue'),
  'get-call-recording': [
    's3:GetObject on {RecordingsBucket}/recordings/*',
    'kms:Decrypt on {RecordingsKey} via s3',
  ],
  'open-api': [],
  'admin-members': ['dynamodb:DeleteItem on {ServiceTable}'],
  'admin-audit-log': [],
  'admin-projects': [],
  'admin-patients': [],
  'admin-api-keys': [],
  'admin-webhooks': [
    'dynamodb:DeleteItem on {ServiceTable}',
    ...sendTo('DeliveryQueue'),
    'kms:Decrypt on {SecretsKey}',
    'kms:Encrypt on {SecretsKey}',
  ],
  'admin-tasks': [
    ...sendTo('CallQueue'),
    's3:GetObject on {RecordingsBucket}/recordings/*',
    'kms:Decrypt on {RecordingsKey} via s3',
  ],
  dashboard: [
    'dynamodb:DeleteItem on {ServiceTable}',
    ...sendTo('CallQueue'),
    ...sendTo('DeliveryQueue'),
    's3:GetObject on {RecordingsBucket}/recordings/*',
    'kms:Decrypt on {RecordingsKey} via s3',
    'kms:Decrypt on {SecretsKey}',
    'kms:Encrypt on {SecretsKey}',
    'secretsmanager:GetSecretValue on {SessionSecret}',
  ],
  'carrier-callback': [...sendTo('CallQueue'), ...carrierSecrets],
  'sandbox-phone-api': [
    ...sandboxSecret,
    ...sandboxStore,
    'dynamodb:DeleteItem on {SandboxPhoneTable}',
    's3:GetObject on {SandboxPhoneBucket}/recordings/*',
    's3:PutObject on {SandboxPhoneBucket}/recordings/*',
    's3:DeleteObject on {SandboxPhoneBucket}/recordings/*',
    ...sendTo('SandboxPhoneLineQueue'),
  ],
};

/** Everything that each other function may do. */
const otherGrants = {
  'method-not-allowed': [],
  'call-runner': [
    ...tableWrite,
    'dynamodb:DeleteItem on {ServiceTable}',
    ...consume('CallQueue'),
    ...sendTo('CallQueue'),
    ...sendTo('RecordingQueue'),
    ...carrierSecrets,
  ],
  'recording-keeper': [
    ...tableWrite,
    'dynamodb:DeleteItem on {ServiceTable}',
    ...consume('RecordingQueue'),
    ...sendTo('CallQueue'),
    's3:PutObject on {RecordingsBucket}/recordings/*',
    's3:AbortMultipartUpload on {RecordingsBucket}/recordings/*',
    's3:DeleteObject on {RecordingsBucket}/recordings/*',
    'kms:GenerateDataKey on {RecordingsKey} via s3',
    'kms:Decrypt on {RecordingsKey} via s3',
    ...carrierSecrets,
  ],
  'call-sweeper': [...tableRead, ...sendTo('CallQueue'), ...sendTo('DeliveryQueue')],
  'voice-agent': [...tableWrite, ...sessions, ...sendTo('WatchQueue'), ...carrierSecrets, ...languageModel],
  'conversation-watch': [
    ...tableWrite,
    ...sessions,
    ...consume('WatchQueue'),
    ...sendTo('WatchQueue'),
    ...languageModel,
  ],
  'webhook-fanout': [
    ...tableWrite,
    ...['DescribeStream', 'GetRecords', 'GetShardIterator'].map(
      (action) => `dynamodb:${action} on {ServiceTable.StreamArn}`,
    ),
    'dynamodb:ListStreams on *',
    'kms:Decrypt on {ServiceTableKey} via dynamodb',
    ...sendTo('CompletionsDeadLettersQueue'),
    'sqs:GetQueueAttributes on {CompletionsDeadLettersQueue}',
    'sqs:GetQueueUrl on {CompletionsDeadLettersQueue}',
    ...sendTo('DeliveryQueue'),
  ],
  'webhook-delivery': [
    ...tableWrite,
    ...consume('DeliveryQueue'),
    ...sendTo('DeliveryQueue'),
    'kms:Decrypt on {SecretsKey}',
  ],
  'sandbox-phone-line': [
    ...sandboxSecret,
    ...sandboxStore,
    's3:PutObject on {SandboxPhoneBucket}/recordings/*',
    's3:ListBucket on {SandboxPhoneBucket}',
    's3:GetObject on {SandboxPhoneBucket}/people/*',
    ...consume('SandboxPhoneLineQueue'),
    ...sendTo('SandboxPhoneLineQueue'),
  ],
};

const expectedGrants: Record<string, string[]> = {
  ...Object.fromEntries(
    restFunctionNames.map((name) => [
      name,
      [
        ...tableGrants[tableAccessOf(name)],
        ...(clientFunctions.includes(name) ? noteRequests : []),
        ...restGrants[name],
      ],
    ]),
  ),
  ...otherGrants,
};

/** The variables that the code of a function reads. */
const dialogueVariables = {
  DIALOGUE_MODEL: '{DialogueModel}',
  BEDROCK_MODEL_ID: '{BedrockModelId}',
  BEDROCK_STANDBY_MODEL_ID: '{BedrockStandbyModelId}',
  BEDROCK_REGION: bedrockRegion,
  OPENAI_BASE_URL: '{OpenAiBaseUrl}',
  OPENAI_MODEL: '{OpenAiModel}',
  OPENAI_SECRET_ARN: '{OpenAiSecretArn}',
  BEDROCK_FILLER_AFTER_MS: '{BedrockFillerAfterMs}',
  BEDROCK_GIVE_UP_AFTER_MS: '{BedrockGiveUpAfterMs}',
};

function variablesRead(name: string): string[] {
  const source = readFileSync(new URL(`../../functions/${name}.ts`, import.meta.url), 'utf8');
  const own = [...source.matchAll(/environment\('(\w+)'\)/g)].map(([, variable = '']) => variable);
  // What lets people in, and what chooses the dialogue model, reads the same for every function.
  const identity = source.includes('signedInPerson()') ? ['OIDC_ISSUER', 'OIDC_CLIENT_ID'] : [];
  const model = source.includes('configuredDialogueModels()') ? Object.keys(dialogueVariables) : [];
  return [...own, ...identity, ...model].sort();
}

let template: Template;
beforeAll(async () => {
  template = await synthesized('prod');
});

describe('least privilege', () => {
  test.each(Object.entries(expectedGrants))('%s may do exactly what its work needs', (name, grants) => {
    const { LogGroup } = z
      .object({ LogGroup: z.unknown() })
      .parse(template.Resources[pascalCase(name)]?.Properties.LoggingConfig);
    const logs = ['CreateLogStream', 'PutLogEvents'].map(
      (action) => `logs:${action} on ${written(LogGroup)}`,
    );
    expect(grantsOf(template, pascalCase(name))).toEqual([...new Set([...logs, ...grants])].sort());
  });

  test('every function of the template is in the list of grants', () => {
    const functions = resourcesOfType(template, 'AWS::Lambda::Function').map(([id]) => id);
    expect(functions.sort()).toEqual(Object.keys(expectedGrants).map(pascalCase).sort());
  });

  test.each(Object.keys(expectedGrants))(
    '%s may write every kind of transaction item that its code makes',
    (name) => {
      const code = readFileSync(bundlePath(name), 'utf8');
      const kinds = [...code.matchAll(/\b(Put|Update|Delete|ConditionCheck):\{TableName/g)].map(
        ([, kind]) => kind,
      );
      const actions = [...new Set(kinds)].map((kind) => `dynamodb:${kind}Item on {ServiceTable}`);
      expect(grantsOf(template, pascalCase(name))).toEqual(expect.arrayContaining(actions));
    },
  );

  test('no role is granted an action by wildcard, and none but the listing of streams on every resource', () => {
    const statements = resourcesOfType(template, 'AWS::IAM::Policy').flatMap(([, { Properties }]) =>
      statementsOf(Properties.PolicyDocument),
    );
    expect(
      statements.flatMap(({ Action }) => Action.map(written)).filter((action) => action.includes('*')),
    ).toEqual([]);
    const onEverything = statements.filter(({ Resource }) => Resource?.map(written).includes('*'));
    expect(onEverything.flatMap(({ Action }) => Action)).toEqual(['dynamodb:ListStreams']);
  });

  test('no managed policy is attached but the one with which API Gateway writes its logs', () => {
    const managed = resourcesOfType(template, 'AWS::IAM::Role').flatMap(([, { Properties }]) =>
      [Properties.ManagedPolicyArns ?? []].flat().map(written),
    );
    expect(managed).toEqual([
      'arn:{AWS::Partition}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs',
    ]);
  });
});

describe('environment', () => {
  test.each(Object.keys(expectedGrants))('%s is given exactly the variables it reads', (name) => {
    expect(Object.keys(environmentOf(template, pascalCase(name))).sort()).toEqual(variablesRead(name));
  });

  test('addresses are those of the parameters, or made from the APIs when those are empty', () => {
    const { PUBLIC_BASE_URL, RELAY_URL } = environmentOf(template, 'CarrierCallback');
    expect(PUBLIC_BASE_URL).toBe(
      '{PublicBaseUrlIsGiven ? {PublicBaseUrl} : https://{RestApi}.execute-api.{AWS::Region}.{AWS::URLSuffix}/prod}',
    );
    expect(RELAY_URL).toBe(
      '{PublicRelayUrlIsGiven ? {PublicRelayUrl} : wss://{RelayApi}.execute-api.{AWS::Region}.{AWS::URLSuffix}/relay}',
    );
    expect(environmentOf(template, 'CallRunner').SANDBOX_CARRIER_BASE_URL).toBe(
      `${PUBLIC_BASE_URL}/sandbox-phone`,
    );
  });

  test.each(['VoiceAgent', 'ConversationWatch'])(
    '%s learns from the parameters which dialogue model it uses',
    (name) => {
      expect(environmentOf(template, name)).toMatchObject(dialogueVariables);
    },
  );

  test.each([
    ['BedrockModelId', 'us.anthropic.claude-haiku-4-5-20251001-v1:0', true],
    ['BedrockModelId', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0', true],
    ['BedrockModelId', 'amazon.nova-lite-v1:0', true],
    [
      'BedrockModelId',
      'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-lite-v1:0',
      true,
    ],
    [
      'BedrockModelId',
      'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6',
      true,
    ],
    [
      'BedrockModelId',
      'arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:provisioned-model/a1b2c3d4e5f6',
      true,
    ],
    ['BedrockModelId', 'arn:aws:bedrock:us-east-1:123456789012:custom-model-deployment/a1b2c3d4e5f6', true],
    ['BedrockModelId', 'arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0', true],
    ['BedrockModelId', '', false],
    ['BedrockModelId', 'claude', false],
    ['BedrockModelId', 'arn:aws:s3:::bucket', false],
    ['BedrockModelId', 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/*', false],
    ['BedrockStandbyModelId', '', true],
    ['BedrockStandbyModelId', 'us.amazon.nova-lite-v1:0', true],
    ['OpenAiBaseUrl', '', true],
    ['OpenAiBaseUrl', 'https://models.example.com/v1', true],
    ['OpenAiBaseUrl', 'http://127.0.0.1:11434/v1', true],
    ['OpenAiBaseUrl', 'http://models.example.com/v1', false],
    ['OpenAiBaseUrl', 'http://localhost.example.com/v1', false],
    ['OpenAiBaseUrl', 'https://models.example.com/v1/', false],
    ['OpenAiSecretArn', 'arn:aws:secretsmanager:us-east-1:123456789012:secret:models/key-AbCdEf', true],
    ['OpenAiSecretArn', '*', false],
  ])('the parameter %s may be "%s": %s', (name, value, isTaken) => {
    const pattern = template.Parameters[name]?.AllowedPattern ?? 'none';
    expect(new RegExp(pattern).test(value)).toBe(isTaken);
  });

  test.each([...new Set(clientFunctions)])('%s learns how many requests a project may make', (name) => {
    expect(environmentOf(template, pascalCase(name)).PROJECT_REQUESTS_PER_SECOND).toBe(
      '{ProjectRequestsPerSecond}',
    );
    expect(template.Parameters.ProjectRequestsPerSecond?.Default).toBe('50');
  });

  test('without parameters the service knows no live carrier and simulated calls run twenty times faster', () => {
    const defaults = Object.entries(template.Parameters).map(([name, { Default }]) => [name, Default]);
    expect(Object.fromEntries(defaults)).toMatchObject({
      PublicBaseUrl: '',
      PublicRelayUrl: '',
      SandboxPhonePace: '0.05',
      SilenceSeconds: '9',
      SandboxPhoneSpeech: 'voices',
      LiveCarrierSecretId: '',
      DialogueModel: 'built-in',
      BedrockStandbyModelId: '',
      OpenAiBaseUrl: '',
      OpenAiSecretArn: '',
    });
    expect(environmentOf(template, 'VoiceAgent').LIVE_CARRIER_SECRET_ID).toBe('{LiveCarrierSecretId}');
    expect(environmentOf(template, 'SandboxPhoneLine')).toMatchObject({
      SANDBOX_PHONE_PACE: '{SandboxPhonePace}',
      SANDBOX_PHONE_SPEECH: '{SandboxPhoneSpeech}',
    });
  });
});
