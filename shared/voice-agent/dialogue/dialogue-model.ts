import type { AnsweredBy } from '#shared/domain/call.ts';
import type { Obstacle } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import type { DialogueRecord, EndReason, RecordedAnswer } from './dialogue-record.ts';
import type { FarewellId } from './farewells.ts';

/** What happened on the line that the model may react to. */
export type DialogueEvent =
  /** The line is open; nobody has been heard yet. */
  | { readonly type: 'opened' }
  /** The person said something; `turn` is the index of the transcript turn that holds these words. */
  | { readonly type: 'heard'; readonly text: string; readonly turn: number }
  /** The person cut our last words; `heard` is the part that reached them. Their own words follow as `heard`. */
  | { readonly type: 'interrupted'; readonly heard: string }
  /** The person pressed a key. */
  | { readonly type: 'key-pressed'; readonly digit: string }
  /** Nothing was heard for a while. */
  | { readonly type: 'silence'; readonly seconds: number };

/** One thing that the model decides to do; the session carries them out in order. */
export type DialogueAction =
  /**
   * Speak. Several in one turn are spoken one after the other, as a streaming model produces them. Whole words, because
   * each is spoken as soon as it comes: the session puts a space between one and the next.
   */
  | { readonly type: 'say'; readonly text: string }
  /** Send keys into the line, as for a menu. */
  | { readonly type: 'press'; readonly digits: string }
  /**
   * We were asked to hold, or listen to music or a machine: nothing is said until somebody speaks, however
   * long it takes.
   */
  | { readonly type: 'wait' }
  /** An item of the plan was answered by the person's own words. */
  | { readonly type: 'record'; readonly answer: RecordedAnswer }
  /** What was recorded for an item turned out not to hold. */
  | { readonly type: 'retract'; readonly key: string }
  /** The words of this turn tell this fact of the plan. */
  | { readonly type: 'disclose'; readonly field: string }
  /** The person told their name. */
  | { readonly type: 'meet'; readonly name: string }
  /** What stands in the way of the goal, in the person's own words. */
  | { readonly type: 'obstacle'; readonly obstacle: Obstacle }
  /** Something is left for somebody to do after the call. */
  | { readonly type: 'follow-up'; readonly text: string }
  /** Say the farewell and hang up. Nothing after it counts. */
  | { readonly type: 'end'; readonly reason: EndReason; readonly farewell: FarewellId }
  /** What the model wants to be given back at its next turn: any JSON value, private to it. */
  | { readonly type: 'remember'; readonly memory: unknown };

export interface DialogueInput {
  readonly plan: CallPlan;
  readonly record: DialogueRecord;
  /** What this model remembered last; `null` at the first turn. */
  readonly memory: unknown;
  /**
   * The transcript before this event, in the order of `index`, which may leave numbers out. Words that were
   * not answered yet, because more followed at once, are its last turns; our own are as far as they were
   * heard.
   */
  readonly history: readonly Turn[];
  readonly event: DialogueEvent;
  /** The verdict of answering-machine detection on who took the call; null as long as there is none. */
  readonly answeredBy: AnsweredBy | null;
  readonly now: Date;
}

/**
 * Decides what the agent does next. A model keeps nothing between turns but what it remembers through its actions:
 * every turn may run in another process. It may take its time to produce actions (a language model streams them); when
 * `signal` is aborted, because the person spoke meanwhile, it stops at once and what it would still have said is lost.
 */
export interface DialogueModel {
  readonly name: string;
  /** Decides without waiting for anything, so that its whole turn can be written down before a word of it is spoken. */
  readonly isImmediate: boolean;
  takeTurn(input: DialogueInput, signal: AbortSignal): AsyncIterable<DialogueAction>;
}
