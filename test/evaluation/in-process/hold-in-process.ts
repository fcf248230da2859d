import { newCall } from '#shared/calls/dial/new-call.ts';
import { concludeCall } from '#shared/calls/lifecycle/conclude-call.ts';
import { concludeTask, type RedialRules } from '#shared/calls/lifecycle/conclude-task.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import type { Call } from '#shared/domain/call.ts';
import { Patient } from '#shared/domain/patient.ts';
import {
  alwaysOpen,
  defaultCallPolicy,
  defaultMaxConcurrentCalls,
  type Project,
} from '#shared/domain/project.ts';
import { isTerminalTaskStatus, type Task } from '#shared/domain/task.ts';
import { calendarDay } from '#shared/sandbox-phone/person/calendar-day.ts';
import { calledPerson } from '#shared/sandbox-phone/person/called-person.ts';
import { castCharacter } from '#shared/sandbox-phone/person/character.ts';
import type { PersonaFile, Reach } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { isInTranscript } from '#shared/table/conversation.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import type { DialogueModel } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { deriveCallResult } from '#shared/voice-agent/result/call-result.ts';
import type { Casting } from '../cast.ts';
import type { Held, Line } from '../held.ts';
import { noiseFor } from '../noise.ts';
import { callerNumberOf, insistent, once, usualPatient } from '../usual-tasks.ts';
import { AgentSession } from './agent-session.ts';
import { EventClock } from './event-clock.ts';
import { InProcessLine } from './line.ts';

/** With whom and when to hold conversations without the stack. */
export interface Studio {
  readonly model: DialogueModel;
  /** Everyone whose desks may be borrowed. */
  readonly people: readonly PersonaFile[];
  /** When the calls are made; null for now. */
  readonly at: Date | null;
  /** How much speech recognition gets wrong, 0 to 1. */
  readonly noise: number;
}

const id = '01930000-0000-7000-8000-000000000001';

/** Holds a conversation, or as many as the project's redial policy allows, in this process. */
export async function holdInProcess(studio: Studio, casting: Casting): Promise<Held> {
  const { person } = casting;
  const startedAt = studio.at ?? new Date();
  const project = projectFor(casting, startedAt);
  let task = newTask(casting, startedAt);
  const calls: { call: Call; attempt: Attempt }[] = [];
  while (!isTerminalTaskStatus(task.status)) {
    const reach = reachAt(person, calls.length);
    const attempt = await attemptCall(studio, casting, {
      project,
      task,
      reach,
      startedAt,
      count: calls.length,
    });
    const conclusion = concludeCall(attempt.call, attempt.result);
    const { status, outcome, result } = conclusion;
    calls.push({ call: { ...attempt.call, status, call_outcome: outcome, result }, attempt });
    const next = { ...task, status: 'IN_PROGRESS' as const, attempts: calls.length };
    const ended = calls.map(({ call }) => call);
    task = concludeTask(next, { conclusion, calls: ended }, redialRules(project), startedAt);
  }
  const last = calls.at(-1);
  if (last === undefined) throw new Error('no call was made');
  const { attempt, call } = last;
  return {
    casting,
    taskStatus: task.status,
    taskOutcome: task.task_outcome,
    plan: attempt.plan,
    result: call.result,
    transcript: attempt.transcript,
    called: attempt.called,
    talkSeconds: attempt.talkSeconds,
    responseTimesMs: calls.flatMap((made) => made.attempt.responseTimesMs),
    modelErrors: calls.flatMap((made) => made.attempt.modelErrors),
  };
}

interface Attempt
  extends Pick<
    Held,
    'plan' | 'result' | 'transcript' | 'called' | 'talkSeconds' | 'responseTimesMs' | 'modelErrors'
  > {
  readonly call: Call;
}

interface Dial {
  readonly project: Project;
  readonly task: Task;
  readonly reach: Reach;
  readonly startedAt: Date;
  /** Calls before this one. */
  readonly count: number;
}

async function attemptCall(studio: Studio, casting: Casting, dial: Dial): Promise<Attempt> {
  const { project, task, reach, startedAt, count } = dial;
  const plan = createCallPlan(task, patientAt(startedAt), project);
  const placed: Call = {
    ...newCall(task, project, startedAt, id),
    submission: 'submitted',
    attempt: count + 1,
  };
  const unreached = unreachedAs[reach];
  if (unreached !== null) {
    const call: Call = { ...placed, ...unreached };
    const nothing = {
      result: null,
      transcript: [],
      called: null,
      talkSeconds: 0,
      responseTimesMs: [],
      modelErrors: [],
    };
    return { plan, call, ...nothing };
  }
  return { plan, ...(await talk(studio, casting, { dial, plan, placed })) };
}

async function talk(
  studio: Studio,
  casting: Casting,
  { dial, plan, placed }: { readonly dial: Dial; readonly plan: CallPlan; readonly placed: Call },
): Promise<Omit<Attempt, 'plan'>> {
  const { person, phoneNumber, taskType, seed } = casting;
  const clock = new EventClock(dial.startedAt);
  const character = castCharacter({
    file: person,
    personas: studio.people,
    defaults: bundledDirectory().defaults,
    today: calendarDay(phoneNumber, dial.startedAt),
    seed: `${phoneNumber} ${dial.project.caller_number}`,
    callSid: `${person.id} ${taskType} ${seed} ${dial.count}`,
    reach: dial.reach,
  });
  const agent = new AgentSession(studio.model, plan, placed.id, () => clock.now());
  const noise = noiseFor(studio.noise, `${character.seed} ${taskType}`);
  const { person: state, answeredBy } = await new InProcessLine(character, agent, clock, noise).run();
  const call: Call = {
    ...placed,
    carrier_progress: 'completed',
    session_status: 'completed',
    answered_by: answeredBy,
    talk_seconds: clock.elapsedMs / 1000,
  };
  const result = deriveCallResult({ plan, state: agent.state, turns: agent.turns });
  return {
    call,
    result,
    transcript: transcriptOf(agent),
    called: calledPerson(character, state),
    talkSeconds: Math.round(clock.elapsedMs / 1000),
    responseTimesMs: agent.responseTimesMs,
    modelErrors: agent.modelErrors,
  };
}

function transcriptOf({ turns, said }: AgentSession): Line[] {
  return turns.filter(isInTranscript).map(({ index, role, content }) => {
    const words = said.get(index);
    return words === undefined || words === content ? { role, content } : { role, content, said: words };
  });
}

/** A person who answers differently each time takes the calls in turn. */
function reachAt({ reach }: PersonaFile, count: number): Reach {
  return typeof reach === 'string' ? reach : (reach[count % reach.length] ?? 'answers');
}

const unreachedAs: Record<Reach, Pick<Call, 'carrier_progress' | 'sip_response_code'> | null> = {
  answers: null,
  voicemail: null,
  busy: { carrier_progress: 'busy', sip_response_code: '486' },
  'no-answer': { carrier_progress: 'no_answer', sip_response_code: '487' },
  'not-in-service': { carrier_progress: 'failed', sip_response_code: '404' },
};

function redialRules({ redial_policy }: Project): RedialRules {
  return { policy: redial_policy, nextOpening: (from) => ({ at: from, reason: null }) };
}

function projectFor({ person, seed }: Casting, now: Date): Project {
  return {
    id,
    name: 'Evaluation',
    carrier: 'sandbox',
    enabled_task_types: ['SCHEDULE_APPOINTMENT', 'VERIFY_INSURANCE', 'REIMBURSEMENT', 'CUSTOM_TASK'],
    caller_number: callerNumberOf(seed),
    redial_policy: { ...(Array.isArray(person.reach) ? insistent : once), redialled_results: everyResult },
    call_policy: defaultCallPolicy,
    allowed_countries: null,
    live_grant: null,
    calling_hours: alwaysOpen,
    max_concurrent_calls: defaultMaxConcurrentCalls,
    recording_retention_days: null,
    default_country: 'US',
    time_zone: null,
    task_retention_days: null,
    patient_retention_days: null,
    audit_retention_days: null,
    legal_hold: false,
    agent: defaultAgentSettings,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

const everyResult: Project['redial_policy']['redialled_results'] = [
  'BUSY',
  'NO_ANSWER',
  'VOICEMAIL',
  'FAILED',
  'CANCELLED',
  'SUCCESS',
];

function patientAt(now: Date): Patient {
  const at = now.toISOString();
  return Patient.parse({ ...usualPatient, project_id: id, id, created_at: at, updated_at: at });
}

function newTask({ taskType, task, taskData, phoneNumber }: Casting, now: Date): Task {
  return {
    id,
    project_id: id,
    patient_id: id,
    status: 'PENDING',
    task_type: taskType,
    task,
    phone_number: phoneNumber,
    task_data: JSON.parse(JSON.stringify(taskData)),
    task_outcome: null,
    attempts: 0,
    current_call_id: null,
    last_call_id: null,
    next_attempt_at: now.toISOString(),
    next_attempt_reason: null,
    waiting_for_line_since: null,
    result: null,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}
