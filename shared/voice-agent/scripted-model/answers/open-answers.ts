import type { RecordedAnswer } from '../../dialogue/dialogue-record.ts';
import { findDays } from '../../language/day-mentions.ts';
import { digitsFromWords } from '../../language/numbers.ts';
import { denies, isGuess, openingPolarity } from '../../language/polarity.ts';
import type { Sentence } from '../../language/text.ts';
import { findIdentifiers, findMoney, findPercentages } from '../../language/values.ts';
import type { PlanItem } from '../../plan/call-plan.ts';
import { contentWords, firstRun, statementsOf } from '../statements.ts';
import { isFiller } from './chatter.ts';
import { figure } from './detail-answers.ts';
import { fitsQuestion, isPriceOfSomethingElse } from './fitting.ts';
import { findPhoneNumber } from './phone-numbers.ts';
import type { FoundAnswer, Reply } from './reply.ts';
import { givesLeave, yesNoReply } from './yes-no-answers.ts';

/** The answer to one of the client's own questions: what the person states, read as the kind of value asked for. */
export function openAnswer(reply: Reply, item: PlanItem): FoundAnswer | null {
  const { said, sentences } = reply;
  const statements = statementsFor(item, sentences);
  const quote = firstRun(said, sentences, statements);
  switch (item.kind) {
    case 'yes-no':
      return openYesNo(reply, item, statements, quote);
    case 'money': {
      const amounts = statements.flatMap(({ plain }) => charges(plain));
      const [amount] = amounts;
      // Several amounts mean several cases; which one is ours, only a reader can tell.
      if (amount !== undefined) {
        const value = amounts.every((other) => other === amount) ? amount : null;
        return typed(
          item,
          quote,
          value,
          statements.some(({ plain }) => isGuess(plain) || isPriceOfSomethingElse(item.question, plain)),
        );
      }
      if (
        /\b(?:free|no (?:charge|fee|cost)|nothing|complimentary|don't charge|do not charge)\b/.test(
          quote.toLowerCase(),
        )
      )
        return typed(item, quote, 0);
      return textual(item, quote, statements, true);
    }
    case 'percentage': {
      const found = firstOf(statements, ({ plain }) => findPercentages(plain)[0]);
      return found === null
        ? textual(item, quote, statements, true)
        : typed(item, quote, found.mention.percent, isGuess(found.sentence.plain));
    }
    case 'number': {
      const unit = unitOf(item.question);
      const found = firstOf(statements, (sentence) => countIn(sentence, unit, reply.today));
      if (found !== null)
        return typed(
          item,
          quote,
          found.mention.count,
          isGuess(found.sentence.plain) || !found.mention.isOfUnit,
        );
      if (/\b(?:none|zero|no)\b/.test(quote.toLowerCase())) return typed(item, quote, 0);
      return textual(item, quote, statements, true);
    }
    case 'phone-number': {
      const found = firstOf(sentences, ({ plain }) => findPhoneNumber(plain) ?? undefined);
      if (found === null) return textual(item, quote, statements, !/\d/.test(quote));
      return typed(item, quote === '' ? found.sentence.text : quote, found.mention);
    }
    case 'identifier': {
      const found = firstOf(sentences, (sentence) => findIdentifiers(sentence.plain, sentence.text)[0]);
      if (found === null) return textual(item, quote, statements, true);
      return typed(item, quote === '' ? found.sentence.text : quote, found.mention.identifier);
    }
    case 'date': {
      const found = firstOf(statements, ({ plain }) => findDays(plain, reply.today)[0]);
      return found === null
        ? textual(item, quote, statements, true)
        : typed(item, quote, found.mention.first, isGuess(found.sentence.plain));
    }
    case 'name':
    case 'text':
    case 'date-time':
    case 'claim-status':
      return textual(item, quote, statements, false);
  }
}

/** What is stated: for a question that words answer, from the first words on that can answer it. */
function statementsFor(item: PlanItem, sentences: readonly Sentence[]): Sentence[] {
  const all = statementsOf(sentences);
  if (item.kind !== 'text' && item.kind !== 'name' && item.kind !== 'date-time') {
    return item.kind === 'yes-no'
      ? all.filter(({ plain }) => !givesLeave(plain))
      : all.filter(({ plain }) => !isFiller(plain) && !isOfAnotherUnit(item.kind, plain));
  }
  const first = all.findIndex((sentence) => fitsQuestion(item.question, sentence));
  return first === -1 ? [] : all.slice(first);
}

/** "$265" counts no days, and "30 minutes" are no price. */
function isOfAnotherUnit(kind: PlanItem['kind'], plain: string): boolean {
  const isMoney = findMoney(plain).length > 0;
  const isCount = countedThing.test(plain);
  if (kind === 'number') return isMoney && !isCount;
  return kind === 'money' && isCount && !isMoney && findMoney(plain, { bare: true }).length === 0;
}

const units =
  'minutes?|hours?|days?|weeks?|months?|years?|visits?|sessions?|pounds?|lbs|kilos?|pages?|people|persons?|patients?|doctors?|miles?|copies|refills?|spots?|spaces?|times';

const countedThing = new RegExp(`\\d ?-?(?:business )?(?:${units})\\b`);
const askedUnit = new RegExp(`\\bhow many (?:\\w+ )?(?<unit>${units})\\b`);

/** What a "how many" question counts: "days". */
function unitOf(question: string): string | null {
  const unit = askedUnit.exec(question.toLowerCase())?.groups?.unit;
  return unit === undefined ? null : unit.replace(/s$/, '');
}

/** What stands behind a number that counts something; money and shares are counted as well. */
const countedUnit = new RegExp(
  `^ ?-?(?:(?:business|working|calendar|full) )?(?<unit>${units}|dollars?|bucks|cents?|percent|%)(?![a-z])`,
);

/** The number in a sentence that counts what was asked for; none that is part of a date, or counts something else. */
function countIn(
  { plain }: Sentence,
  unit: string | null,
  today: string,
): { count: number; isOfUnit: boolean } | undefined {
  const days = findDays(plain, today, 'past');
  for (const match of plain.matchAll(/(?<![\d$.,:/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\d:/-])/g)) {
    const end = match.index + match[0].length;
    if (days.some((day) => day.start < end && match.index < day.end)) continue;
    const counted = countedUnit.exec(plain.slice(end))?.groups?.unit?.replace(/s$/, '');
    if (unit !== null && counted !== undefined && counted !== unit) continue;
    return {
      count: Number(match[0].replaceAll(',', '')),
      isOfUnit: unit === null || counted !== undefined || plain.length < 40,
    };
  }
  return undefined;
}

/** Amounts that are charged, not those that something is "over" or "under". */
function charges(plain: string): number[] {
  return findMoney(plain, { bare: true })
    .filter(
      ({ start }) =>
        !/\b(?:over|above|under|below|more than|less than|at least|minimum(?: of)?|orders? of|up to) $/.test(
          plain.slice(0, start),
        ),
    )
    .map(({ amount }) => amount);
}

function firstOf<Mention>(
  sentences: readonly Sentence[],
  find: (sentence: Sentence) => Mention | undefined,
): { mention: Mention; sentence: Sentence } | null {
  for (const sentence of sentences) {
    const mention = find(sentence);
    if (mention !== undefined) return { mention, sentence };
  }
  return null;
}

function typed(item: PlanItem, quote: string, value: RecordedAnswer['value'], isVague = false): FoundAnswer {
  return { key: item.key, answer: quote, value, quote, isVague };
}

const wantsFigure =
  /\b(?:how (?:long|much|many|soon|often|far|early|late)|when|what time|(?:earliest|latest) time|what (?:are|is) (?:your|the) (?:\w+ )?hours|what hours|which days|what days)\b/;

function textual(
  item: PlanItem,
  quote: string,
  statements: readonly Sentence[],
  isWrongKind: boolean,
): FoundAnswer | null {
  if (quote === '') return null;
  const plain = statements.map((statement) => statement.plain).join(' ');
  const isEmpty =
    /\b(?:it (?:really |all )?depends|it varies|hard to say|not sure|i guess|something like that|the usual)\b/.test(
      plain,
    );
  const lacksFigure = wantsFigure.test(item.question.toLowerCase()) && !figure.test(plain);
  return {
    key: item.key,
    answer: withFigures(quote),
    value: null,
    quote,
    isVague: isWrongKind || isEmpty || lacksFigure,
  };
}

/** Speech recognition may write figures as words; whoever reads the answer wants "6:45 am". */
function withFigures(quote: string): string {
  if (quote !== quote.toLowerCase()) return quote;
  return digitsFromWords(quote).replaceAll(/\b(1?\d) ([0-5]\d)(?= ?[ap]\.?m\b)/g, '$1:$2');
}

function openYesNo(
  reply: Reply,
  item: PlanItem,
  statements: readonly Sentence[],
  quote: string,
): FoundAnswer | null {
  const short = yesNoReply(reply, item);
  const all = statements.map(({ plain }) => plain).join(' ');
  const isVague =
    /\b(?:it (?:really |all )?depends|depends on|it varies|maybe|perhaps|i think|i guess|not sure|probably|possibly|sometimes|might|i believe|should be)\b/.test(
      all,
    );
  if (short !== null) {
    // The reply from the "yes" on, with what is added to it.
    const from = reply.sentences.find(({ text }) => text === short.quote);
    const run =
      from === undefined
        ? short.quote
        : firstRun(reply.said, reply.sentences, [
            from,
            ...statements.filter((statement) => statement !== from && statement.start > from.start),
          ]);
    return {
      ...short,
      answer: run === '' ? short.quote : run,
      quote: run === '' ? short.quote : run,
      isVague,
    };
  }
  if (quote === '') return null;
  const asked = new Set(contentWords(item.question.toLowerCase()));
  const [first] = statements;
  const echoes = statements.some(({ plain }) => contentWords(plain).some((word) => asked.has(word)));
  const affirms =
    first !== undefined &&
    /^(?:but )?only\b|\b(?:there(?:'s| is| are)|(?:we|they|you|i) (?:have|do|offer|accept|take|can|use|provide)|available)\b/.test(
      first.plain,
    );
  // "Do you see children?" – "We see kids from three on."
  const verb =
    /^(?:do|does|can|will|would) (?:you|they|the \w+|your \w+) (?:also |still |usually )?(?<verb>[a-z]{2,})/.exec(
      item.question.toLowerCase(),
    )?.groups?.verb;
  const repeats =
    verb !== undefined &&
    first !== undefined &&
    new RegExp(`\\b(?:we|they|it|you can|he|she) (?:do |can |also )?${verb}`).test(first.plain);
  const isClosed =
    /\b(?:open|hours|available|saturdays?|sundays?|weekends?|evenings?)\b/.test(
      item.question.toLowerCase(),
    ) &&
    first !== undefined &&
    /\bclosed\b/.test(first.plain) &&
    !/\bopen\b/.test(first.plain);
  const value =
    first === undefined
      ? null
      : openingPolarity(first.plain) !== 'yes' && (denies(first.plain) || isClosed)
        ? false
        : openingPolarity(first.plain) === 'yes' || echoes || affirms || repeats
          ? true
          : null;
  return { key: item.key, answer: quote, value, quote, isVague: isVague || value === null };
}
