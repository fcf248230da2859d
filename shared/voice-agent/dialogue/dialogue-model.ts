import type { AnsweredBy } from '#shared/domain/call.ts';
import type { Obstacle } from '#shared/domain/call-result.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import type { DialogueRecord, EndReason, RecordedAnswer } from './dialogue-record.ts';
import type { FarewellId } from './farewells.ts';

/** An event on the line that the model may react to. */
export type DialogueEvent =
  /** The line is open; nothing has been heard yet. */
  | { readonly type: 'opened' }
  /** The person spoke; `turn` is the index of the transcript turn with these words. */
  | { readonly type: 'heard'; readonly text: string; readonly turn: number }
  /** The person interrupted our last words; they heard `heard` of them. Their own words follow as `heard`. */
  | { readonly type: 'interrupted'; readonly heard: string }
  /** The person pressed a key. */
  | { readonly type: 'key-pressed'; readonly digit: string }
  /** Silence for a while. */
  | { readonly type: 'silence'; readonly seconds: number };

/** One decision of the model; the session carries them out in order. */
export type DialogueAction =
  /**
   * Speak. Several in one turn are spoken in sequence, as by a streaming model. Whole words, because
   * each is spoken at once: the session puts a space between them.
   */
  | { readonly type: 'say'; readonly text: string }
  /** Send keys into the line, as for a menu. */
  | { readonly type: 'press'; readonly digits: string }
  /**
   * We were asked to hold, or hear music or a machine: stay silent until the next words, however
   * long that takes.
   */
  | { readonly type: 'wait' }
  /** The person's own words answered an item of the plan. */
  | { readonly type: 'record'; readonly answer: RecordedAnswer }
  /** The record of an item turned out to be wrong. */
  | { readonly type: 'retract'; readonly key: string }
  /** The words of this turn tell this fact of the plan. */
  | { readonly type: 'disclose'; readonly field: string }
  /** The person gave their name. */
  | { readonly type: 'meet'; readonly name: string }
  /** The obstacle to the goal, in the person's own words. */
  | { readonly type: 'obstacle'; readonly obstacle: Obstacle }
  /** A person must do something after the call. */
  | { readonly type: 'follow-up'; readonly text: string }
  /** Say the farewell and hang up. Later actions are ignored. */
  | { readonly type: 'end'; readonly reason: EndReason; readonly farewell: FarewellId }
  /** The model's private state for its next turn: any JSON value. */
  | { readonly type: 'remember'; readonly memory: unknown };

export interface DialogueInput {
  readonly plan: CallPlan;
  readonly record: DialogueRecord;
  /** This model's last state; `null` at the first turn. */
  readonly memory: unknown;
  /**
   * The transcript before this event, in the order of `index`, which may skip numbers. Unanswered
   * words, followed by more at once, are its last turns; our own are as far as they were
   * heard.
   */
  readonly history: readonly Turn[];
  readonly event: DialogueEvent;
  /** The verdict of answering-machine detection on who answered; null until it arrives. */
  readonly answeredBy: AnsweredBy | null;
  readonly now: Date;
}

/**
 * Decides the agent's next actions. A model keeps no state between turns except what its actions remember:
 * every turn may run in another process. It may produce actions over time (a language model streams them); when
 * `signal` is aborted, because the person spoke meanwhile, it stops at once and unsaid words are lost.
 */
export interface DialogueModel {
  readonly name: string;
  /** Decides without waiting, so that its whole turn can be stored before a word is spoken. */
  readonly isImmediate: boolean;
  takeTurn(input: DialogueInput, signal: AbortSignal): AsyncIterable<DialogueAction>;
}
