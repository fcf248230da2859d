import { CallStatus } from '#shared/domain/call.ts';
import { eventMetrics } from '#shared/observability/metrics.ts';
import type { CallCounts, Counted, MeasuredCall } from './call-counts.ts';
import type { AwsPrices, Price, PriceList } from './prices.ts';

/** One line of the bill: units × price = amount. */
export interface CostLine {
  readonly what: string;
  readonly units: number;
  readonly price: Price;
  /** US dollars. */
  readonly amount: number;
}

export interface Cost {
  readonly call: readonly CostLine[];
  readonly carrier: readonly CostLine[];
  /** What a month costs without any call. */
  readonly idleMonth: readonly CostLine[];
  readonly perCall: number;
  readonly month: number;
}

export interface Usage {
  /** In a month. */
  readonly calls: number;
  /** Turns of both sides in a call. */
  readonly turns: number;
  /** Of a call. */
  readonly minutes: number;
  /** Each has its own KMS key. */
  readonly projects: number;
}

/**
 * A function has one core from 1,769 MB and a share of it below
 * (docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html), so a core-second is 1.73 GB-s at any smaller size.
 */
const gigabytesOfCore = 1769 / 1024;
/** START, END and REPORT, which Lambda writes for each invocation. */
const lambdaLogBytes = 300;
const minutesOfMonth = 30 * 24 * 60;
/** Assumed: Lambda polls an empty queue with five long polls of 20 seconds. */
const pollsPerQueueMinute = 15;

/** The cost of `usage` by counts and prices. */
export function computeCost(counts: CallCounts, prices: PriceList, region: AwsPrices, usage: Usage): Cost {
  const call = callLines(counts, region, usage);
  const carrier = carrierLines(prices, Math.ceil(usage.minutes), 1);
  const { sweep, monthly } = counts;
  const idleMonth = [
    line('CloudWatch metrics', metricCount(), region.metric_month),
    line('CloudWatch alarms', monthly.alarm_metrics, region.alarm_month),
    line('CloudWatch composite', monthly.composite_alarms, region.composite_alarm_month),
    line('CloudWatch dashboards', monthly.dashboards, region.dashboard_month),
    line('KMS keys', monthly.kms_keys, region.kms_key_month),
    line('KMS keys of projects', usage.projects, region.kms_key_month),
    line('Secrets', monthly.secrets, region.secret_month),
    line('Sweeper invocations', minutesOfMonth, region.lambda_request),
    line(
      'Sweeper duration',
      gigabyteSeconds(sweep.lambda_milliseconds) * minutesOfMonth,
      region.lambda_gb_second,
    ),
    line('Sweeper reads', sweep.dynamodb_read_units * minutesOfMonth, region.dynamodb_read_unit),
    line('Sweeper writes', sweep.dynamodb_write_units * minutesOfMonth, region.dynamodb_write_unit),
    line('Sweeper logs', gigabytes(sweep.log_bytes + lambdaLogBytes) * minutesOfMonth, region.log_gigabyte),
    line('SQS polling', monthly.queues * pollsPerQueueMinute * minutesOfMonth, region.sqs_request),
  ];
  const perCall = total(call) + total(carrier);
  return { call, carrier, idleMonth, perCall, month: perCall * usage.calls + total(idleMonth) };
}

/** What AWS charges for one call. */
export function callLines(
  counts: Pick<CallCounts, 'calls'>,
  region: AwsPrices,
  { turns, minutes }: Pick<Usage, 'turns' | 'minutes'>,
): CostLine[] {
  const of = (counted: Counted): number => unitsAt(counts.calls, counted, turns);
  return [
    line('Lambda invocations', of('lambda_invocations'), region.lambda_request),
    line('Lambda duration', gigabyteSeconds(of('lambda_milliseconds')), region.lambda_gb_second),
    line('DynamoDB writes', of('dynamodb_write_units'), region.dynamodb_write_unit),
    line('DynamoDB reads', of('dynamodb_read_units'), region.dynamodb_read_unit),
    line('SQS', of('sqs_requests'), region.sqs_request),
    line('S3 writes', of('s3_writes'), region.s3_write),
    line('S3 reads', of('s3_reads'), region.s3_read),
    line('KMS', of('kms_requests'), region.kms_request),
    line('Secrets Manager', of('secrets_requests'), region.secrets_request),
    line('REST API', of('rest_requests'), region.rest_request),
    line('WebSocket frames', of('websocket_messages'), region.websocket_message),
    line('WebSocket connection', minutes, region.websocket_minute),
    line(
      'CloudWatch logs',
      gigabytes(of('log_bytes') + of('lambda_invocations') * lambdaLogBytes),
      region.log_gigabyte,
    ),
  ];
}

/**
 * What the carrier charges for calls.
 *
 * @param billedMinutes started minutes
 */
export function carrierLines(
  { assumptions }: Pick<PriceList, 'assumptions'>,
  billedMinutes: number,
  answeredCalls: number,
): CostLine[] {
  return [
    line('Telephone', billedMinutes, assumptions.carrier_minute),
    line('ConversationRelay', billedMinutes, assumptions.relay_minute),
    line('Recording', billedMinutes, assumptions.recording_minute),
    line('Machine detection', answeredCalls, assumptions.detection),
  ];
}

export function total(lines: readonly CostLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** The mean of the measured calls. */
export function usualCall(calls: readonly MeasuredCall[]): { turns: number; minutes: number } {
  return {
    turns: Math.round(mean(calls.map(({ turns }) => turns))),
    minutes: Math.round((mean(calls.map((call) => call.connected_seconds)) / 60) * 10) / 10,
  };
}

/**
 * Units of a call with so many turns: a line fitted through the measured calls (least squares). A call has a fixed
 * part and never gets cheaper with length, so neither coefficient is negative.
 */
export function unitsAt(calls: readonly MeasuredCall[], counted: Counted, turns: number): number {
  const meanTurns = mean(calls.map((call) => call.turns));
  const meanUnits = mean(calls.map(({ counts }) => counts[counted]));
  const spread = mean(calls.map((call) => (call.turns - meanTurns) ** 2));
  const together = mean(calls.map((call) => (call.turns - meanTurns) * (call.counts[counted] - meanUnits)));
  const steepest = meanTurns === 0 ? 0 : meanUnits / meanTurns;
  const perTurn = Math.min(Math.max(spread === 0 ? 0 : together / spread, 0), steepest);
  return meanUnits + perTurn * (turns - meanTurns);
}

/** Each combination of dimensions is its own metric; those of alarms that do not fire have no data. */
function metricCount(): number {
  return Object.values(eventMetrics).reduce(
    (sum, { dimension, units }) =>
      sum + Object.keys(units).length * (dimension === null ? 1 : CallStatus.options.length - 1),
    0,
  );
}

function line(what: string, units: number, price: Price): CostLine {
  return { what, units, price, amount: (units * price.price) / price.per };
}

const gigabyteSeconds = (milliseconds: number): number => (milliseconds / 1000) * gigabytesOfCore;
const gigabytes = (bytes: number): number => bytes / 1024 ** 3;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
