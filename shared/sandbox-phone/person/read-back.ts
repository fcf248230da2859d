import { type Heard, wordsOf } from './heard.ts';
import { findDays, findMention, isEmptyMention } from './moment.ts';
import { digitsForWords } from './number-words.ts';
import type { Topic } from './person-file.ts';
import { placeholdersOf, spell } from './phrase.ts';
import { identifierIn } from './recognize.ts';
import { answer, type Topics } from './topics.ts';
import { numbersInWords } from './transcription.ts';
import type { Turn } from './turn.ts';

/*
 * A caller who makes sure of what they were told: "So the copay is $40, correct?", "Let me read that back: E
 * H B, 7 0 0. Is that right?" The person confirms it, or says what it really is.
 */

const wantsConfirmation =
  /\b(confirm|correct|right|read (that|it) back|repeat (that|it) back|did i (get|hear|understand)|have i got|is that)\b/;

/** Without a value, "could you confirm whether …" asks something new. */
const closesReadBack = /\b(right|correct)$|\bdid i (get|hear|understand)\b/;

/** Null when nothing is read back. */
export function confirmReadBack(
  turn: Turn,
  heard: Heard,
  topics: Topics,
  tellsSomethingNew: boolean,
): string | null {
  const named = topics.asked.length > 0 ? topics.asked : topics.mentioned;
  if (named.length === 0) return tellsSomethingNew ? null : confirmValue(turn, heard);
  const isAsking = wantsConfirmation.test(heard.words.join(' '));
  const isReadBack =
    named.every((topic) => turn.draft.answered.includes(topic.topic)) &&
    (topics.asked.length === 0 || isAsking);
  if (!isReadBack) return null;
  const isRight = agrees(heard, phrasesOf(turn, named)) || readsBack(turn, heard) !== null;
  if (topics.asked.length === 0 && !isRight) return null;
  if (!isRight) return answer(turn, named[0]);
  // Somebody who only thinks aloud needs no answer, unless nothing else would go on.
  return turn.phrase('confirms', turn.character.defaults.confirms);
}

/** "Is that right?" after a value, or after none: then after whatever was said last. */
function confirmValue(turn: Turn, heard: Heard): string | null {
  const { draft, character } = turn;
  const hasValue = numbersIn(digitsForWords(heard.text)).size > 0 || identifierIn(heard.text) !== null;
  const asks = heard.sentences.some(
    ({ asks: isQuestion, words }) =>
      isQuestion && (hasValue ? wantsConfirmation : closesReadBack).test(words.join(' ')),
  );
  if (!asks || draft.told.length === 0 || draft.lastSaid === null) return null;
  const isAboutATime = draft.appointment.wanted && !isEmptyMention(findMention(heard.text, character.today));
  if (isAboutATime) return null;
  turn.hasConfirmed = true;
  const isRight = agrees(heard, [draft.lastSaid, ...spokenValues(turn)]) || readsBack(turn, heard) !== null;
  if (isRight) return turn.phrase('confirms', character.defaults.confirms);
  const right = lastValue(turn);
  return right === null
    ? draft.lastSaid
    : turn.phraseWith('corrects', character.defaults.corrects, (name) => (name === 'right' ? right : null));
}

function phrasesOf(turn: Turn, topics: readonly Topic[]): string[] {
  return topics.flatMap(({ says }) =>
    says.map((phrase) =>
      placeholdersOf(phrase)
        .map((name) => turn.values(name) ?? '')
        .concat(phrase)
        .join(' '),
    ),
  );
}

function spokenValues({ draft, character }: Turn): string[] {
  return draft.told.flatMap((name) => character.facts[name]?.spoken ?? []);
}

/** Whether every day and every number that is read back was said. */
function agrees(heard: Heard, said: readonly string[]): boolean {
  const read = findDays(heard.text);
  const whole = said.join(' ');
  const knownDays = findDays(whole).days;
  const areDaysKnown = read.days.every(({ month, day, year }) =>
    knownDays.some(
      (known) =>
        known.day === day &&
        (month === null || known.month === month) &&
        // Of a day in the current year nobody says the year.
        (year === null || known.year === null || known.year === year),
    ),
  );
  const known = numbersIn(whole);
  const areNumbersKnown = [...numbersIn(read.rest)].every((number) => known.has(number));
  return areDaysKnown && (areNumbersKnown || saysInWords(heard, said));
}

/** "six hundred twenty dollars and fifty cents" */
function saysInWords(heard: Heard, said: readonly string[]): boolean {
  const read = ` ${heard.words.join(' ')} `;
  return said.some((value) => {
    const words = wordsOf(numbersInWords(value));
    return /\d/.test(value) && read.includes(` ${words.join(' ')} `);
  });
}

/** The told value that the caller read out character by character. */
function readsBack(turn: Turn, heard: Heard): string | null {
  const read = identifierIn(heard.text);
  if (read === null) return null;
  return spokenValues(turn).find((value) => bare(value) === read) ?? null;
}

function bare(value: string): string {
  return value.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
}

/** What was told last that one can get wrong, as one dictates it. */
function lastValue({ draft, character }: Turn): string | null {
  const fact = draft.told
    .flatMap((name) => character.facts[name] ?? [])
    .findLast(({ type, spoken }) => type !== 'text' && type !== 'yes' && draft.lastSaid?.includes(spoken));
  if (fact === undefined) return null;
  return fact.type === 'identifier' || fact.type === 'phone' ? spell(fact.spoken) : fact.spoken;
}

function numbersIn(text: string): Set<string> {
  return new Set(
    [...text.replaceAll(',', '').matchAll(/\d+(?:\.\d+)?/g)].map(([number]) =>
      // "$40.00" is $40; an identifier keeps its zeros.
      number.includes('.') ? String(Number(number)) : number,
    ),
  );
}
