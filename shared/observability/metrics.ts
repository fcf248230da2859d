import { alarmingEvents } from './alarming-events.ts';

/** Units of CloudWatch (docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html). */
type Unit = 'Count' | 'Milliseconds' | 'Seconds' | 'None';

interface EventMetrics {
  /** The metric's dimension besides the stage: a field with few values. */
  readonly dimension: string | null;
  /** The unit of each field that is a metric. */
  readonly units: Readonly<Record<string, Unit>>;
}

export const metricsNamespace = 'VoiceAgentTasks';

/** The log events whose fields are metrics. A missing or null field is no data point. */
export const eventMetrics: Readonly<Record<string, EventMetrics>> = {
  'call-claimed': { dimension: null, units: { queue_wait_seconds: 'Seconds' } },
  turn: { dimension: null, units: { first_word_ms: 'Milliseconds', turn_latency_ms: 'Milliseconds' } },
  'language-model-turn': {
    dimension: null,
    units: { input_tokens: 'Count', output_tokens: 'Count', cache_read_tokens: 'Count' },
  },
  'call-completed': { dimension: 'result', units: { calls: 'Count' } },
  // US dollars, for which CloudWatch has no unit.
  'call-cost': { dimension: null, units: { estimated_cost_usd: 'None' } },
};

/** Counts the alarming events by name; their lines need no field for it. */
export const alarmMetric = 'alarming_events';
const alarmMetrics: EventMetrics = { dimension: 'event', units: { [alarmMetric]: 'Count' } };
const alarming: ReadonlySet<string> = new Set(Object.values(alarmingEvents));

type Fields = Readonly<Record<string, unknown>>;

/**
 * The embedded metric format that makes a log line a data point: CloudWatch reads it from the function's log, without a
 * request. Empty for other events, and outside of a stack.
 *
 * @param stage the stack's name, which separates the stages of one account
 */
export function embeddedMetrics(event: string, fields: Fields, stage: string | undefined, now: Date): Fields {
  const added: Fields = alarming.has(event) ? { [alarmMetric]: 1 } : {};
  const metrics = alarming.has(event) ? alarmMetrics : eventMetrics[event];
  if (metrics === undefined || stage === undefined || stage === '') return {};
  const all = { ...fields, ...added };
  const present = Object.entries(metrics.units).filter(([name]) => typeof all[name] === 'number');
  if (present.length === 0) return {};
  return {
    ...added,
    stage,
    _aws: {
      Timestamp: now.getTime(),
      CloudWatchMetrics: [
        {
          Namespace: metricsNamespace,
          Dimensions: [['stage', ...(metrics.dimension === null ? [] : [metrics.dimension])]],
          Metrics: present.map(([Name, Unit]) => ({ Name, Unit })),
        },
      ],
    },
  };
}
