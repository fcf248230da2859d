import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log, logError } from '#shared/observability/log.ts';
import { alarmMetric, eventMetrics } from '#shared/observability/metrics.ts';
import type { StageName } from '../../../infra/constructs/stage.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { propertiesOfType, templateOf } from '../stage-templates.ts';
import { environmentOf, resourcesOfType, written } from '../synthesized.ts';

export function alarmSuite(): void {
  describe('42: alarms', () => {
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
        'AlarmscarrierSignatureRefused',
        'AlarmscarrierWithoutCredentials',
        'AlarmsconversationNotOpened',
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
      expect(expressions('Waiting')).toContain('MAX([m0 / 300, m1 / 300])');
      for (const queue of ['CallQueue', 'WatchQueue']) {
        expect(expressions('Waiting')).toContain(`"Fn::GetAtt":["${queue}`);
      }
      // Both consumers of the stream, whose records are lost after a day.
      expect(expressions('Late').match(/"IteratorAge"/g)).toHaveLength(2);
      for (const name of ['WebhookFanout', 'AuditKeeper']) {
        expect(expressions('Late')).toContain(`"Ref":"${name}"`);
      }
      for (const queue of ['DeliveryQueue', 'RecordingQueue', 'ErasureQueue']) {
        expect(expressions('Late')).toContain(`"Fn::GetAtt":["${queue}`);
      }
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
        // A language model may fail occasionally, and a socket close; the person on the line is still served.
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
}
