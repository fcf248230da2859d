import { type ItemKind, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { ceremony } from '../core/answer-in-words.ts';
import { entityTypes } from '../core/clause-value.ts';
import { isCorrection, takesBack } from '../core/corrections.ts';
import { leaningOf } from '../core/yes-no-value.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { hasQuestionMark, plain, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/conditions.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { noWords, plainWordsIn, yesWords } from '../understanding/yes-and-no.ts';
import { conditionIn } from './conditions.ts';
import { quoted } from './written-values.ts';

/*
 * People rarely answer a client's question by a value alone: "We do. Only on Wednesdays.", "The first page is free.
 * Then it's ten cents." So it is answered by all words of the reply, and has a value only if none of them limits it.
 */

/** The prompt with the answer's quote, and those that follow it without a question of ours. */
export type Reply = readonly [Heard, ...Heard[]];

/** The answer to a client's question, with all words of the reply. */
export function inWholeReply(item: PlanItem, answer: RecordedAnswer, reply: Reply): RecordedAnswer {
  const [own] = reply;
  const spans = reply.map((heard, at) => ({
    heard,
    moves: at === 0 ? around(answer.quote, heard) : upToCeremony(heard.moves),
  }));
  const moves = spans.flatMap((span) => span.moves);
  const all = spans.flatMap((span) => textOf(span.moves, span.heard)).join(' ');
  const quote = textOf(spans[0]?.moves ?? [], own)[0] ?? answer.quote;
  if (answer.value === null && answer.answer !== answer.quote) return answer;
  if (answer.value === null || item.kind === 'text')
    return { ...answer, quote, answer: leaning(item, spans[0]?.moves ?? [], all === '' ? quote : all) };
  if (!isClientsOwn(item) || exact.has(item.kind) || !saysMore(item, answer, moves)) return answer;
  const isYesOrNo = typeof answer.value === 'boolean';
  const told = `${isYesOrNo ? (answer.value ? 'Yes' : 'No') : answer.answer}: ${quoted(all)}`;
  if (!isLimited(item, answer, spans)) return { ...answer, quote, answer: told };
  return { ...answer, quote, answer: isYesOrNo ? told : all, value: null };
}

/** What is written down as such, whatever else is said. */
const exact: ReadonlySet<ItemKind> = new Set(['identifier', 'phone-number', 'name']);

/** "Yes: 'Yes, if it is inside six miles.'": the yes or no of a reply that has no value. */
function leaning({ kind }: PlanItem, moves: readonly Move[], text: string): string {
  const sign = kind === 'yes-no' ? leaningOf(moves) : null;
  return sign === null ? text : `${sign === 'yes' ? 'Yes' : 'No'}: ${quoted(text)}`;
}

interface Span {
  readonly heard: Heard;
  readonly moves: readonly Move[];
}

/** The clauses around the quote, between ceremony and questions. */
function around(quote: string, { said, moves }: Heard): readonly Move[] {
  const from = said.indexOf(quote);
  const isWithin = ({ start, end }: Move): boolean => start < from + quote.length && end > from;
  const [first, last] = [moves.findIndex(isWithin), moves.findLastIndex(isWithin)];
  if (from < 0 || first < 0) return [];
  const begin = moves.findLastIndex((_, at) => at < first && isCeremony(moves, at)) + 1;
  const end = moves.findIndex((_, at) => at > last && isCeremony(moves, at));
  const span = moves.slice(begin, end < 0 ? undefined : end);
  return span.slice(span.findIndex((move) => isWithin(move) || move.act !== 'acknowledges'));
}

function upToCeremony(moves: readonly Move[]): readonly Move[] {
  const at = moves.findIndex((_, index) => isCeremony(moves, index));
  return at < 0 ? moves : moves.slice(0, at);
}

/** "Anything else?", "hold on"; not "…, and if you register before March 1 we knock it down to $590". */
function isCeremony(moves: readonly Move[], at: number): boolean {
  const move = moves[at];
  if (move === undefined || hasQuestionMark(move.tokens)) return true;
  const goesOn = moves[at - 1]?.tokens.at(-1)?.kind === 'comma';
  return !goesOn && (move.isQuestion || (ceremony.has(move.act) && move.entities.length === 0));
}

function textOf(moves: readonly Move[], { said }: Heard): string[] {
  const [first, last] = [moves[0], moves.at(-1)];
  return first === undefined || last === undefined ? [] : [said.slice(first.start, last.end)];
}

/** Words beside the value, a yes or no, and the question's own. */
function saysMore(item: PlanItem, answer: RecordedAnswer, moves: readonly Move[]): boolean {
  const known = typeof answer.value === 'boolean' ? item.question : `${item.question} ${answer.answer}`;
  const asked = new Set(contentWords(known));
  const beside = moves.flatMap((move) => {
    const values = valuesIn(item, move);
    const tokens = move.tokens.filter(
      ({ start, end }) => !values.some((one) => start >= one.start && end <= one.end),
    );
    return plainWords(plain(tokens)).filter((word) => !yesWords.has(word) && !noWords.has(word));
  });
  return contentWords(beside.join(' ')).some((word) => !asked.has(word));
}

function valuesIn({ kind }: PlanItem, { entities }: Move): Move['entities'] {
  const isTimely = kind === 'date' || kind === 'date-time';
  return entities.filter(
    ({ type }) =>
      entityTypes[kind]?.includes(type) || (isTimely && (type === 'time' || type === 'time-range')),
  );
}

/** A condition, a word of limitation, another value, or a no beside a yes. */
function isLimited(item: PlanItem, { value }: RecordedAnswer, spans: readonly Span[]): boolean {
  const isYesOrNo = typeof value === 'boolean';
  const moves = spans.flatMap((span) => span.moves);
  const isCorrected = moves.some((move) => isCorrection(move) || takesBack(move));
  const values = moves.flatMap((move) => valuesIn(item, move)).map((one) => JSON.stringify(one.value));
  const other = value === true ? 'no' : 'yes';
  return (
    (!isCorrected && new Set(values).size > 1) ||
    (item.kind === 'money' &&
      value !== 0 &&
      moves.some(({ tokens }) => tokens.some(({ norm }) => norm === 'free'))) ||
    spans.some(({ heard, moves: said }) =>
      said.some(
        (move) =>
          conditionIn({ question: item.question, isYesOrNo }, move, heard) !== null ||
          move.tokens.some(({ norm }) => limiting.has(norm)) ||
          (isYesOrNo && plainWordsIn(move.tokens).has(other)),
      ),
    )
  );
}

const limiting = wordSet(words.limiting);
