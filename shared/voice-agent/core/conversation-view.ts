import type { Fact } from '../call-plan/call-plan.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { LikelyListener } from '../dialogue/likely-listener.ts';
import type { Heard } from '../understanding/understand.ts';
import type { Party } from './right-party.ts';

/** What the core knows of a conversation when a model takes its turn; the same for every model. */
export interface ConversationView {
  readonly party: Party;
  /** How often we asked in this call whom we have reached, in front of anybody. */
  readonly reach_asked: number;
  /** What was heard just now; null when nothing was. */
  readonly heard: Heard | null;
  /** What the person on the line said before that, prompt by prompt. */
  readonly earlier: readonly string[];
  /** What the words so far come to, by item. */
  readonly answers: readonly RecordedAnswer[];
  /** Fields of the facts that were told so far. */
  readonly told: readonly string[];
  /** The facts that may be told to the person on the line; none before it is clear who that is. */
  readonly facts: readonly Fact[];
  /** The day at the place that is called, `YYYY-MM-DD`. */
  readonly today: string;
  /** What answering-machine detection says, as long as it means anything. */
  readonly listener: LikelyListener | null;
}
