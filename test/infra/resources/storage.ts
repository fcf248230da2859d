import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { indexNames } from '#shared/table/indexes.ts';
import type { StageName } from '../../../infra/constructs/stage.ts';
import { propertiesOfType, refusesPlaintext, templateOf } from '../stage-templates.ts';
import { resourceNamed, resourcesOfType, statementsOf, written } from '../synthesized.ts';

export function storageSuite(): void {
  describe('backups', () => {
    const backups = (stage: StageName) =>
      Object.values(templateOf(stage).Resources).filter(({ Type }) => Type.startsWith('AWS::Backup::'));

    test('are made in prod unless a parameter says otherwise, and in dev only when it asks for them', () => {
      expect(templateOf('prod').Parameters.Backups?.Default).toBe('on');
      expect(templateOf('dev').Parameters.Backups?.Default).toBe('off');
      expect(backups('prod').map(({ Type, Condition }) => [Type, Condition])).toEqual([
        // Otherwise copies that are turned off and on again would need a vault of a name that is taken.
        ['AWS::Backup::BackupVault', undefined],
        ['AWS::Backup::BackupPlan', 'HasBackups'],
        ['AWS::Backup::BackupSelection', 'HasBackups'],
      ]);
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

    // DynamoDB changes neither keys nor projection of an existing index, and CloudFormation changes one index per
    // deployment. To change a projection, add the index under a new name (`patient-index-2`), deploy, let the
    // readers use it, deploy, remove the old one, and deploy again.
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
        .array(
          z.object({ IndexName: z.string(), KeySchema: z.array(z.object({ AttributeName: z.string() })) }),
        )
        .parse(table().GlobalSecondaryIndexes);
      expect(
        Object.fromEntries(
          indexes.map(({ IndexName, KeySchema }) => [
            IndexName,
            KeySchema.map(({ AttributeName }) => AttributeName),
          ]),
        ),
      ).toEqual({
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
}
