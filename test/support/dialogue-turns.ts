import type { Turn } from '#shared/domain/conversation.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { type GovernedInput, governed } from '#shared/voice-agent/core/conversation-core.ts';
import type {
  DialogueAction,
  DialogueEvent,
  DialogueInput,
} from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { callTime, patient, type TaskInput } from './conversation.ts';
import { sampleProject, sampleTask } from './sample-tasks.ts';

/** The plan of an invented call. */
export function planOf(input: TaskInput, who: Patient = patient): CallPlan {
  const project = sampleProject();
  const task = sampleTask(project, {
    task_data: null,
    ...input,
    patient_id: who.id,
    created_at: callTime.toISOString(),
  });
  return createCallPlan(task, who, project);
}

/** A transcript: lines that begin with "P: " are the person's, all others ours. */
export function transcript(...lines: readonly string[]): Turn[] {
  return lines.map((line, index) => ({
    call_id: '01930000-0000-7000-8000-000000000004',
    index,
    role: line.startsWith('P: ') ? 'user' : 'assistant',
    content: line.replace(/^P: /, ''),
    offset_ms: 0,
    created_at: callTime.toISOString(),
  }));
}

/** The request to a model after the last of these lines, which is the person's. */
export function heardAfter(
  plan: CallPlan,
  lines: readonly string[],
  changes: Partial<DialogueInput> = {},
): DialogueInput {
  const turns = transcript(...lines);
  const last = turns.pop();
  if (last?.role !== 'user') throw new Error('the last line must be the person’s');
  return {
    plan,
    record: emptyRecord,
    memory: null,
    history: turns,
    event: { type: 'heard', text: last.content, turn: last.index },
    answeredBy: null,
    now: callTime,
    ...changes,
  };
}

/** The same with what the core knows by then if it has listened since the first of these lines. */
export async function viewed(input: DialogueInput): Promise<GovernedInput> {
  let words = '';
  let seen: GovernedInput | null = null;
  const witness = governed({
    name: 'witness',
    isImmediate: true,
    async *takeTurn(asked) {
      seen = asked;
      if (words !== '') yield { type: 'say', text: words };
    },
  });
  let memory: unknown = null;
  const take = async (event: DialogueEvent, history: readonly Turn[]): Promise<void> => {
    const actions = await actionsOf(witness, { ...input, memory, event, history });
    memory = actions.findLast((action) => action.type === 'remember')?.memory ?? memory;
  };
  for (const [at, { role, content, index }] of input.history.entries()) {
    const event: DialogueEvent =
      role === 'user' ? { type: 'heard', text: content, turn: index } : { type: 'silence', seconds: 0 };
    words = role === 'user' ? '' : content;
    await take(event, input.history.slice(0, at));
  }
  words = '';
  await take(input.event, input.history);
  if (seen === null) throw new Error('the core asked nobody');
  return { ...(seen as GovernedInput), memory: input.memory };
}

/** All actions of a turn. */
export async function actionsOf<Input extends DialogueInput>(
  model: { takeTurn(input: Input, signal: AbortSignal): AsyncIterable<DialogueAction> },
  input: Input,
  signal: AbortSignal = new AbortController().signal,
): Promise<DialogueAction[]> {
  const actions: DialogueAction[] = [];
  for await (const action of model.takeTurn(input, signal)) actions.push(action);
  return actions;
}

/** What the person hears of a turn. */
export function spokenIn(actions: readonly DialogueAction[]): string {
  return actions.flatMap((action) => (action.type === 'say' ? [action.text] : [])).join(' ');
}

/** A turn's actions other than speech and memory. */
export function nonSpeechActions(actions: readonly DialogueAction[]): DialogueAction[] {
  return actions.filter(({ type }) => type !== 'say' && type !== 'remember');
}
