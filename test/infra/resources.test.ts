import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type StageName, stageOf } from '../../infra/constructs/stage.ts';
import { alarmSuite } from './resources/alarms.ts';
import { firewallAndSignInSuite } from './resources/firewall-and-sign-in.ts';
import { queueAndFunctionSuite } from './resources/queues-and-functions.ts';
import { storageSuite } from './resources/storage.ts';
import { synthesizeStages, templateOf } from './stage-templates.ts';
import {
  environmentOf,
  resourceNamed,
  resourcesOfType,
  synthesized,
  type Template,
  written,
} from './synthesized.ts';

beforeAll(synthesizeStages);

describe('stages', () => {
  const stores: [string, string][] = [
    ['AWS::DynamoDB::Table', 'ServiceTable'],
    ['AWS::S3::Bucket', 'RecordingsBucket'],
    ['AWS::KMS::Key', 'ServiceTableKey'],
    ['AWS::KMS::Key', 'RecordingsKey'],
  ];

  test.each(stores)('prod keeps %s %s on removal from the template, dev deletes it', (type, name) => {
    for (const [stage, deletion, replacement] of [
      // Resources created by a first deployment that failed are deleted.
      ['prod', 'RetainExceptOnCreate', 'Retain'],
      ['dev', 'Delete', 'Delete'],
    ] as const) {
      const store = resourceNamed(templateOf(stage), type, name);
      expect(store.DeletionPolicy).toBe(deletion);
      expect(store.UpdateReplacePolicy).toBe(replacement);
    }
  });

  test('prod has point-in-time recovery and deletion protection, dev has neither', () => {
    for (const [stage, enabled] of [
      ['prod', true],
      ['dev', false],
    ] as const) {
      const { Properties } = resourceNamed(templateOf(stage), 'AWS::DynamoDB::Table', 'ServiceTable');
      expect(Properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: enabled });
      expect(Properties.DeletionProtectionEnabled).toBe(enabled);
    }
  });

  test('differ in nothing else: both have the same resources', () => {
    expect(shapeOf('dev')).toEqual(shapeOf('prod'));
  });

  function shapeOf(stage: StageName): string[] {
    return Object.entries(templateOf(stage).Resources)
      .map(([id, { Type }]) => `${Type} ${id.replaceAll(/[0-9A-F]{8}|[0-9a-f]{32}$|dev|prod/g, '')}`)
      .sort();
  }
});

describe('49: the sandbox phone', () => {
  let without: Template;
  beforeAll(async () => {
    without = await synthesized('prod', 'off');
  });
  const isItsOwn = (text: string): boolean => /sandbox-?(phone|line)/i.test(text);

  test('is in dev, and in prod only on request', () => {
    expect(stageOf('dev').sandboxPhone).toBe(true);
    expect(stageOf('prod').sandboxPhone).toBe(false);
    expect(stageOf('prod', { sandboxPhone: 'on' }).sandboxPhone).toBe(true);
    expect(stageOf('dev', { sandboxPhone: 'off' }).sandboxPhone).toBe(false);
    expect(() => stageOf('prod', { sandboxPhone: 'yes' })).toThrow('choose with -c sandboxPhone=on or off');
  });

  test('leaves nothing in a stage without it: no resource, parameter, output, route or permission', () => {
    expect(Object.keys(templateOf('prod').Resources).filter(isItsOwn).length).toBeGreaterThan(20);
    expect(Object.keys(without.Resources).filter(isItsOwn)).toEqual([]);
    expect(Object.keys(without.Parameters).filter(isItsOwn)).toEqual([]);
    expect(Object.keys(without.Outputs).filter((name) => name.startsWith('Sandbox'))).toEqual([]);
    expect(JSON.stringify(without)).not.toMatch(/SandboxPhone|sandbox-phone/);
    for (const [name] of resourcesOfType(without, 'AWS::Lambda::Function')) {
      const given = Object.entries(environmentOf(without, name)).filter(([key]) =>
        key.startsWith('SANDBOX_'),
      );
      expect(given.map(([, value]) => value).join(''), name).toBe('');
    }
  });

  test('is the only difference there', () => {
    const others = (template: Template): string[] =>
      Object.keys(template.Resources).filter((id) => !isItsOwn(id) && !/Deployment/.test(id));
    expect(others(without).sort()).toEqual(others(templateOf('prod')).sort());
  });

  test('encrypts its data with the key of the service', () => {
    const { SSESpecification } = resourceNamed(
      templateOf('prod'),
      'AWS::DynamoDB::Table',
      'SandboxPhoneTable',
    ).Properties;
    expect(written(z.object({ KMSMasterKeyId: z.unknown() }).parse(SSESpecification).KMSMasterKeyId)).toBe(
      '{ServiceTableKey}',
    );
    const bucket = resourceNamed(templateOf('prod'), 'AWS::S3::Bucket', 'SandboxPhoneBucket').Properties;
    expect(JSON.stringify(bucket.BucketEncryption)).toMatch(/"SSEAlgorithm":"aws:kms"/);
    expect(JSON.stringify(bucket.BucketEncryption)).toMatch(/"ServiceTableKey/);
  });
});

describe('the template', () => {
  test("stays well below CloudFormation's limit of 500 resources", () => {
    expect(Object.keys(templateOf('prod').Resources).length).toBeLessThanOrEqual(480);
  });

  test('has no custom resource, so deployment runs only CloudFormation', () => {
    const types = new Set(Object.values(templateOf('prod').Resources).map(({ Type }) => Type));
    expect([...types].filter((type) => /^Custom::|CustomResource/.test(type))).toEqual([]);
  });

  test('outputs what operators and scripts need', () => {
    expect(Object.keys(templateOf('prod').Outputs).sort()).toEqual([
      'AlarmTopicArn',
      'ApiDomainTarget',
      'AuditBucketName',
      'AuditDeadLetterQueueUrl',
      'BackupRoleArn',
      'BackupVaultName',
      'BaseUrl',
      'CallDeadLetterQueueUrl',
      'CallQueueUrl',
      'CompletionDeadLetterQueueUrl',
      'DeliveryDeadLetterQueueUrl',
      'DeliveryQueueUrl',
      'ErasureDeadLetterQueueUrl',
      'ErasureQueueUrl',
      'RecordingDeadLetterQueueUrl',
      'RecordingQueueUrl',
      'RecordingsBucketName',
      'RelayDomainTarget',
      'RelayUrl',
      'SandboxBucketName',
      'SandboxCarrierSecretArn',
      'SandboxLineDeadLetterQueueUrl',
      'SandboxLineQueueUrl',
      'SandboxTableName',
      'SecretsKeyId',
      'SignInClientId',
      'SignInIssuer',
      'TableName',
      'WatchDeadLetterQueueUrl',
      'WatchQueueUrl',
    ]);
  });

  test('uses only intrinsic functions that the local stack resolves', () => {
    const used = new Set(JSON.stringify(templateOf('prod').Resources).match(/"Fn::\w+"/g));
    expect([...used].sort()).toEqual([
      '"Fn::GetAtt"',
      '"Fn::If"',
      '"Fn::Join"',
      '"Fn::Select"',
      '"Fn::Split"',
      '"Fn::Sub"',
    ]);
  });
});

storageSuite();
queueAndFunctionSuite();
alarmSuite();
firewallAndSignInSuite();
