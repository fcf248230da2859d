import { calledPlace } from '#shared/calling-hours/called-place.ts';
import { inWords } from '#shared/calling-hours/opening.ts';
import type { CarrierLimits } from '#shared/calls/capacity/capacity.ts';
import {
  type DialCase,
  type DialVerdict,
  judgeCarrier,
  judgeLimits,
  judgeLine,
  judgeNumber,
  judgeTime,
} from '#shared/calls/dial/dial-rules.ts';
import { type LiveCounts, type NumberLimits, readLiveCounts } from '#shared/calls/dial/live-limits.ts';
import { type LineTerms, readLineTerms, withLineLimits } from '#shared/directory/line-terms.ts';
import { boundedHours } from '#shared/domain/live-bounds.ts';
import { listsOf, type OptOutScope } from '#shared/domain/opt-out.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import type { Table } from '#shared/table/client.ts';
import { getLine } from '#shared/table/line.ts';
import { findActiveOptOut } from '#shared/table/opt-out.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import type { CreatableTask } from './check-creation.ts';
import { estimateCall } from './estimate-call.ts';
import type { TaskForecast } from './task-forecast.ts';

/** The deployment's settings, as in the call runner. */
export interface ForecastServices {
  readonly table: Table;
  readonly carrierLimits: Readonly<Record<CarrierName, CarrierLimits>>;
  readonly numberLimits: NumberLimits;
  readonly optOutScope: OptOutScope;
  readonly now?: () => Date;
}

/** Predicts what would happen to a creatable task, by the rules of dialing. Writes nothing. */
export async function foreseeTask(
  services: ForecastServices,
  { project, patient, task }: CreatableTask,
): Promise<TaskForecast> {
  const { table, now = () => new Date() } = services;
  const at = now();
  const terms = await readLineTerms(table, project.id, task.phone_number);
  const place = calledPlace(project, task, patient, terms);
  const [call, line, counts, estimate] = await Promise.all([
    foreseeCall(services, { task, project, place, line: terms }, at),
    foreseeLine(services, { task, project, line: terms }, at),
    readLiveCounts(table, project, task.phone_number, at),
    estimateCall(table, project, task.task_type),
  ]);
  const plan = createCallPlan(task, patient, withLineLimits(project, terms), project.agent);
  return {
    call: {
      ...call,
      calling_hours: inWords(boundedHours(project), place),
      time_zones: [...place.zones],
    },
    line,
    limits: counts === null ? null : limitsOf(services, terms, counts),
    questions: plan.items
      .filter(({ asked }) => asked)
      .map(({ key, question, required }) => ({ key, question, required })),
    facts: plan.facts.filter((fact) => fact.may_be_told).map(({ field, label }) => ({ field, label })),
    estimate: { ...estimate, most_calls: project.redial_policy.max_attempts },
  };
}

/** The first call, after applying the rules in order. */
async function foreseeCall(
  { table, numberLimits, optOutScope }: ForecastServices,
  dial: DialCase,
  now: Date,
): Promise<Pick<TaskForecast['call'], 'will_be_made' | 'reason' | 'at'>> {
  const { task, project } = dial;
  const optOut = await findActiveOptOut(table, listsOf(project, optOutScope), task.phone_number);
  const counts = await readLiveCounts(table, project, task.phone_number, now);
  let at = new Date(Math.max(now.getTime(), Date.parse(task.next_attempt_at ?? '')));
  let reason = at > now ? task.next_attempt_reason : null;
  const rules: ((from: Date) => DialVerdict | Promise<DialVerdict>)[] = [
    (from) => judgeNumber(dial, optOut, from),
    (from) => judgeTime(dial, from),
    (from) => judgeLimits(dial, counts, numberLimits, from),
  ];
  for (const rule of rules) {
    const verdict = await rule(at);
    if (verdict.kind === 'never') return { will_be_made: false, reason: verdict.outcome, at: null };
    if (verdict.kind === 'later') ({ at, reason } = verdict);
  }
  return { will_be_made: true, reason, at: at.toISOString() };
}

/** What a call that starts now would have to wait for. */
async function foreseeLine(
  { table, carrierLimits }: ForecastServices,
  { task, project, line: terms }: Pick<DialCase, 'task' | 'project' | 'line'>,
  now: Date,
): Promise<TaskForecast['line']> {
  const { carrier } = project;
  const [line, capacity] = await Promise.all([
    getLine(table, { carrier, phone_number: task.phone_number }),
    getCallCapacity(table, carrier),
  ]);
  const atLine = judgeLine({ task, line: terms }, line.capacity, capacity, now);
  if (!atLine.isAdmitted) return { is_free: false, reason: atLine.reason };
  const atCarrier = judgeCarrier({ task, project }, capacity, carrierLimits[carrier], now);
  return atCarrier.isAdmitted
    ? { is_free: true, reason: null }
    : { is_free: false, reason: atCarrier.reason };
}

function limitsOf(
  { numberLimits }: ForecastServices,
  { isShared }: LineTerms,
  { grant, usage }: LiveCounts,
): NonNullable<TaskForecast['limits']> {
  const limit = isShared ? numberLimits.shared : numberLimits.ordinary;
  return {
    number_calls_per_day: limit.callsPerDay,
    number_gap_minutes: limit.gapSeconds / 60,
    project_calls_left: Math.max(grant.calls_per_day - usage.calls, 0),
    project_minutes_left: Math.max(Math.floor(grant.minutes_per_day - usage.talk_seconds / 60), 0),
  };
}
