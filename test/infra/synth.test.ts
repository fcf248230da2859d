import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack } from 'aws-cdk-lib/core';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { manifest } from '../../functions/manifests/create-task.ts';
import { builtAssembly, builtBundles } from '../../infra/assembly.ts';
import { accessLogsBucket } from '../../infra/constructs/access-logs-bucket.ts';
import { acknowledge } from '../../infra/constructs/acknowledge.ts';
import { Alarms } from '../../infra/constructs/alarms.ts';
import { operationsKey } from '../../infra/constructs/operations-key.ts';
import { ServiceFunction } from '../../infra/constructs/service-function.ts';
import { ServiceTable } from '../../infra/constructs/service-table.ts';
import { stageOf } from '../../infra/constructs/stage.ts';
import { type Synthesis, synthesize } from '../../infra/synth.ts';
import { inFull } from '../support/in-full.ts';
import { audit } from './rule-packs.ts';
import { environmentOf, readTemplate, resourcesOfType } from './synthesized.ts';

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.optional(z.string()),
      Properties: z._default(z.record(z.string(), z.unknown()), {}),
    }),
  ),
  Outputs: z.record(z.string(), z.unknown()),
});

/** Names shared by all stacks of an account and region, by a text in the template. */
function namesOf({ Resources }: z.infer<typeof Template>): string[] {
  const naming: Readonly<Record<string, string>> = {
    'AWS::ApiGateway::RestApi': 'Name',
    'AWS::ApiGatewayV2::Api': 'Name',
    'AWS::CloudWatch::Alarm': 'AlarmName',
    'AWS::CloudWatch::CompositeAlarm': 'AlarmName',
    'AWS::CloudWatch::Dashboard': 'DashboardName',
    'AWS::DynamoDB::Table': 'TableName',
    'AWS::IAM::Role': 'RoleName',
    'AWS::KMS::Alias': 'AliasName',
    'AWS::Lambda::Function': 'FunctionName',
    'AWS::Logs::LogGroup': 'LogGroupName',
    'AWS::S3::Bucket': 'BucketName',
    'AWS::SecretsManager::Secret': 'Name',
    'AWS::SNS::Topic': 'TopicName',
    'AWS::SQS::Queue': 'QueueName',
  };
  return Object.values(Resources).flatMap(({ Type, Properties }) => {
    const name = Properties[naming[Type] ?? ''];
    return typeof name === 'string' ? [name] : [];
  });
}

/** The names of members that are null. */
function nullsIn(json: string): string[] {
  const names: string[] = [];
  JSON.parse(json, (name, value) => {
    if (value === null) names.push(name);
    return value;
  });
  return names;
}

const temporary = mkdtempSync(join(tmpdir(), 'voice-agent-synth-'));
const bundlesDir = await builtBundles();
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

describe('synthesis', () => {
  // The audited template is the validated one: a stack is synthesized once.
  test.each([
    ['prod', 'on'],
    ['prod', 'off'],
    ['dev', 'on'],
  ] as const)(
    '51: breaks no rule of CloudFormation, AwsSolutions and HIPAA.Security in %s with the phone %s without saying why',
    { timeout: 600_000 },
    async (stage, sandboxPhone) => {
      const outDir = join(temporary, `${stage}-${sandboxPhone}`);
      // CloudFormation's rules take most of the time, and prod with the phone has all kinds of resources.
      const validate = stage === 'prod' && (sandboxPhone === 'on' || inFull);
      const { templatePath, stack } = synthesize({ bundlesDir, outDir, stage, sandboxPhone, validate });
      const kept = await builtAssembly(stage, sandboxPhone);
      const [text, again] = [templatePath, kept.templatePath].map((path) => readFileSync(path, 'utf8'));
      expect(text === again, 'the same sources give the same template').toBe(true);
      // CloudFormation refuses them, which its rules here do not check in metadata.
      expect(nullsIn(text ?? ''), 'null').toEqual([]);
      const { open, acknowledged, idle } = audit(stack);
      expect(open, 'Fix these, or acknowledge them beside the resource with a reason.').toEqual([]);
      expect(idle, 'These acknowledgements set nothing aside: remove them.').toEqual([]);
      for (const { name, reason } of acknowledged) {
        expect(reason, name).toMatch(/^[A-Z].{30,}[^.]\.$/);
        expect(name, 'A rule is set aside beside its resource').not.toMatch(/^[^/]+:/);
      }
    },
  );

  test('51: finds violations, and acknowledgements that suppress nothing', () => {
    const stack = new Stack(new App({ outdir: join(temporary, 'broken') }), 'Stack');
    const bucket = new CfnBucket(stack, 'Bucket');
    expect(audit(stack).open).toContain('Stack/Bucket: AwsSolutions-S1');

    acknowledge(bucket, { 'AwsSolutions-S1': 'Nobody reads it.', 'AwsSolutions-SQS4': 'It is no queue.' });
    const { open, acknowledged, idle } = audit(stack);
    expect(open).not.toContain('Stack/Bucket: AwsSolutions-S1');
    expect(open).toContain('Stack/Bucket: AwsSolutions-S10');
    expect(acknowledged.map(({ reason }) => reason)).toEqual(['Nobody reads it.', 'It is no queue.']);
    expect(idle).toEqual(['Stack/Bucket: AwsSolutions-SQS4']);
  });

  test('refuses an unknown stage', () => {
    expect(() => synthesize({ bundlesDir, outDir: join(temporary, 'typo'), stage: 'production' })).toThrow(
      'Stage "production" is like which one? Choose with -c like=dev or prod',
    );
    expect(() => stageOf('dev', { like: 'prod' })).toThrow('Stage dev takes no -c like');
    for (const name of ['', 'North', 'north_1', '1', 'a'.repeat(21), 7]) {
      expect(() => stageOf(name, { like: 'dev' })).toThrow('must match');
    }
  });

  test('keeps provisioned environments of the agent if chosen, and connects the relay to them', async () => {
    const options = { stage: 'prod', provisionedAgents: '2' };
    const { stack, templatePath } = synthesize({
      bundlesDir,
      outDir: join(temporary, 'provisioned'),
      ...options,
    });
    const template = await readTemplate(templatePath);
    const [[id, version] = ['', undefined], ...others] = resourcesOfType(template, 'AWS::Lambda::Version');
    expect(others).toEqual([]);
    expect(version).toMatchObject({
      Properties: {
        FunctionName: { Ref: 'VoiceAgent' },
        ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 2 },
      },
      DeletionPolicy: 'Delete',
    });
    // Publishing an unchanged version would be refused.
    expect(id).toContain(environmentOf(template, 'VoiceAgent').REVISION);
    const integrations = resourcesOfType(template, 'AWS::ApiGatewayV2::Integration');
    expect(integrations).toHaveLength(3);
    for (const [name, { Properties }] of integrations) {
      expect(JSON.stringify(Properties.IntegrationUri), name).toContain(`{"Ref":"${id}"}`);
    }
    const permitted = resourcesOfType(template, 'AWS::Lambda::Permission').filter(
      ([, { Properties }]) => JSON.stringify(Properties.FunctionName) === `{"Ref":"${id}"}`,
    );
    expect(permitted).toHaveLength(3);
    // They are not warmed as well.
    expect(environmentOf(template, 'CallRunner').WARMED_FUNCTIONS).toBe('{CarrierCallback}');
    expect(audit(stack).open).toEqual([]);
    for (const wrong of ['two', '-1', '1.5']) {
      expect(() => stageOf('prod', { provisionedAgents: wrong })).toThrow('must be a number from 0 to 999');
    }
  });

  test('adds a stage of any name beside the others, protected like its model', async () => {
    const read = ({ templatePath }: Synthesis) => ({
      templatePath,
      template: Template.parse(JSON.parse(readFileSync(templatePath, 'utf8'))),
    });
    const made = (stage: string, like: string) =>
      read(synthesize({ bundlesDir, outDir: join(temporary, stage), stage, like }));
    const north = made('north', 'prod');
    const south = made('south', 'dev');
    const prod = read(await builtAssembly('prod', 'off'));
    expect(north.templatePath).toMatch(/VoiceAgentTasks-north\.template\.json$/);
    const kept = ({ template }: typeof north): string[] =>
      Object.values(template.Resources).flatMap(({ DeletionPolicy }) => DeletionPolicy ?? []);
    expect(kept(north)).toEqual(kept(prod));
    expect(kept(south)).not.toEqual(kept(prod));
    const names = namesOf(north.template);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => namesOf(prod.template).includes(name))).toEqual([]);
    expect(JSON.stringify(north.template.Outputs.BaseUrl)).toContain('/north');
  });

  test('names a missing bundle', () => {
    const empty = join(temporary, 'no-bundles');
    mkdirSync(empty);
    expect(() => synthesize({ bundlesDir: empty, outDir: join(temporary, 'none') })).toThrow(
      /No bundle of [a-z-]+: functions\/[a-z-]+\.ts is missing or was not built/,
    );
  });
});

describe('the table', () => {
  function indexesWith(context: Readonly<Record<string, string>>): string[] {
    const app = new App({ outdir: mkdtempSync(join(temporary, 'table-')), context });
    const stack = new Stack(app, 'Stack');
    const { table } = new ServiceTable(stack, 'ServiceTable', { stage: stageOf('dev') });
    const { globalSecondaryIndexes } = z.parse(
      z.object({ globalSecondaryIndexes: z.array(z.object({ indexName: z.string() })) }),
      {
        globalSecondaryIndexes: stack.resolve(
          table.node.defaultChild instanceof CfnTable && table.node.defaultChild.globalSecondaryIndexes,
        ),
      },
    );
    return globalSecondaryIndexes.map(({ indexName }) => indexName);
  }

  test('keeps the index that functions of earlier versions read only if asked to', () => {
    expect(indexesWith({})).not.toContain('project-index');
    expect(indexesWith({ keepProjectIndex: 'yes' })).toEqual([...indexesWith({}), 'project-index']);
  });
});

describe('constructs refuse mistakes', () => {
  function stackWithAlarms() {
    const stack = new Stack(new App({ outdir: join(temporary, 'constructs') }), 'Stack');
    const stage = stageOf('dev');
    const key = operationsKey(stack, 'Key', stage);
    const alarms = new Alarms(stack, 'Alarms', key);
    const accessLogs = accessLogsBucket(stack, 'AccessLogs', stage);
    return {
      stack,
      alarms,
      context: { stage, alarms, operationsKey: key, accessLogs, bundlesDir },
    };
  }

  test('an alarm needs a sentence that explains it', () => {
    const { stack, alarms } = stackWithAlarms();
    const metric = new Metric({ namespace: 'Test', metricName: 'Faults' });
    for (const meaning of ['', 'errors', 'errors happened in the function somewhere.']) {
      expect(() => alarms.add(stack, 'Alarm', { metric, threshold: 1, meaning })).toThrow(/needs a sentence/);
    }
  });

  test('a function needs a value for each variable that it reads', () => {
    const { stack, context } = stackWithAlarms();
    const fn = new ServiceFunction(stack, context, manifest);
    const values = { TABLE_NAME: 'one', CALL_QUEUE_URL: 'two' };
    expect(() => fn.setEnvironment(values)).toThrow(
      'create-task reads PROJECT_REQUESTS_PER_SECOND, which the stack does not set',
    );
  });
});
