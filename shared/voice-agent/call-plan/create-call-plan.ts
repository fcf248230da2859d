import { type AgentSettings, defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { localDay } from '../language/calendar.ts';
import type { Callee, CallerIdentity, CallPlan, Fact, PlanItem } from './call-plan.ts';
import { calledPlace } from './called-place.ts';
import { clientItems } from './client-items.ts';
import { mayBeTold } from './disclosure.ts';
import { type Data, factsOf, identityFacts, type KnownFact } from './facts.ts';
import { itemsOf } from './items.ts';
import { openItems } from './open-items.ts';
import { parseAvailability, timeWordsIn } from './parse-availability.ts';
import { purposeOf } from './purpose.ts';
import { timeZoneOfState } from './time-zone.ts';
import { serviceFact, visitFacts } from './visit.ts';
import { wishesIn } from './wishes.ts';

const callees: Readonly<Record<TaskType, Callee>> = {
  SCHEDULE_APPOINTMENT: 'clinic',
  VERIFY_INSURANCE: 'insurer',
  REIMBURSEMENT: 'claims-department',
  CUSTOM_TASK: 'office',
};

/**
 * Makes the plan of a call from its inputs. Pure: the same task, patient, project and settings give the
 * same plan. A further call of a task asks only what earlier ones have left open; an appointment always starts
 * over, because an earlier time may be gone.
 */
export function createCallPlan(
  task: Task,
  patient: Patient,
  project: Pick<Project, 'call_policy' | 'caller_number'>,
  settings: AgentSettings = defaultAgentSettings,
): CallPlan {
  const { task_type } = task;
  const data = task.task_data ?? {};
  const callee = callees[task_type];
  const time_zone = timeZoneOfState(patient.address?.state);
  const today = localDay(new Date(task.created_at), time_zone);
  const isRescheduling = task_type === 'SCHEDULE_APPOINTMENT' && data.is_rescheduling === true;
  const identity = identityOf(patient, project, settings);
  const known = knownFacts(task, patient, identity, today);
  const facts = known.map((fact) => ({
    ...fact,
    may_be_told: mayBeTold(fact, task_type, callee, settings.disclosure),
  }));
  const items = allItems(task, patient, facts, isRescheduling);
  const { call_policy } = project;
  return {
    task_type,
    callee,
    place: placeOf(task, patient, callee, known),
    payer: payerOf(callee, known),
    is_rescheduling: isRescheduling,
    ...purposeOf(task_type, {
      facts: facts.filter((fact) => fact.may_be_told),
      isRescheduling,
      questions: items.length,
    }),
    identity,
    facts,
    items,
    availability: parseAvailability(known.find(({ topic }) => topic === 'timeframe')?.value, today),
    time_zone,
    voicemail: voicemailOf(patient, project, settings),
    max_hold_seconds: call_policy.max_hold_seconds,
    instructions: freeTexts(task).join('\n'),
  };
}

/** A payer's name is a fact about the patient, so we ask for none. */
function placeOf(
  { task }: Task,
  patient: Patient,
  callee: Callee,
  known: readonly KnownFact[],
): string | null {
  if (callee !== 'clinic' && callee !== 'office') return null;
  const place = calledPlace(task, [patient.first_name, patient.last_name]);
  const isPayer = known.some(
    ({ topic, value }) => payers.has(topic) && place?.toLowerCase().includes(value.toLowerCase()),
  );
  return isPayer ? null : place;
}

function payerOf(callee: Callee, known: readonly KnownFact[]): string | null {
  if (callee !== 'insurer' && callee !== 'claims-department') return null;
  return known.find(({ topic }) => topic === 'insurer')?.value ?? null;
}

const payers: ReadonlySet<string> = new Set(['insurer', 'plan-name', 'secondary-insurance']);

/** Leaves no message without a callback number. */
function voicemailOf(
  patient: Patient,
  { call_policy, caller_number }: Pick<Project, 'call_policy' | 'caller_number'>,
  settings: AgentSettings,
): CallPlan['voicemail'] {
  if (call_policy.voicemail === 'hang-up') return null;
  const numbers = [call_policy.callback_number, settings.callback_number, caller_number];
  const number = callbackNumber(patient, numbers);
  return number === null ? null : { callback_number: number };
}

/** The project's first number that is not the patient's. */
function callbackNumber(patient: Patient, numbers: readonly (string | null)[]): string | null {
  return numbers.find((number) => number !== null && number !== patient.phone_number) ?? null;
}

function identityOf(
  patient: Patient,
  { call_policy, caller_number }: Pick<Project, 'call_policy' | 'caller_number'>,
  settings: AgentSettings,
): CallerIdentity {
  const numbers = [settings.callback_number, call_policy.callback_number, caller_number];
  return {
    agent_name: settings.agent_name,
    organization: settings.organization_name,
    on_behalf_of: settings.on_behalf_of,
    callback_number: callbackNumber(patient, numbers),
    npi: settings.npi,
    tax_id: settings.tax_id,
  };
}

/** The client's description and notes. */
function freeTexts({ task, task_data }: Task): string[] {
  const context = task_data?.additional_context;
  return [task, typeof context === 'string' ? context : ''].filter((text) => text.trim() !== '');
}

/**
 * Facts about the task come first: its insurance data overrides the patient's
 * record.
 */
function knownFacts(task: Task, patient: Patient, identity: CallerIdentity, today: string): KnownFact[] {
  const data: Data = task.task_data ?? {};
  const names = [patient.first_name, patient.last_name];
  const texts = freeTexts(task).map((text) => wishesIn(text, names).rest);
  const visit = {
    SCHEDULE_APPOINTMENT: () => [...visitFacts(data, { texts, names, today }), ...timeFacts(task, today)],
    VERIFY_INSURANCE: () => serviceFact('service', { texts: [task.task], names, today }),
    REIMBURSEMENT: () => serviceFact('treatment', { texts: [task.task], names, today }),
    CUSTOM_TASK: () => matterOf(task, names),
  }[task.task_type]();
  const given = factsOf(task.task_type, data, patient, today).map((fact) =>
    fact.topic === 'other' ? withoutWishes(fact, names) : fact,
  );
  const facts = [...given, ...visit, ...identityFacts(identity)];
  const byTopicAndField = new Map<string, KnownFact>();
  for (const fact of facts) {
    // Facts without a special topic are separate.
    const key = fact.topic === 'other' || fact.topic === 'context' ? fact.field : fact.topic;
    if (!byTopicAndField.has(key) && fact.value !== '') byTopicAndField.set(key, fact);
  }
  return [...byTopicAndField.values()];
}

/** Questions are not facts. */
function withoutWishes(fact: KnownFact, names: readonly string[]): KnownFact {
  const { wishes, rest } = wishesIn(fact.value, names);
  return wishes.length === 0 ? fact : { ...fact, value: rest, spoken: rest };
}

/** When an appointment is moved, the days in the description may be the old ones. */
function timeFacts({ task, task_data }: Task, today: string): KnownFact[] {
  const value = task_data?.is_rescheduling === true ? null : timeWordsIn(task, today);
  const label = "patient's availability";
  return value === null ? [] : [{ field: 'task.timeframe', topic: 'timeframe', label, value, spoken: value }];
}

/** "Ask the office about forms": the subject of a client's own task. */
function matterOf(task: Task, names: readonly string[]): KnownFact[] {
  const topic = wishesIn(task.task, names).wishes.find((wish) => wish.topic !== null)?.topic;
  return topic == null
    ? []
    : [{ field: 'task', topic: 'context', label: 'matter', value: topic, spoken: topic }];
}

function allItems(task: Task, patient: Patient, facts: readonly Fact[], isRescheduling: boolean): PlanItem[] {
  const names = [patient.first_name, patient.last_name];
  const { items: wished, asksFor } = clientItems(task, names, facts);
  const standard = itemsOf(task.task_type, { facts, wishes: freeTexts(task).join('\n'), isRescheduling }).map(
    (item) => ({
      ...item,
      asked: item.asked || (asksFor.has(item.key) && item.key !== 'booking_confirmed'),
    }),
  );
  const earlier = task.result?.answers ?? [];
  if (task.task_type !== 'SCHEDULE_APPOINTMENT') return openItems([...lastAsked(standard, wished)], earlier);
  const told = new Set(earlier.flatMap(({ key, answer }) => (answer === null ? [] : [key])));
  return lastAsked(
    standard,
    wished.filter(({ key }) => !told.has(key)),
  );
}

/** The final questions of every call come after the client's own. */
function lastAsked(standard: readonly PlanItem[], wished: readonly PlanItem[]): PlanItem[] {
  const isLast = ({ key }: PlanItem): boolean => key === 'reference_number' || key === 'person_name';
  return [...standard.filter((item) => !isLast(item)), ...wished, ...standard.filter(isLast)];
}
