import type { CallResult } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { CalledPerson } from '#shared/sandbox-phone/store/sandbox-call.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import type { Casting } from './cast.ts';

/** A turn of the transcript. */
export interface Line extends Pick<Turn, 'role' | 'content'> {
  /** What the person said, if speech recognition understood something else. */
  readonly said?: string;
}

/** Everything known about a conversation once its task has ended. */
export interface Held {
  readonly casting: Casting;
  readonly taskStatus: string;
  /** The outcome of the task, in sentences. */
  readonly taskOutcome: string | null;
  readonly plan: CallPlan;
  /** The structured result of the task's last call; null without a conversation. */
  readonly result: CallResult | null;
  readonly transcript: readonly Line[];
  /** What the called person knew, told and booked, as the sandbox phone stored it; null if no one answered. */
  readonly called: CalledPerson | null;
  readonly talkSeconds: number;
  /** From the last words heard to the first reaction. */
  readonly responseTimesMs: readonly number[];
  /** Turns in which the dialogue model threw; known only without the stack. */
  readonly modelErrors: readonly unknown[];
}
