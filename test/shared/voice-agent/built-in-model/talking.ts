import { emptyMemory, type Memory } from '#shared/voice-agent/built-in-model/memory.ts';
import { TurnDraft } from '#shared/voice-agent/built-in-model/turn-draft.ts';
import { CallPlan, type Fact } from '#shared/voice-agent/call-plan/call-plan.ts';
import { itemsOf } from '#shared/voice-agent/call-plan/items.ts';
import { parseAvailability } from '#shared/voice-agent/call-plan/parse-availability.ts';
import type { ConversationView } from '#shared/voice-agent/core/conversation-view.ts';
import { nobodyYet } from '#shared/voice-agent/core/right-party.ts';
import type { DialogueAction } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import type { RecordedAnswer } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { type Heard, understand } from '#shared/voice-agent/understanding/understand.ts';

/** A Friday. */
export const today = '2026-11-20';

const fact = (field: string, topic: string, label: string, value: string) => ({
  field,
  topic,
  label,
  value,
  spoken: value,
});

/** A fact that may be told, named after its topic. */
export function factOf(topic: Fact['topic'], label: string, value: string): Fact {
  return { field: topic, topic, label, value, spoken: value, may_be_told: true };
}

/** A plan made by hand: a patient who can come on weekday mornings, unless told otherwise. */
export function planWith({
  wish = 'weekday mornings',
  ...rest
}: Partial<CallPlan> & { wish?: string } = {}): CallPlan {
  return CallPlan.parse({
    task_type: 'SCHEDULE_APPOINTMENT',
    callee: 'clinic',
    is_rescheduling: false,
    subject: 'about scheduling an appointment',
    purpose: { text: 'I would like to schedule an appointment for a patient.', discloses: [] },
    facts: [
      fact('task_data.timeframe_availability', 'timeframe', "patient's availability", wish),
      fact('patient.date_of_birth', 'date-of-birth', 'date of birth', '1984-07-12'),
      fact('patient.insurance.member_id', 'member-id', 'member ID', '4471902'),
      { ...fact('patient.phone', 'phone', 'phone number', '+12025550143'), may_be_told: false },
    ],
    items: itemsOf('SCHEDULE_APPOINTMENT', { facts: [], wishes: '', isRescheduling: false }),
    availability: parseAvailability(wish, today),
    time_zone: 'America/New_York',
    voicemail: null,
    max_hold_seconds: 600,
    instructions: '',
    ...rest,
  });
}

type Step = (draft: TurnDraft, heard: Heard) => unknown;

/** What came of one prompt. */
export interface Turn {
  readonly words: string;
  readonly keys: readonly string[];
  readonly actions: readonly DialogueAction[];
  readonly returned: unknown;
}

export interface Talk {
  readonly turns: readonly Turn[];
  readonly last: Turn;
  readonly memory: Memory;
  readonly answers: Readonly<Record<string, RecordedAnswer>>;
}

interface Line {
  readonly plan?: CallPlan;
  readonly isVerified?: boolean;
  readonly listener?: ConversationView['listener'];
  readonly memory?: Partial<Memory>;
  readonly answers?: readonly RecordedAnswer[];
  /** Fields that were told before. */
  readonly told?: readonly string[];
}

/** Plays prompts to a part of the model, with the record and the memory carried along. */
export function talk(step: Step, prompts: readonly string[], line: Line = {}): Talk {
  const { plan = planWith(), isVerified = true, listener = null, told = [] } = line;
  let memory: Memory = { ...structuredClone(emptyMemory), ...line.memory };
  let answers: RecordedAnswer[] = [...(line.answers ?? [])];
  let anchor: string | null = null;
  const ours: string[] = [];
  const turns = prompts.map((said, at): Turn => {
    const heard = understand(said, at * 2 + 1, { today, after: null, anchor });
    const day = heard.entities.findLast((entity) => entity.type === 'date' || entity.type === 'moment');
    anchor = day?.value.day ?? anchor;
    const earlier = prompts.slice(0, at);
    const status = isVerified ? 'verified' : 'unverified';
    const party = {
      ...nobodyYet,
      status,
      notice_heard: true,
    } as const;
    const draft = new TurnDraft(
      plan,
      {
        party,
        reach_asked: 0,
        told,
        heard,
        earlier,
        ours,
        obstacle: null,
        answers,
        facts: plan.facts,
        today,
        listener,
      },
      memory,
    );
    const returned = step(draft, heard);
    const actions = draft.finish();
    answers = [...draft.answers.values()];
    memory = draft.memory;
    const words = actions.flatMap((action) => (action.type === 'say' ? [action.text] : [])).join(' ');
    ours.push(words);
    const keys = actions.flatMap((action) => (action.type === 'press' ? [action.digits] : []));
    return { words, keys, actions, returned };
  });
  const last = turns.at(-1);
  if (last === undefined) throw new Error('nothing was said');
  return { turns, last, memory, answers: Object.fromEntries(answers.map((answer) => [answer.key, answer])) };
}
