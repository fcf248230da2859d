import type { CallResult } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { CalledPerson } from '#shared/sandbox-phone/store/sandbox-call.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import type { Casting } from './cast.ts';

/** A turn of the transcript. */
export interface Line extends Pick<Turn, 'role' | 'content'> {
  /** What the person said, where speech recognition made something else of it. */
  readonly said?: string;
}

/** Everything that is known of a conversation once its task has ended. */
export interface Held {
  readonly casting: Casting;
  readonly taskStatus: string;
  /** What became of the task, in sentences. */
  readonly taskOutcome: string | null;
  readonly plan: CallPlan;
  /** The structured result of the task's last call; null when no conversation took place. */
  readonly result: CallResult | null;
  readonly transcript: readonly Line[];
  /** What the person called knew, told and booked, by the sandbox phone's own account; null when nobody answered. */
  readonly called: CalledPerson | null;
  readonly talkSeconds: number;
  /** From what was heard to the first thing done about it. */
  readonly responseTimesMs: readonly number[];
  /** Turns in which the dialogue model threw; known only of conversations without the stack. */
  readonly modelErrors: readonly unknown[];
}
