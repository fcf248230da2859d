import type { RecordedAnswer } from '../../dialogue/dialogue-record.ts';
import { type Sentence, sentencesOf } from '../../language/text.ts';
import type { PlanItem } from '../../plan/call-plan.ts';

/** An answer found in a reply. `isVague` asks for a more precise one, if there is still an occasion. */
export type FoundAnswer = Omit<RecordedAnswer, 'turn'> & {
  readonly isVague: boolean;
  /** Taken for the answer only because it came after the question. */
  readonly isLoose?: boolean;
};

export interface Reply {
  readonly said: string;
  readonly sentences: readonly Sentence[];
  /** The provider is known to be out of network, so the figures for that are the patient's. */
  readonly isOutOfNetwork?: boolean;
  /** The day at the place that is called. */
  readonly today: string;
}

/** Splits what was said for answers and remembers which day it is. */
export function replyOf(said: string, today: string): Reply {
  return { said, sentences: sentencesOf(said), today };
}

export function answerFrom(
  item: PlanItem,
  sentence: Sentence,
  answer: string,
  value: RecordedAnswer['value'],
  isVague = false,
): FoundAnswer {
  return { key: item.key, answer, value, quote: sentence.text, isVague };
}
