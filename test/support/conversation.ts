import type { AnsweredBy } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task } from '#shared/domain/task.ts';
import { builtInModel } from '#shared/voice-agent/built-in-model/decide.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { governed } from '#shared/voice-agent/core/conversation-core.ts';
import type { DialogueAction, DialogueEvent } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { type DialogueRecord, emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { deriveCallResult } from '#shared/voice-agent/result/call-result.ts';
import { carryOut } from '#shared/voice-agent/session/turn-outcome.ts';
import { sampleProject } from './sample-tasks.ts';

/** The invented patient of most conversations. */
export const patient: Patient = {
  id: '01930000-0000-7000-8000-000000000001',
  project_id: '01930000-0000-7000-8000-000000000002',
  first_name: 'Elena',
  last_name: 'Marsh',
  phone_number: '+12025550147',
  email: 'elena.marsh@example.com',
  date_of_birth: '1979-03-05',
  address: {
    street_name: '4 Alder Court',
    city: 'Dayton',
    state: 'OH',
    postal_code: '45402',
    country_code: 'US',
  },
  primary_care_provider: { name: 'Dr. Priya Nair', practice: 'Alder Family Practice' },
  insurance: {
    medical: [
      {
        company_name: 'Sample Mutual',
        member_id: 'SMX55120987',
        group_number: 'G4471',
        plan_name: 'Silver 3000',
        relationship_to_subscriber: 'SELF',
      },
    ],
  },
  created_at: '2026-11-16T14:00:00.000Z',
  updated_at: '2026-11-16T14:00:00.000Z',
};

/** A Monday. */
export const callTime = new Date('2026-11-16T15:00:00.000Z');

export type TaskInput = Pick<Task, 'task_type' | 'task'> & { readonly task_data?: Record<string, unknown> };

export interface Conversation {
  readonly plan: CallPlan;
  readonly turns: readonly Turn[];
  readonly result: CallResult;
  readonly record: DialogueRecord;
  /** What the agent said after each of the person's lines; null for silence. */
  readonly replies: readonly (string | null)[];
  readonly pressed: readonly string[];
  /** How often the agent decided to wait for the person. */
  readonly waits: number;
  /** The number of lines that the agent let the person say. */
  readonly heard: number;
  readonly isOver: boolean;
}

/**
 * What the person says, or that they interrupt after so many of our words, or that nobody speaks, or
 * detection's verdict on who answered.
 */
export type Line =
  | string
  | { readonly cutsAfter: string }
  | { readonly silence: number }
  | { readonly verdict: AnsweredBy };

const model = governed(builtInModel);

/** Lets the built-in model talk with a person who says these lines whatever the agent says. */
export async function talk(
  input: TaskInput,
  lines: readonly Line[],
  who: Patient = patient,
): Promise<Conversation> {
  const task: Task = {
    id: '01930000-0000-7000-8000-000000000003',
    project_id: who.project_id,
    patient_id: who.id,
    status: 'IN_PROGRESS',
    task_type: input.task_type,
    task: input.task,
    phone_number: '+12025550100',
    task_data: input.task_data ?? null,
    task_outcome: null,
    attempts: 1,
    current_call_id: null,
    last_call_id: null,
    next_attempt_at: null,
    next_attempt_reason: null,
    waiting_for_line_since: null,
    result: null,
    created_at: callTime.toISOString(),
    updated_at: callTime.toISOString(),
  };
  // Storage is JSON, so the plan and the memory must survive it.
  const plan = createCallPlan(task, who, sampleProject());
  const turns: Turn[] = [];
  let state: { record: DialogueRecord; memory: unknown } = { record: emptyRecord, memory: null };
  const replies: (string | null)[] = [];
  const pressed: string[] = [];
  let heard = 0;
  let waits = 0;
  let isOver = false;
  let answeredBy: AnsweredBy | null = null;
  const put = (role: Turn['role'], content: string): number => {
    turns.push({
      call_id: '01930000-0000-7000-8000-000000000004',
      index: turns.length,
      role,
      content,
      offset_ms: 0,
      created_at: callTime.toISOString(),
    });
    return turns.length - 1;
  };
  const react = async (event: DialogueEvent): Promise<string | null> => {
    const question = {
      plan,
      record: state.record,
      memory: JSON.parse(JSON.stringify(state.memory)),
      history: turns.filter(({ index }) => event.type !== 'heard' || index < event.turn),
      event,
      answeredBy,
      now: callTime,
    };
    const actions: DialogueAction[] = [];
    for await (const action of model.takeTurn(question, new AbortController().signal)) actions.push(action);
    const outcome = carryOut(actions, state, turns.length, plan);
    state = { record: outcome.record, memory: outcome.memory };
    for (const action of actions) {
      if (action.type === 'press') pressed.push(action.digits);
      if (action.type === 'wait') waits += 1;
    }
    if (outcome.words !== null) put('assistant', outcome.words);
    isOver = outcome.ended;
    return outcome.words;
  };
  await react({ type: 'opened' });
  for (const line of lines) {
    if (isOver) break;
    if (typeof line !== 'string') {
      if ('verdict' in line) {
        heard += 1;
        answeredBy = line.verdict;
        continue;
      }
      if ('silence' in line) {
        heard += 1;
        replies.push(await react({ type: 'silence', seconds: line.silence }));
        continue;
      }
      heard += 1;
      const last = turns.findLast(({ role }) => role === 'assistant');
      if (last === undefined || !last.content.startsWith(line.cutsAfter))
        throw new Error(`not what the agent said: ${line.cutsAfter} | ${last?.content}`);
      turns[last.index] = { ...last, content: line.cutsAfter };
      replies.push(await react({ type: 'interrupted', heard: line.cutsAfter }));
      continue;
    }
    const turn = put('user', line);
    heard += 1;
    replies.push(await react({ type: 'heard', text: line, turn }));
  }
  const result = deriveCallResult({ plan, state, turns });
  return { plan, turns, result, record: state.record, replies, pressed, waits, heard, isOver };
}

/** The machine-readable answers by key. */
export function valuesOf({ result }: Conversation): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    result.answers.filter(({ answer }) => answer !== null).map(({ key, value }) => [key, value]),
  );
}

export function disclosedFields({ result }: Conversation): string[] {
  return [...new Set(result.disclosures.map(({ field }) => field))].sort();
}

/** The conversation as text, for the message of a failed test. */
export function transcriptOf({ turns }: Conversation): string {
  return turns.map(({ role, content }) => `${role === 'user' ? 'P' : 'A'}: ${content}`).join('\n');
}

/** Facts whose words occur in the agent's speech without a record: `field@turn`. */
export function undeclaredFacts({ plan, turns, result }: Conversation): string[] {
  const undeclared: string[] = [];
  for (const turn of turns.filter(({ role }) => role === 'assistant')) {
    const declared = result.disclosures
      .filter((entry) => entry.turn === turn.index)
      .map(({ field }) => field);
    for (const { field, spoken, topic } of plan.facts) {
      // "Existing" is an ordinary word.
      if (spoken.length < 6 || topic === 'patient-status') continue;
      const isTold = turn.content.toLowerCase().includes(spoken.toLowerCase());
      const sameWords = plan.facts.filter((other) =>
        other.spoken.toLowerCase().includes(spoken.toLowerCase()),
      );
      if (isTold && !sameWords.some((other) => declared.includes(other.field)))
        undeclared.push(`${field}@${turn.index}`);
    }
  }
  return undeclared;
}
