import { type ItemKind, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { contrasting, statusNamedIn } from '../core/claim-status.ts';
import { isCorrection, takesBack } from '../core/corrections.ts';
import {
  free,
  hasSeveralValues,
  hasWord,
  partly,
  replyAround,
  sentenceAround,
  staged,
  upToCeremony,
  valuesIn,
} from '../core/reply-clauses.ts';
import { leaningOf } from '../core/yes-no-value.ts';
import type { RecordedAnswer } from '../dialogue/dialogue-record.ts';
import { quoted } from '../dialogue/written-values.ts';
import { plain, type Token, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/conditions.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { noWords, plainWordsIn, yesWords } from '../understanding/yes-and-no.ts';
import { conditionIn } from './conditions.ts';

/*
 * People rarely answer a client's question by a value alone: "We do. Only on Wednesdays.", "The first page is free.
 * Then it's ten cents." So it is answered by all words of the reply, and has a value only if none of them limits it.
 */

/** The prompt with the answer's quote, and those that follow it without a question of ours. */
export type Reply = readonly [Heard, ...Heard[]];

/** An answer in words, or a value that answers a client's question, with all words of the reply. */
export function inWholeReply(item: PlanItem, answer: RecordedAnswer, reply: Reply): RecordedAnswer {
  const [first, ...others] = reply;
  const own = { ...first, moves: replyAround(answer.quote, first) };
  const spans = [own, ...others.map((heard) => ({ ...heard, moves: upToCeremony(heard.moves) }))];
  const quote = wordsOf(own) ?? answer.quote;
  const all = [quote, ...others.flatMap((_, at) => wordsOf(spans[at + 1]) ?? [])].join(' ');
  if (answer.value === null || item.kind === 'text') {
    const isInWords = answer.answer === answer.quote;
    return isInWords ? { ...answer, quote, answer: withSign(signOf(item, own), all) } : answer;
  }
  if (exact.has(item.kind) || !saysMore(item, answer, spans)) return answer;
  if (!isClientsOwn(item)) return inSentence(item, answer, first);
  const { value } = answer;
  const isYesOrNo = typeof value === 'boolean';
  const told = isYesOrNo ? withSign(value ? 'Yes' : 'No', all) : withSign(answer.answer, all);
  if (!isLimited(item, answer, spans)) return { ...answer, quote, answer: told };
  return { ...answer, quote, answer: isYesOrNo ? told : all, value: null };
}

/**
 * Adds the sentence to a standard item's value if it names tiers or stages, "None in tier one, $2,000 in tier two", and
 * to a claim's status that it does not name, or not alone: "It's on hold", "paid, but never cashed".
 */
function inSentence(item: PlanItem, answer: RecordedAnswer, heard: Heard): RecordedAnswer {
  const { value, quote } = answer;
  if (item.kind === 'claim-status') {
    const sentence = sentenceAround(quote, heard);
    const isPlain = sentence.some((move) => statusNamedIn(move) === value) && !hasWord(sentence, contrasting);
    return isPlain ? answer : { ...answer, answer: withSign(String(value), quote) };
  }
  // "No copay. It's all percentages here": nothing may be owed otherwise.
  const moves = value === 0 ? replyAround(quote, heard) : sentenceAround(quote, heard);
  const sentence = { ...heard, moves };
  const isYesOrNo = typeof value === 'boolean';
  const isPart = isYesOrNo
    ? hasWord(sentence.moves, staged) || hasWord(sentence.moves, tiers)
    : tiered.has(item.kind) &&
      (value === 0 || (hasSeveralValues(item, sentence.moves) && !isCorrected(heard.moves)));
  if (!isPart || !saysMore(item, answer, [sentence])) return answer;
  const told = isYesOrNo ? (value ? 'Yes' : 'No') : answer.answer;
  return { ...answer, answer: withSign(told, wordsOf(sentence) ?? quote) };
}

/** "In network, tier two" */
const tiers = wordSet(words.tiers);
const tiered: ReadonlySet<ItemKind> = new Set(['money', 'percentage']);

/** `Yes: "We do, only on Fridays."` */
function withSign(sign: string | null, text: string): string {
  return sign === null ? text : `${sign}: ${quoted(text)}`;
}

/** The yes or no of a reply that has no value: "Yes, if it is inside six miles." */
function signOf({ kind }: PlanItem, { moves }: Heard): string | null {
  const sign = kind === 'yes-no' ? leaningOf(moves) : null;
  return sign === null ? null : sign === 'yes' ? 'Yes' : 'No';
}

/** What is written down as such, whatever else is said. */
const exact: ReadonlySet<ItemKind> = new Set(['identifier', 'phone-number', 'name']);

function wordsOf(heard: Heard | undefined): string | null {
  const [first, last] = [heard?.moves[0], heard?.moves.at(-1)];
  return heard === undefined || first === undefined || last === undefined
    ? null
    : heard.said.slice(first.start, last.end);
}

/** Words beside the value, a yes or no, and the question's own. */
function saysMore(item: PlanItem, answer: RecordedAnswer, spans: readonly Heard[]): boolean {
  const known = typeof answer.value === 'boolean' ? item.question : `${item.question} ${answer.answer}`;
  const asked = new Set(contentWords(known));
  const beside = spans
    .flatMap(({ moves }) => moves)
    .flatMap((move) => {
      const values = valuesIn(item, move);
      const tokens = move.tokens.filter(
        ({ start, end }) => !values.some((one) => start >= one.start && end <= one.end),
      );
      return plainWords(plain(tokens)).filter((word) => !yesWords.has(word) && !noWords.has(word));
    });
  // "We're closed from one thirty to two", asked whether they close for lunch
  const hasValue =
    typeof answer.value === 'boolean' &&
    spans.some(({ moves }) => moves.some(({ entities, isQuestion }) => !isQuestion && entities.length > 0));
  return (
    hasValue ||
    contentWords(beside.join(' ')).some((word) => !asked.has(word)) ||
    beside.some((word) => partly.has(word))
  );
}

/** A condition, a word of limitation, another value, or a no beside a yes. */
function isLimited(item: PlanItem, { value }: RecordedAnswer, spans: readonly Heard[]): boolean {
  const isYesOrNo = typeof value === 'boolean';
  const moves = spans.flatMap((span) => span.moves);
  const isPrice = item.kind === 'money' && value !== 0;
  const isLimit = ({ norm }: Token): boolean => limiting.has(norm) || (isPrice && norm === free);
  const other = value === true ? 'no' : 'yes';
  const hasCondition = (heard: Heard): boolean =>
    heard.moves.some((move) => conditionIn({ question: item.question, isYesOrNo }, move, heard) !== null);
  return (
    (!isCorrected(moves) && hasSeveralValues(item, moves)) ||
    moves.some(({ tokens }) => tokens.some(isLimit) || (isYesOrNo && plainWordsIn(tokens).has(other))) ||
    (isYesOrNo && hasWord(moves, partly)) ||
    spans.some(hasCondition)
  );
}

/** "We sent $549. Wait, I flipped that": one of the values is not true. */
function isCorrected(moves: readonly Move[]): boolean {
  return moves.some((move) => isCorrection(move) || takesBack(move));
}

const limiting = wordSet(words.limiting);
