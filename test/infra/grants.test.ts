import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtBundles } from '../../infra/assembly.ts';
import { bundlePath } from '../../infra/bundle.ts';
import { pascalCase } from '../../infra/constructs/service-function.ts';
import { manifests } from '../../infra/manifests.ts';
import { routes } from '../../infra/routes.ts';
import {
  environmentOf,
  grantsOf,
  policiesOf,
  resourcesOfType,
  synthesized,
  type Template,
  written,
} from './synthesized.ts';

const functionNames = manifests.map(({ name }) => name);
const clientFunctions = routes.flatMap(({ authentication, function: name }) =>
  authentication === 'api-key' ? [name] : [],
);

/** All permissions and variables of a function, for reviewers. */
function describeFunction(template: Template, name: string): string {
  const variables = Object.entries(environmentOf(template, pascalCase(name)));
  return [
    name,
    ...grantsOf(template, pascalCase(name)).map((grant) => `  may ${grant}`),
    ...variables.map(([variable, value]) => `  has ${variable} = ${value}`).sort(),
  ].join('\n');
}

let template: Template;
let bundles: string;
beforeAll(async () => {
  template = await synthesized('prod');
  bundles = await builtBundles();
});

describe('least privilege', () => {
  test('every function has exactly the reviewed permissions and variables', async () => {
    const described = functionNames.toSorted().map((name) => describeFunction(template, name));
    await expect(`${described.join('\n\n')}\n`).toMatchFileSnapshot('./grants.txt');
  });

  test('every function of the template has a manifest, and every manifest a file with its handler', () => {
    const functions = resourcesOfType(template, 'AWS::Lambda::Function').map(([id]) => id);
    expect(functions.sort()).toEqual(functionNames.map(pascalCase).sort());
    const files = readdirSync(new URL('../../functions', import.meta.url)).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.sort()).toEqual(functionNames.map((name) => `${name}.ts`).sort());
  });

  test('every handler reads the environment of its own manifest', () => {
    for (const name of functionNames) {
      const source = readFileSync(new URL(`../../functions/${name}.ts`, import.meta.url), 'utf8');
      expect(source).toContain(`import { manifest } from './manifests/${name}.ts';`);
      expect(source).toContain('readEnvironment(manifest.environment)');
      expect(source).not.toContain('process.env');
    }
  });

  test.each(functionNames)('%s may make every kind of write in its code', (name) => {
    const code = readFileSync(bundlePath(name, bundles), 'utf8');
    const kinds = [...code.matchAll(/\b(Put|Update|Delete|ConditionCheck):\{TableName/g)].map(
      ([, kind]) => `${kind}Item`,
    );
    const batches = [...code.matchAll(/\b(?:Put|Delete)Request:\{(?:Item|Key):/g)].map(
      () => 'BatchWriteItem',
    );
    const grants = grantsOf(template, pascalCase(name));
    for (const kind of new Set([...kinds, ...batches])) {
      // A function that only responds may write only some kinds of items.
      const action = `dynamodb:${kind} on {ServiceTable}`;
      expect(
        grants.some((grant) => grant === action || grant.startsWith(`${action} of `)),
        action,
      ).toBe(true);
    }
  });

  test('no wildcard actions; wildcard resources allow only creating tagged keys, listing streams and tracing', () => {
    const statements = policiesOf(template).flatMap((policy) => policy.statements);
    expect(
      statements.flatMap(({ Action }) => Action.map(written)).filter((action) => action.includes('*')),
    ).toEqual([]);
    const onEverything = statements.filter(({ Resource }) => Resource?.map(written).includes('*'));
    expect([...new Set(onEverything.flatMap(({ Action }) => Action))]).toEqual([
      'kms:CreateKey',
      'kms:TagResource',
      'dynamodb:ListStreams',
      'xray:PutTraceSegments',
      'xray:PutTelemetryRecords',
    ]);
  });

  test('managed policies are attached only for API Gateway logs and AWS Backup', () => {
    const managed = resourcesOfType(template, 'AWS::IAM::Role').flatMap(([, { Properties }]) =>
      [Properties.ManagedPolicyArns ?? []].flat().map(written),
    );
    expect(managed.map((arn) => arn.split(':policy/')[1]).sort()).toEqual([
      'AWSBackupServiceRolePolicyForS3Backup',
      'AWSBackupServiceRolePolicyForS3Restore',
      'service-role/AWSBackupServiceRolePolicyForBackup',
      'service-role/AWSBackupServiceRolePolicyForRestores',
      'service-role/AmazonAPIGatewayPushToCloudWatchLogs',
    ]);
  });
});

describe('environment', () => {
  test('addresses come from parameters, domain names, or the APIs if those are empty', () => {
    const { PUBLIC_BASE_URL, RELAY_URL } = environmentOf(template, 'CarrierCallback');
    expect(PUBLIC_BASE_URL).toBe(
      '{PublicBaseUrlIsGiven ? {PublicBaseUrl} : {ApiDomainNameIsGiven ? ' +
        'https://{ApiDomainName}{ApiBasePathIsGiven ? /{ApiBasePath} : } : ' +
        'https://{RestApi}.execute-api.{AWS::Region}.{AWS::URLSuffix}/prod}}',
    );
    expect(RELAY_URL).toBe(
      '{PublicRelayUrlIsGiven ? {PublicRelayUrl} : {RelayDomainNameIsGiven ? wss://{RelayDomainName} : ' +
        'wss://{RelayApi}.execute-api.{AWS::Region}.{AWS::URLSuffix}/relay}}',
    );
    expect(environmentOf(template, 'CallRunner').SANDBOX_CARRIER_BASE_URL).toBe(
      `${PUBLIC_BASE_URL}/sandbox-phone`,
    );
  });

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
    ['MailFrom', '', true],
    ['MailFrom', 'calls@mail.example.com', true],
    ['MailFrom', '*@example.com', false],
    ['MailFrom', 'Calls <calls@example.com>', false],
    ['MailFrom', 'calls@example', false],
  ])('the parameter %s accepts "%s": %s', (name, value, isTaken) => {
    const pattern = template.Parameters[name]?.AllowedPattern ?? 'none';
    expect(new RegExp(pattern).test(value)).toBe(isTaken);
  });

  test.each([...new Set(clientFunctions)])('%s receives the request limit of projects', (name) => {
    expect(environmentOf(template, pascalCase(name)).PROJECT_REQUESTS_PER_SECOND).toBe(
      '{ProjectRequestsPerSecond}',
    );
    expect(template.Parameters.ProjectRequestsPerSecond?.Default).toBe('50');
  });

  test('without parameters the service has no live carrier and simulated calls run at twenty times the speed', () => {
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
      MailFrom: '',
    });
    expect(environmentOf(template, 'VoiceAgent').LIVE_CARRIER_SECRET_ID).toBe('{LiveCarrierSecretId}');
    expect(environmentOf(template, 'SandboxPhoneLine')).toMatchObject({
      SANDBOX_PHONE_PACE: '{SandboxPhonePace}',
      SANDBOX_PHONE_SPEECH: '{SandboxPhoneSpeech}',
    });
  });
});
