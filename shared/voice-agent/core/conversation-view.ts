import type { Fact } from '../call-plan/call-plan.ts';
import type { DialogueRecord, RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { LikelyListener } from '../dialogue/likely-listener.ts';
import type { Heard } from '../understanding/understand.ts';
import type { Party } from './right-party.ts';

/** The core's knowledge of a conversation at a model's turn; the same for every model. */
export interface ConversationView {
  readonly party: Party;
  /** How often in this call we asked anyone whom we have reached. */
  readonly reach_asked: number;
  /** The words just heard; null if none. */
  readonly heard: Heard | null;
  /** The person's earlier words, prompt by prompt. */
  readonly earlier: readonly string[];
  /** Our own words in this call, turn by turn, as far as they were heard. */
  readonly ours: readonly string[];
  /** The findings so far, by item. */
  readonly answers: readonly RecordedAnswer[];
  /** The last obstacle to the goal. */
  readonly obstacle: DialogueRecord['obstacle'];
  /** Fields of the facts told so far. */
  readonly told: readonly string[];
  /** The facts that may be told to the person on the line; none before verification. */
  readonly facts: readonly Fact[];
  /** The day at the called place, `YYYY-MM-DD`. */
  readonly today: string;
  /** The verdict of answering-machine detection, while relevant. */
  readonly listener: LikelyListener | null;
}
