import {
  AlarmStatusWidget,
  type CompositeAlarm,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CallStatus } from '#shared/domain/call.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { alarmMetric } from '#shared/observability/metrics.ts';
import { loggedMetric } from './alarms.ts';
import type { FlowAlarmsProps } from './flow-alarms.ts';
import type { ServiceRestApi } from './rest-api.ts';
import type { ServiceContext } from './service-context.ts';

export interface OperationsDashboardProps extends FlowAlarmsProps {
  readonly restApi: ServiceRestApi;
  readonly noCalls: CompositeAlarm;
}

const period = Duration.minutes(5);

const results = CallStatus.options.filter((status) => status !== 'IN_PROGRESS');

/** One page for the first minute of an incident: active alarms, and whether calls, requests and webhooks succeed. */
export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, { alarms }: ServiceContext, props: OperationsDashboardProps) {
    super(scope, id);
    const { functionNamed, queue, restApi, noCalls } = props;
    const { stackName } = Stack.of(this);
    const each = (names: readonly string[], metric: (name: string) => IMetric): IMetric[] =>
      names.map(metric);
    const percentiles = (name: string): IMetric[] =>
      ['p50', 'p95'].map((statistic) => loggedMetric(this, name, { statistic, label: statistic }));
    const ofCalls = ['call-runner', 'carrier-callback', 'voice-agent', 'no-input-timer', 'recording-ingest'];
    const queues = ['callQueue', 'watchQueue', 'recordingQueue', 'deliveryQueue', 'erasureQueue'] as const;
    new Dashboard(this, 'Dashboard', {
      dashboardName: stackName,
      defaultInterval: Duration.hours(3),
      widgets: [
        [
          new AlarmStatusWidget({
            title: 'Calls are not being made',
            alarms: [noCalls, ...alarms.stopping],
            width: 24,
            height: 4,
          }),
        ],
        [
          graph(
            'Completed calls, by result',
            results.map((result) => loggedMetric(this, 'calls', { dimension: { result }, label: result })),
          ),
          graph('Time to the first word of a call, ms', percentiles('first_word_ms')),
          graph('Latency of turns, ms', percentiles('turn_latency_ms')),
        ],
        [
          graph('Wait for a concurrency slot, seconds', percentiles('queue_wait_seconds')),
          graph(
            'Language model tokens',
            ['input_tokens', 'output_tokens', 'cache_read_tokens'].map((name) =>
              loggedMetric(this, name, { label: name }),
            ),
          ),
          graph('Estimated cost of calls, US dollars', [
            loggedMetric(this, 'estimated_cost_usd', { label: 'all calls' }),
            loggedMetric(this, 'estimated_cost_usd', { statistic: 'Average', label: 'a call' }),
          ]),
        ],
        [
          graph('Conversations: time to answer a frame', [
            functionNamed('voice-agent').lambda.metricDuration({ period, statistic: 'p50', label: 'p50' }),
            functionNamed('voice-agent').lambda.metricDuration({ period, statistic: 'p95', label: 'p95' }),
          ]),
          graph(
            'Invocations',
            each(ofCalls, (name) => functionNamed(name).lambda.metricInvocations({ period, label: name })),
          ),
          graph(
            'Errors',
            each(ofCalls, (name) => functionNamed(name).lambda.metricErrors({ period, label: name })),
          ),
        ],
        [
          graph(
            'Throttles',
            each(ofCalls, (name) => functionNamed(name).lambda.metricThrottles({ period, label: name })),
          ),
          graph(
            'Oldest message, seconds',
            queues.map((name) =>
              queue(name).queue.metricApproximateAgeOfOldestMessage({
                period,
                statistic: 'Maximum',
                label: name,
              }),
            ),
          ),
          graph(
            'Events that raise alarms',
            Object.values(alarmingEvents).map((event) =>
              loggedMetric(this, alarmMetric, { dimension: { event }, label: event }),
            ),
          ),
        ],
        [
          graph('Requests', [
            restApi.api.metricCount({ period, label: 'all' }),
            restApi.api.metricClientError({ period, label: '4xx' }),
            restApi.api.metricServerError({ period, label: '5xx' }),
          ]),
          graph('Latency of requests, ms', [
            restApi.api.metricLatency({ period, statistic: 'p50', label: 'p50' }),
            restApi.api.metricLatency({ period, statistic: 'p95', label: 'p95' }),
          ]),
          graph(
            'Webhooks',
            each(['webhook-fanout', 'webhook-delivery'], (name) =>
              functionNamed(name).lambda.metricInvocations({ period, label: name }),
            ),
          ),
        ],
      ],
    });
  }
}

function graph(title: string, left: IMetric[]): IWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
