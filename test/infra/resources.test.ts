import { beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log, logError } from '#shared/observability/log.ts';
import { alarmMetric, eventMetrics } from '#shared/observability/metrics.ts';
import { indexNames } from '#shared/table/indexes.ts';
import { type StageName, stageOf } from '../../infra/constructs/stage.ts';
import { capturedLog } from '../support/captured-log.ts';
import {
  environmentOf,
  grantsOf,
  type Resource,
  readableName,
  resourceNamed,
  resourcesOfType,
  statementsOf,
  synthesized,
  type Template,
  written,
} from './synthesized.ts';

const templates = new Map<StageName, Template>();
beforeAll(async () => {
  templates.set('dev', await synthesized('dev'));
  templates.set('prod', await synthesized('prod'));
});

function templateOf(stage: StageName): Template {
  const template = templates.get(stage);
  if (template === undefined) throw new Error(`${stage} was not synthesized`);
  return template;
}

function propertiesOfType(type: string, stage: StageName = 'prod'): [string, Resource['Properties']][] {
  return resourcesOfType(templateOf(stage), type).map(([id, { Properties }]) => [
    readableName(id),
    Properties,
  ]);
}

/** Whether one of the statements refuses every request that does not come by TLS. */
function refusesPlaintext(policyDocument: unknown): boolean {
  return statementsOf(policyDocument).some(
    ({ Effect, Condition }) => Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false',
  );
}

describe('stages', () => {
  const stores: [string, string][] = [
    ['AWS::DynamoDB::Table', 'ServiceTable'],
    ['AWS::S3::Bucket', 'RecordingsBucket'],
    ['AWS::KMS::Key', 'ServiceTableKey'],
    ['AWS::KMS::Key', 'RecordingsKey'],
  ];

  test.each(stores)('prod keeps %s %s when it leaves the template, dev deletes it', (type, name) => {
    for (const [stage, deletion, replacement] of [
      // What a first deployment has made before it failed is deleted.
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

  test('is in dev, and in prod only when it is asked for', () => {
    expect(stageOf('dev').sandboxPhone).toBe(true);
    expect(stageOf('prod').sandboxPhone).toBe(false);
    expect(stageOf('prod', 'on').sandboxPhone).toBe(true);
    expect(stageOf('dev', 'off').sandboxPhone).toBe(false);
    expect(() => stageOf('prod', 'yes')).toThrow('choose with -c sandboxPhone=on or off');
  });

  test('leaves nothing of it where it is not: no resource, parameter, output, route or right', () => {
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

  test('is all that is missing there', () => {
    const others = (template: Template): string[] =>
      Object.keys(template.Resources).filter((id) => !isItsOwn(id) && !/Deployment/.test(id));
    expect(others(without).sort()).toEqual(others(templateOf('prod')).sort());
  });

  test('keeps what it keeps under the key of the service', () => {
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

describe('backups', () => {
  const backups = (stage: StageName) =>
    Object.values(templateOf(stage).Resources).filter(({ Type }) => Type.startsWith('AWS::Backup::'));

  test('are made in prod unless a parameter says otherwise, and in dev only when it asks for them', () => {
    expect(templateOf('prod').Parameters.Backups?.Default).toBe('on');
    expect(templateOf('dev').Parameters.Backups?.Default).toBe('off');
    for (const { Type, Condition } of backups('prod')) expect(Condition, Type).toBe('HasBackups');
    expect(backups('prod')).toHaveLength(3);
  });

  test('copy the table and the recordings every day, for 35 days, under the key of the table', () => {
    const [vault, plan, selection] = backups('prod').map(({ Properties }) => Properties);
    expect(written(vault?.EncryptionKeyArn)).toBe('{ServiceTableKey}');
    expect(plan?.BackupPlan).toMatchObject({
      BackupPlanRule: [{ ScheduleExpression: 'cron(0 8 * * ? *)', Lifecycle: { DeleteAfterDays: 35 } }],
    });
    const { Resources } = z.object({ Resources: z.array(z.unknown()) }).parse(selection?.BackupSelection);
    expect(Resources.map(written)).toEqual(['{ServiceTable}', '{RecordingsBucket}']);
  });

  test('of prod stay when the stack is deleted', () => {
    const [vault] = resourcesOfType(templateOf('prod'), 'AWS::Backup::BackupVault');
    expect(vault?.[1].DeletionPolicy).toBe('RetainExceptOnCreate');
  });
});

describe('the table', () => {
  const table = () => resourceNamed(templateOf('prod'), 'AWS::DynamoDB::Table', 'ServiceTable').Properties;

  test('is on demand, encrypted with its own key, streamed with both images and expires items', () => {
    expect(table().BillingMode).toBe('PAY_PER_REQUEST');
    const encryption = z
      .object({ KMSMasterKeyId: z.unknown(), SSEEnabled: z.boolean(), SSEType: z.string() })
      .parse(table().SSESpecification);
    expect({ ...encryption, KMSMasterKeyId: written(encryption.KMSMasterKeyId) }).toEqual({
      KMSMasterKeyId: '{ServiceTableKey}',
      SSEEnabled: true,
      SSEType: 'KMS',
    });
    expect(table().StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
    expect(table().TimeToLiveSpecification).toEqual({ AttributeName: 'expires_at_seconds', Enabled: true });
  });

  // DynamoDB changes neither keys nor projection of an index that is there, and CloudFormation changes one index in a
  // deployment. Who changes a projection adds the index under a new name (`patient-index-2`), deploys, lets the readers
  // use it, deploys, removes the old one, and deploys again.
  test('projects into its indexes what it always did: a change needs an index of a new name', () => {
    const indexes = z
      .array(
        z.object({
          IndexName: z.string(),
          Projection: z.object({
            ProjectionType: z.string(),
            NonKeyAttributes: z._default(z.array(z.string()), []),
          }),
        }),
      )
      .parse(table().GlobalSecondaryIndexes);
    expect(
      indexes.map(({ IndexName, Projection: { ProjectionType, NonKeyAttributes } }) =>
        [IndexName, ProjectionType, ...NonKeyAttributes].join(' '),
      ),
      'Do not edit this list. Add an index of a new name and move the readers: docs/deploy.md, "Change an index".',
    ).toEqual([
      'project-index ALL',
      'rows-index INCLUDE id project_id patient_id status task_type task task_outcome next_attempt_at ' +
        'next_attempt_reason waiting_for_line_since created_at updated_at phone_number current_call_id ' +
        'needs_review needs_follow_up follow_up_assignee listed',
      'work-index INCLUDE id project_id patient_id status task_type task task_outcome next_attempt_at ' +
        'next_attempt_reason waiting_for_line_since created_at updated_at phone_number current_call_id ' +
        'needs_review needs_follow_up follow_up_assignee listed',
      'patient-index INCLUDE id project_id patient_id status task_type task task_outcome next_attempt_at ' +
        'next_attempt_reason waiting_for_line_since created_at updated_at',
      'call-index INCLUDE project_id recording',
      'due-index INCLUDE type',
      'lane-index KEYS_ONLY',
    ]);
  });

  test('has the indexes that the repositories query', () => {
    const indexes = z
      .array(z.object({ IndexName: z.string(), KeySchema: z.array(z.object({ AttributeName: z.string() })) }))
      .parse(table().GlobalSecondaryIndexes);
    expect(
      Object.fromEntries(
        indexes.map(({ IndexName, KeySchema }) => [
          IndexName,
          KeySchema.map(({ AttributeName }) => AttributeName),
        ]),
      ),
    ).toEqual({
      [indexNames.project]: ['project_pk', 'project_sk'],
      [indexNames.rows]: ['project_pk', 'project_sk'],
      [indexNames.work]: ['work_pk', 'project_sk'],
      [indexNames.patient]: ['patient_pk', 'patient_sk'],
      [indexNames.call]: ['call_pk'],
      [indexNames.due]: ['due_pk', 'due_at'],
      [indexNames.waitQueue]: ['lane_pk', 'lane_sk'],
    });
  });
});

describe('the recordings bucket', () => {
  const bucket = () => resourceNamed(templateOf('prod'), 'AWS::S3::Bucket', 'RecordingsBucket').Properties;

  test('is encrypted with its own key, versioned and closed to the public', () => {
    const { ServerSideEncryptionConfiguration: rules } = z
      .object({
        ServerSideEncryptionConfiguration: z.array(
          z.object({
            BucketKeyEnabled: z.boolean(),
            ServerSideEncryptionByDefault: z.object({
              SSEAlgorithm: z.string(),
              KMSMasterKeyID: z.unknown(),
            }),
          }),
        ),
      })
      .parse(bucket().BucketEncryption);
    expect(rules).toHaveLength(1);
    expect(rules[0]?.BucketKeyEnabled).toBe(true);
    expect(rules[0]?.ServerSideEncryptionByDefault.SSEAlgorithm).toBe('aws:kms');
    expect(written(rules[0]?.ServerSideEncryptionByDefault.KMSMasterKeyID)).toBe('{RecordingsKey}');
    expect(bucket().VersioningConfiguration).toEqual({ Status: 'Enabled' });
  });

  test('forgets old versions, unfinished uploads, and exports of which the service has lost sight', () => {
    expect(bucket().LifecycleConfiguration).toEqual({
      Rules: [
        {
          Id: 'RemoveLeftovers',
          Status: 'Enabled',
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          ExpiredObjectDeleteMarker: true,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        },
        { Id: 'RemoveExports', Status: 'Enabled', Prefix: 'exports/', ExpirationInDays: 2 },
      ],
    });
  });
});

describe('encryption', () => {
  test('every key rotates', () => {
    for (const [name, properties] of propertiesOfType('AWS::KMS::Key')) {
      expect(properties.EnableKeyRotation, name).toBe(true);
    }
  });

  test('every bucket is encrypted, closed to the public and reached by TLS only', () => {
    const policies = propertiesOfType('AWS::S3::BucketPolicy');
    for (const [name, properties] of propertiesOfType('AWS::S3::Bucket')) {
      expect(properties.BucketEncryption, name).toBeDefined();
      expect(properties.PublicAccessBlockConfiguration, name).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      const policy = policies.find(([, { Bucket }]) => written(Bucket) === `{${name}}`);
      expect(refusesPlaintext(policy?.[1].PolicyDocument), name).toBe(true);
    }
  });

  test('every queue is encrypted and reached by TLS only', () => {
    const policies = propertiesOfType('AWS::SQS::QueuePolicy');
    for (const [name, properties] of propertiesOfType('AWS::SQS::Queue')) {
      expect(properties.SqsManagedSseEnabled, name).toBe(true);
      const policy = policies.find(([, { Queues }]) => [Queues].flat().map(written).includes(`{${name}}`));
      expect(refusesPlaintext(policy?.[1].PolicyDocument), name).toBe(true);
    }
  });

  test('logs and alarms lie under a key that the services which write them may use, and no role', () => {
    for (const [name, { KmsKeyId }] of propertiesOfType('AWS::Logs::LogGroup')) {
      expect(written(KmsKeyId), name).toBe('{OperationsKey}');
    }
    const [topic] = propertiesOfType('AWS::SNS::Topic');
    expect(written(topic?.[1].KmsMasterKeyId)).toBe('{OperationsKey}');
    const { KeyPolicy } = resourceNamed(templateOf('prod'), 'AWS::KMS::Key', 'OperationsKey').Properties;
    const users = statementsOf(KeyPolicy).map(({ Principal, Condition }) => [
      JSON.stringify(Principal),
      Object.keys(Object.values(Condition ?? {})[0] ?? {}),
    ]);
    expect(users).toEqual([
      [expect.stringContaining(':root'), []],
      [expect.stringContaining('"logs.'), ['kms:EncryptionContext:aws:logs:arn']],
      ['{"Service":"cloudwatch.amazonaws.com"}', []],
    ]);
  });

  test('every secret lies under a key of the service', () => {
    for (const [name, { KmsKeyId }] of propertiesOfType('AWS::SecretsManager::Secret')) {
      expect(written(KmsKeyId), name).toMatch(/^\{(SecretsKey|ServiceTableKey)\}$/);
    }
  });

  test('S3 writes down who used the objects of every bucket but that of these logs', () => {
    const logged = propertiesOfType('AWS::S3::Bucket').map(([name, { LoggingConfiguration }]) => {
      const { DestinationBucketName: target } = z
        .object({ DestinationBucketName: z._default(z.unknown(), '') })
        .parse(LoggingConfiguration ?? {});
      return [name, written(target)];
    });
    expect(Object.fromEntries(logged)).toEqual({
      AccessLogs: '',
      RecordingsBucket: '{AccessLogs}',
      AuditCopiesBucket: '{AccessLogs}',
      SandboxPhoneBucket: '{AccessLogs}',
    });
  });

  test('the topic of the alarms is reached by TLS only', () => {
    const [policy] = propertiesOfType('AWS::SNS::TopicPolicy');
    expect(refusesPlaintext(policy?.[1].PolicyDocument)).toBe(true);
  });
});

describe('queues and streams', () => {
  /** Batch size, visibility in times of the worker's timeout, receives before the dead-letter queue. */
  const workers: [string, string, number, number, number][] = [
    ['CallQueue', 'CallRunner', 5, 6, 5],
    ['RecordingQueue', 'RecordingIngest', 1, 1, 5],
    ['ErasureQueue', 'DataEraser', 1, 1, 5],
    ['WatchQueue', 'NoInputTimer', 5, 1, 5],
    ['DeliveryQueue', 'WebhookDelivery', 1, 6, 10],
    ['SandboxPhoneLineQueue', 'SandboxPhoneLine', 1, 1, 3],
  ];

  test.each(workers)('%s feeds %s and sets poison aside', (queue, worker, batchSize, timeouts, receives) => {
    const mapping = propertiesOfType('AWS::Lambda::EventSourceMapping').find(
      ([, { EventSourceArn }]) => written(EventSourceArn) === `{${queue}}`,
    )?.[1];
    expect(written(mapping?.FunctionName)).toBe(`{${worker}}`);
    expect(mapping).toMatchObject({
      BatchSize: batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });

    const properties = resourceNamed(templateOf('prod'), 'AWS::SQS::Queue', queue).Properties;
    const timeout = templateOf('prod').Resources[worker]?.Properties.Timeout;
    expect(properties.VisibilityTimeout).toBe(timeouts * Number(timeout));
    const { deadLetterTargetArn, maxReceiveCount } = z
      .object({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.int() })
      .parse(properties.RedrivePolicy);
    expect(maxReceiveCount).toBe(receives);
    expect(written(deadLetterTargetArn)).toBe(`{${queue}DeadLettersQueue}`);
  });

  test('every queue is worked on or is a dead-letter queue, which keeps messages as long as SQS can', () => {
    for (const [name, properties] of propertiesOfType('AWS::SQS::Queue')) {
      if (name.endsWith('DeadLettersQueue')) {
        expect(properties.MessageRetentionPeriod, name).toBe(14 * 24 * 60 * 60);
      } else {
        expect(
          workers.map(([queue]) => queue),
          name,
        ).toContain(name);
      }
    }
  });

  test('the stream wakes the fan-out for changed tasks and calls and new tasks only, and sets aside what fails ten times', () => {
    const mapping = propertiesOfType('AWS::Lambda::EventSourceMapping').find(
      ([, { EventSourceArn }]) => written(EventSourceArn) === '{ServiceTable.StreamArn}',
    )?.[1];
    expect(written(mapping?.FunctionName)).toBe('{WebhookFanout}');
    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    const firstTime = (type: string, attribute: string) => ({
      eventName: ['MODIFY'],
      dynamodb: {
        NewImage: { type: { S: [type] }, [attribute]: { S: [{ exists: true }] } },
        OldImage: { [attribute]: { S: [{ exists: false }] } },
      },
    });
    const { Filters } = z
      .object({ Filters: z.array(z.object({ Pattern: z.string() })) })
      .parse(mapping?.FilterCriteria);
    expect(Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      firstTime('call', 'carrier_call_sid'),
      firstTime('call', 'completed_at'),
      firstTime('task', 'started_at'),
      {
        eventName: ['MODIFY'],
        dynamodb: {
          NewImage: { type: { S: ['task'] }, status: { S: ['COMPLETED', 'FAILED', 'CANCELLED'] } },
          OldImage: { status: { S: ['PENDING', 'IN_PROGRESS'] } },
        },
      },
      { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['task'] } } } },
    ]);
    const { OnFailure } = z
      .object({ OnFailure: z.object({ Destination: z.unknown() }) })
      .parse(mapping?.DestinationConfig);
    expect(written(OnFailure.Destination)).toBe('{CompletionsDeadLettersQueue}');
  });

  test('copies of the audit log are locked for six years in prod, and the keeper can only add to them', () => {
    const bucket = (stage: StageName) =>
      resourcesOfType(templateOf(stage), 'AWS::S3::Bucket').find(
        ([id]) => readableName(id) === 'AuditCopiesBucket',
      )?.[1].Properties;
    expect(bucket('prod')).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 2192 } } },
      VersioningConfiguration: { Status: 'Enabled' },
    });
    expect(bucket('dev')?.ObjectLockEnabled).toBeUndefined();
    const grants = grantsOf(templateOf('prod'), 'AuditKeeper').filter((grant) => grant.includes('s3:'));
    expect(grants).toEqual(['s3:PutObject on {AuditCopiesBucket}/audit/*']);
  });

  test('no function may change or delete what proves who did what, whatever else it may write', () => {
    const writers = resourcesOfType(templateOf('prod'), 'AWS::Lambda::Function').filter(([name]) =>
      grantsOf(templateOf('prod'), name).includes('dynamodb:UpdateItem on {ServiceTable}'),
    );
    expect(writers.length).toBeGreaterThan(5);
    for (const [name] of writers) {
      const kept = 'on {ServiceTable} of AUDIT#* and AUDITCHAIN#* and SEEN#*';
      expect(grantsOf(templateOf('prod'), name), name).toEqual(
        expect.arrayContaining([
          `not dynamodb:DeleteItem ${kept}`,
          `not dynamodb:UpdateItem ${kept}`,
          'not dynamodb:PutItem on {ServiceTable} of AUDITCHAIN#* and SEEN#*',
        ]),
      );
    }
  });

  test('the sweeper runs every minute', () => {
    const [rule] = propertiesOfType('AWS::Events::Rule');
    expect(rule?.[1].ScheduleExpression).toBe('rate(1 minute)');
    const targets = z.array(z.object({ Arn: z.unknown() })).parse(rule?.[1].Targets);
    expect(targets.map(({ Arn }) => written(Arn))).toEqual(['{CallSweeper}']);
  });
});

describe('functions', () => {
  test('all run Node 24 on arm64 from their own bundle', () => {
    for (const [name, properties] of propertiesOfType('AWS::Lambda::Function')) {
      expect(properties, name).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: expect.any(Number),
        Timeout: expect.any(Number),
        Description: expect.stringMatching(/./),
      });
    }
  });

  test('those behind a gateway end before its 29 seconds are over', () => {
    const behindGateways = propertiesOfType('AWS::Lambda::Permission')
      .filter(([, { Principal }]) => Principal === 'apigateway.amazonaws.com')
      .map(([, { FunctionName }]) => written(FunctionName).slice(1, -1));
    expect(behindGateways).toContain('VoiceAgent');
    for (const name of behindGateways) {
      expect(Number(templateOf('prod').Resources[name]?.Properties.Timeout), name).toBeLessThan(29);
    }
  });

  test('log to their own group, and every log group forgets', () => {
    const groups = propertiesOfType('AWS::Logs::LogGroup');
    for (const [name, properties] of groups) {
      expect(properties.RetentionInDays, name).toBe(365);
    }
    for (const [name, properties] of propertiesOfType('AWS::Logs::LogGroup', 'dev')) {
      expect(properties.RetentionInDays, name).toBe(7);
    }
    const used = propertiesOfType('AWS::Lambda::Function').map(([, { LoggingConfig }]) =>
      written(z.object({ LogGroup: z.unknown() }).parse(LoggingConfig).LogGroup),
    );
    expect(new Set(used).size).toBe(used.length);
    expect(groups.map(([name]) => `{${name}}`)).toEqual(expect.arrayContaining(used));
  });
});

describe('46: the firewall', () => {
  const only = (type: string) => propertiesOfType(type).map(([, properties]) => properties);

  test('stands before the REST API and the user pool of prod unless it is not wanted', () => {
    expect(templateOf('prod').Parameters.WebAcl?.Default).toBe('on');
    expect(templateOf('dev').Parameters.WebAcl?.Default).toBe('off');
    const guarded = resourcesOfType(templateOf('prod'), 'AWS::WAFv2::WebACLAssociation');
    expect(
      guarded.map(([, { Properties, Condition }]) => [written(Properties.ResourceArn), Condition]),
    ).toEqual([
      [expect.stringMatching(/:apigateway:.*\/restapis\/\{RestApi\}\/stages\/\{RestApi/), 'HasWebAcl'],
      ['{IdentityPool}', 'HasWebAclOfUserPool'],
    ]);
  });

  test('blocks floods of one address but the callbacks of the carrier, and keeps no samples of requests', () => {
    const Rule = z.object({
      Name: z.string(),
      Priority: z.int(),
      VisibilityConfig: z.object({ SampledRequestsEnabled: z.literal(false) }),
      Statement: z.looseObject({}),
    });
    const [acl] = only('AWS::WAFv2::WebACL');
    const rules = z.array(Rule).parse(acl?.Rules);
    expect(rules.map(({ Name, Priority }) => `${Priority} ${Name}`)).toEqual([
      '0 RequestRate',
      '1 AWSManagedRulesAmazonIpReputationList',
      '2 AWSManagedRulesKnownBadInputsRuleSet',
      '3 AWSManagedRulesCommonRuleSet',
    ]);
    // Which paths that are: `custom-domains.test.ts`.
    expect(JSON.stringify(rules[0]?.Statement)).toContain('"NotStatement"');
  });
});

describe('alarms', () => {
  const alarms = () => propertiesOfType('AWS::CloudWatch::Alarm');
  const composites = () => propertiesOfType('AWS::CloudWatch::CompositeAlarm');

  test('each says in a sentence what its firing means for users, and reports to the topic', () => {
    for (const [name, { AlarmDescription, AlarmActions, OKActions }] of [...alarms(), ...composites()]) {
      expect(AlarmDescription, name).toMatch(/^[A-Z].{20,}\.$/);
      expect([AlarmActions].flat().map(written), name).toEqual(['{AlarmsTopic}']);
      expect([OKActions].flat().map(written), name).toEqual(['{AlarmsTopic}']);
    }
  });

  test('are mailed to the address that a deployment names, if it names one', () => {
    const [subscription, ...more] = resourcesOfType(templateOf('prod'), 'AWS::SNS::Subscription');
    expect(more).toEqual([]);
    expect(subscription?.[1]).toMatchObject({
      Condition: expect.stringContaining('HasEmail'),
      Properties: { Protocol: 'email', Endpoint: { Ref: 'AlarmEmail' } },
    });
  });

  test('one of them says that no calls are made, whichever of its causes it is', () => {
    const [composite, ...more] = composites();
    expect(more).toEqual([]);
    const rule = written(composite?.[1].AlarmRule);
    const parts = rule.split(' OR ').map((part) => /^\(?ALARM\("\{(\w+)\}"\)\)?$/.exec(part)?.[1]);
    expect(parts.map((part) => part?.replace(/Alarm$/, '')).sort()).toEqual([
      'AlarmscarrierRefusesOurConfiguration',
      'AlarmscarrierSecretNotRead',
      'AlarmscarrierWithoutCredentials',
      'AlarmsconversationNotOpened',
      'AlarmsrelaySignatureRefused',
      'CallRunnerFailures',
      'CarrierCallbackFailures',
      'FlowNoSweep',
      'FlowThrottled',
      'FlowWaiting',
      'VoiceAgentFailures',
    ]);
  });

  test('watch work that does not get done although nothing fails', () => {
    const flow = (name: string) => alarms().find(([id]) => id.startsWith(`Flow${name}`))?.[1];
    const expressions = (name: string): string => JSON.stringify(flow(name)?.Metrics);
    for (const name of ['VoiceAgent', 'CallRunner', 'CarrierCallback']) {
      expect(expressions('Throttled')).toContain(`"Ref":"${name}"`);
    }
    expect(expressions('Waiting')).toContain('MAX([callQueue / 300, watchQueue / 300,');
    expect(flow('StreamBehind')).toMatchObject({ MetricName: 'IteratorAge', Threshold: 600_000 });
    expect(flow('NoSweep')).toMatchObject({
      MetricName: 'Invocations',
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  test('of one stage are not those of another: whatever they watch is named by the stage', () => {
    for (const stage of ['dev', 'prod'] as const) {
      const own = `VoiceAgentTasks-${stage}`;
      const [[, rest] = []] = propertiesOfType('AWS::ApiGateway::RestApi', stage);
      const [[, socket] = []] = propertiesOfType('AWS::ApiGatewayV2::Api', stage);
      expect([rest?.Name, socket?.Name]).toEqual([own, `${own}-relay`]);
      const onApi = propertiesOfType('AWS::CloudWatch::Alarm', stage).flatMap(([, { Dimensions }]) =>
        JSON.stringify(Dimensions ?? []).includes('ApiName') ? [Dimensions] : [],
      );
      expect(onApi).toEqual([[{ Name: 'ApiName', Value: own }]]);
    }
  });

  test('and what is worth a look stand on one dashboard', () => {
    const [[, dashboard] = []] = propertiesOfType('AWS::CloudWatch::Dashboard');
    expect(dashboard?.DashboardName).toBe('VoiceAgentTasks-prod');
    const body = JSON.stringify(dashboard?.DashboardBody);
    const metrics = Object.values(eventMetrics).flatMap(({ units }) => Object.keys(units));
    for (const part of ['VoiceAgent', 'NoCalls', ...metrics, ...Object.values(alarmingEvents)])
      expect(body).toContain(part);
  });

  test('watch every function and every dead-letter queue', () => {
    const watched = alarms().flatMap(([, { Dimensions }]) =>
      z
        .array(z.object({ Value: z.unknown() }))
        .parse(Dimensions ?? [])
        .map(({ Value }) => written(Value)),
    );
    for (const [name] of propertiesOfType('AWS::Lambda::Function')) {
      expect(watched).toContain(`{${name}}`);
    }
    for (const [name] of propertiesOfType('AWS::SQS::Queue').filter(([queue]) =>
      queue.endsWith('DeadLettersQueue'),
    )) {
      expect(watched).toContain(`{${name}.QueueName}`);
    }
  });
});

describe('events of the log that somebody is woken up for', () => {
  const eventAlarms = (stage: StageName) =>
    propertiesOfType('AWS::CloudWatch::Alarm', stage)
      .map(([, properties]) => properties)
      .filter(({ MetricName }) => MetricName === alarmMetric);

  test('are metrics of the lines that functions write, which every function tells its stage', async () => {
    for (const [name] of propertiesOfType('AWS::Lambda::Function')) {
      expect(environmentOf(templateOf('prod'), name).STAGE).toBe('VoiceAgentTasks-prod');
    }
    const text = await capturedLog(async () => {
      vi.stubEnv('STAGE', 'VoiceAgentTasks-prod');
      for (const event of Object.values(alarmingEvents)) logError(event, new Error('a fault'));
      log('queue-message', { outcome: 'done' });
    });
    const counted = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter((line) => line._aws !== undefined)
      .map((line) => {
        const [{ Namespace, Dimensions, Metrics }] = line._aws.CloudWatchMetrics;
        const [names] = z.array(z.array(z.string())).parse(Dimensions);
        const [{ Name: MetricName }] = Metrics;
        expect(line[MetricName]).toBe(1);
        return { Namespace, MetricName, Dimensions: names?.map((Name) => ({ Name, Value: line[Name] })) };
      });
    const byEvent = (one: unknown, other: unknown): number =>
      JSON.stringify(one).localeCompare(JSON.stringify(other));
    const watched = eventAlarms('prod').map(({ Namespace, MetricName, Dimensions }) => ({
      Namespace,
      MetricName,
      Dimensions: z
        .array(z.object({ Name: z.string(), Value: z.string() }))
        .parse(Dimensions)
        .sort((one, other) => other.Name.localeCompare(one.Name)),
    }));
    expect(watched.sort(byEvent)).toEqual(counted.sort(byEvent));
    expect(watched).toHaveLength(Object.keys(alarmingEvents).length);
  });

  test.each(['dev', 'prod'] as const)('have an alarm each in %s', (stage) => {
    for (const alarm of eventAlarms(stage)) {
      // A language model may fail now and then, and a socket close; whoever is on the line is served.
      const dimensions = JSON.stringify(alarm.Dimensions);
      const [, usual] = [
        [alarmingEvents.dialogueFallback, 5] as const,
        [alarmingEvents.framesNotSent, 3] as const,
      ].find(([event]) => dimensions.includes(event)) ?? ['', 1];
      expect(alarm).toMatchObject({ Statistic: 'Sum', Threshold: usual });
      expect(dimensions).toContain(`VoiceAgentTasks-${stage}`);
    }
  });
});

describe('the template', () => {
  test('leaves room below the 500 resources that CloudFormation takes', () => {
    expect(Object.keys(templateOf('prod').Resources).length).toBeLessThanOrEqual(395);
  });

  test('needs no custom resource, so nothing runs at deployment but CloudFormation itself', () => {
    const types = new Set(Object.values(templateOf('prod').Resources).map(({ Type }) => Type));
    expect([...types].filter((type) => /^Custom::|CustomResource/.test(type))).toEqual([]);
  });

  test('names what operators and scripts need', () => {
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

  test('uses only the intrinsic functions that the local stack resolves', () => {
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

describe('the identity provider', () => {
  const pool = (stage: StageName) =>
    resourceNamed(templateOf(stage), 'AWS::Cognito::UserPool', 'IdentityPool').Properties;
  const client = () =>
    resourceNamed(templateOf('prod'), 'AWS::Cognito::UserPoolClient', 'IdentityPoolClient').Properties;

  test('is a pool of the stack in which nobody signs up, with long passwords and in prod a second factor for everybody', () => {
    expect(pool('prod')).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
      Policies: { PasswordPolicy: { MinimumLength: 14 } },
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      DeletionProtection: 'ACTIVE',
    });
    expect(pool('dev')).toMatchObject({ MfaConfiguration: 'OPTIONAL', DeletionProtection: 'INACTIVE' });
  });

  test('lets a public client in by authorization code only, and lets nobody change their own address', () => {
    expect(client()).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email', 'profile'],
      PreventUserExistenceErrors: 'ENABLED',
      SupportedIdentityProviders: ['COGNITO'],
      WriteAttributes: ['name'],
    });
    expect(z.array(z.unknown()).parse(client().CallbackURLs).map(written)).toEqual([
      expect.stringMatching(/\/dashboard\/signed-in$/),
      'http://localhost:8976/callback',
    ]);
  });

  test('is made only where no other one is named', () => {
    const { Resources } = templateOf('prod');
    const own = Object.values(Resources).filter(({ Type }) => Type.startsWith('AWS::Cognito::'));
    expect(own.map(({ Type, Condition }) => [Type, Condition])).toEqual([
      ['AWS::Cognito::UserPool', 'HasUserPool'],
      ['AWS::Cognito::UserPoolClient', 'HasUserPool'],
      ['AWS::Cognito::UserPoolDomain', 'HasUserPool'],
    ]);
    expect(environmentOf(templateOf('prod'), 'Admin')).toMatchObject({
      OIDC_ISSUER:
        '{HasUserPool ? https://cognito-idp.{AWS::Region}.{AWS::URLSuffix}/{IdentityPool} : {OidcIssuer}}',
      OIDC_CLIENT_ID: '{HasUserPool ? {IdentityPoolClient} : {OidcClientId}}',
    });
  });
});
