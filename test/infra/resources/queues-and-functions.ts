import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { StageName } from '../../../infra/constructs/stage.ts';
import { propertiesOfType, templateOf } from '../stage-templates.ts';
import { grantsOf, readableName, resourceNamed, resourcesOfType, written } from '../synthesized.ts';

export function queueAndFunctionSuite(): void {
  describe('queues and streams', () => {
    /** Batch size, visibility timeout in worker timeouts, receives before the dead-letter queue. */
    const workers: [string, string, number, number, number][] = [
      ['CallQueue', 'CallRunner', 5, 6, 5],
      ['RecordingQueue', 'RecordingIngest', 1, 1, 5],
      ['ErasureQueue', 'DataEraser', 1, 1, 5],
      ['WatchQueue', 'NoInputTimer', 5, 1, 5],
      ['DeliveryQueue', 'WebhookDelivery', 1, 6, 10],
      ['SandboxPhoneLineQueue', 'SandboxPhoneLine', 1, 1, 3],
    ];

    test.each(workers)(
      '%s feeds %s and sets poison aside',
      (queue, worker, batchSize, timeouts, receives) => {
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
      },
    );

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

    test('the stream wakes the fan-out for new tasks and changed tasks and calls only; ten failures set aside', () => {
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
            $or: [
              { OldImage: { status: { S: ['PENDING', 'IN_PROGRESS'] } } },
              { OldImage: { current_call_id: { S: [{ exists: true }] } } },
            ],
          },
        },
        {
          $or: [
            { eventName: ['INSERT', 'REMOVE'], dynamodb: { Keys: { sk: { S: ['TASK'] } } } },
            { dynamodb: { Keys: { sk: { S: ['PATIENT'] } } } },
          ],
        },
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

    test('those that are warmed while it rings are invoked once and soon, or not at all', () => {
      const configs = resourcesOfType(templateOf('prod'), 'AWS::Lambda::EventInvokeConfig');
      const byFunction = configs.map(([, { Properties }]) => [Properties.FunctionName, Properties]);
      expect(new Map(byFunction.map(([name, properties]) => [JSON.stringify(name), properties]))).toEqual(
        new Map(
          ['CarrierCallback', 'VoiceAgent'].map((name) => [
            JSON.stringify({ Ref: name }),
            expect.objectContaining({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }),
          ]),
        ),
      );
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
}
