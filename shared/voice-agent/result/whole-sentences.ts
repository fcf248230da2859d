import { isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { ceremony } from '../core/answer-in-words.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { noWords, yesWords } from '../understanding/yes-and-no.ts';
import { quoted } from './written-values.ts';

/*
 * Part of a sentence may mislead: "in two weeks" of "in two weeks before the session starts". So answers in words are
 * reported in whole sentences, and a yes or no to a client's question with what else its sentence says: "Yes: 'We do,
 * only on Wednesdays.'"
 */

/** The answer with its whole sentence. */
export function inWholeSentence(item: PlanItem, answer: RecordedAnswer, heard: Heard): RecordedAnswer {
  const isInWords = (item.kind === 'text' || answer.value === null) && answer.answer === answer.quote;
  if (isInWords) {
    const quote = wholeSentence(answer.quote, heard);
    return { ...answer, quote, answer: quote };
  }
  if (!isClientsOwn(item) || typeof answer.value !== 'boolean') return answer;
  const quote = wholeSentence(answer.quote, heard);
  const asked = new Set(contentWords(item.question));
  const beside = plainWords(quote).filter((word) => !yesWords.has(word) && !noWords.has(word));
  const saysMore = contentWords(beside.join(' ')).some((word) => !asked.has(word));
  return saysMore ? { ...answer, quote, answer: `${answer.value ? 'Yes' : 'No'}: ${quoted(quote)}` } : answer;
}

function wholeSentence(quote: string, { said, moves }: Heard): string {
  const from = said.indexOf(quote);
  const to = from + quote.length;
  const within = moves.filter(({ start, end }) => start < to && end > from);
  const [first, last] = [within[0], within.at(-1)];
  if (from < 0 || first === undefined || last === undefined) return quote;
  const before = moves.slice(0, moves.indexOf(first));
  const after = moves.slice(moves.indexOf(last));
  const start = before.slice(before.findLastIndex((move) => endsSentence(move) || isCeremony(move)) + 1)[0];
  const end =
    after[after.findIndex((move, at) => endsSentence(move) || isCeremonyNext(after[at + 1]))] ?? last;
  return said.slice(Math.min(from, start?.start ?? from), Math.max(to, end.end));
}

function endsSentence({ tokens }: Move): boolean {
  const mark = tokens.at(-1)?.kind;
  return mark === 'stop' || mark === 'question';
}

function isCeremony({ act, isQuestion }: Move): boolean {
  return isQuestion || ceremony.has(act);
}

function isCeremonyNext(next: Move | undefined): boolean {
  return next === undefined || isCeremony(next);
}
