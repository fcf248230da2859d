import type { KnownFact } from './character.ts';
import type { Topic } from './desk.ts';
import { type Heard, wordsOf } from './heard.ts';
import { findDays, findMention, isEmptyMention } from './moment.ts';
import { digitsForWords } from './number-words.ts';
import { placeholdersOf, spell } from './phrase.ts';
import { identifierIn } from './recognize.ts';
import { isRestatable, restates } from './restated-answer.ts';
import { answer, type Topics } from './topics.ts';
import { numbersInWords } from './transcription.ts';
import type { Turn } from './turn.ts';

/*
 * A caller's read-back: "So the copay is $40, correct?", "Let me read that back: E H B, 7 0 0. Is that right?" The
 * person confirms or corrects it, also what the caller made of a vague answer.
 */

const wantsConfirmation =
  /\b(confirm|correct|right|re(ad|peat) (that|it) back|did i (get|hear|understand)|have i got|is that)\b/;

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
  const slip = slipReadBack(turn, heard, named);
  if (slip !== null) return correction(turn, [slip]);
  if (named.length === 0) return tellsSomethingNew ? null : confirmValue(turn, heard);
  const isAsking = wantsConfirmation.test(heard.words.join(' '));
  const { answered, vagueAbout } = turn.draft;
  const isReadBack =
    named.every(({ topic }) => answered.includes(topic) || vagueAbout.includes(topic)) &&
    (topics.asked.length === 0 || isAsking);
  if (!isReadBack) return null;
  const isOfNumber = hasNumber(heard);
  const restated = isOfNumber ? null : restates(turn.character, heard, named);
  const isVague = named.some(({ topic }) => !answered.includes(topic));
  if (isVague && !isOfNumber && restated === null) return null;
  // "Is that service covered, yes or no?" repeats a question and reads nothing back.
  if (restated === 'nothing') return null;
  if (restated === 'wrong') return isAsking ? denial(turn, named) : null;
  const isRight =
    agrees(heard, rightFor(turn, named, heard.words), questionsOf(named)) ||
    namesTold(turn, heard) ||
    readsBack(turn, heard) !== null;
  if (topics.asked.length === 0 && !isRight && !isAsking) return null;
  if (!isRight)
    return (
      correction(
        turn,
        named.flatMap((topic) => valuesOf(turn, topic, heard.words)),
      ) ?? answer(turn, named[0])
    );
  // Thinking aloud needs no answer, unless nothing else would continue the conversation.
  return turn.phrase('confirms', turn.character.defaults.confirms);
}

/** The fact of which the caller reads back the wrong value that was put right. */
function slipReadBack(turn: Turn, { text, words }: Heard, named: readonly Topic[]): KnownFact | null {
  const { character, draft } = turn;
  const { fact: name = '', instead = '' } = character.temper.misspeaks ?? {};
  const fact = character.facts[name];
  const isOther = named.length > 0 && !named.some((topic) => factsOf(topic).includes(name));
  if (fact === undefined || isOther || draft.correction !== null || turn.timesNoted('misspoke') === 0)
    return null;
  // "$20" is not in "$200".
  const isSlip = ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(instead).join(' ')} `);
  return wantsConfirmation.test(words.join(' ')) && isSlip && !text.includes(fact.spoken) ? fact : null;
}

function factsOf({ says, tells }: Topic): string[] {
  return [...new Set([...says.flatMap(placeholdersOf), ...tells])];
}

function hasNumber({ text }: Heard): boolean {
  return (
    numbersIn(digitsForWords(text)).size > 0 || identifierIn(text) !== null || findDays(text).days.length > 0
  );
}

/** "Is that right?" */
function isBare({ sentences }: Heard): boolean {
  return sentences.length === 1;
}

/** "No. It is not covered." to a question that was not asked before. */
function denial(turn: Turn, topics: readonly Topic[]): string | null {
  const topic = topics.findLast((one) => isRestatable(turn.character, one));
  const told = topic === undefined ? null : turn.telling(`topic ${topic.topic}`, topic.says, topic.tells);
  return [turn.phrase('denies', turn.character.defaults.denies), told]
    .filter((one) => one !== null)
    .join(' ');
}

/** "Is that right?" after a value, or after none: then after whatever was said last. */
function confirmValue(turn: Turn, heard: Heard): string | null {
  const { draft, character } = turn;
  const hasValue = hasNumber(heard);
  const asks = heard.sentences.some(
    ({ asks: isQuestion, words }) =>
      isQuestion && (hasValue ? wantsConfirmation : closesReadBack).test(words.join(' ')),
  );
  if (!asks || draft.told.length + draft.vagueAbout.length === 0 || draft.lastSaid === null) return null;
  // The caller reads back a no, but the reply had told nothing.
  if (!hasValue && draft.knewNothing) return turn.phrase('do not know', character.defaults.do_not_know);
  const isAboutATime = draft.appointment.wanted && !isEmptyMention(findMention(heard.text, character.today));
  if (isAboutATime) return null;
  turn.hasConfirmed = true;
  const last = lastTopics(turn);
  const restatedWords = hasNumber(heard) ? null : restates(character, heard, last);
  if (restatedWords === 'wrong') return denial(turn, last);
  if (restatedWords === 'nothing' && !isBare(heard)) return answer(turn, last[0]);
  const asked = valuesAskedFor(turn, draft.lastSaid, heard.words);
  const right = asked.length > 0 ? asked.map(({ spoken }) => spoken) : [draft.lastSaid];
  const restated = lastStatement(heard);
  const isRight =
    agrees(restated, [...right, ...spokenValues(turn, draft.lastSaid)]) || readsBack(turn, restated) !== null;
  if (isRight) return turn.phrase('confirms', character.defaults.confirms);
  return correction(turn, asked) ?? draft.lastSaid;
}

/** "The date of birth is …. So that is $40. Is that right?": the part to confirm, without earlier information. */
function lastStatement(heard: Heard): Heard {
  const closing = heard.sentences.findLastIndex(({ words }) => wantsConfirmation.test(words.join(' ')));
  const isAlone = !/\d/.test(heard.sentences[closing]?.text ?? '');
  const sentences = heard.sentences.slice(Math.max(0, closing - (isAlone ? 1 : 0)), closing + 1);
  if (closing < 0 || (isAlone && !/\d/.test(sentences[0]?.text ?? ''))) return heard;
  return {
    text: sentences.map(({ text }) => text).join(' '),
    sentences,
    words: sentences.flatMap(({ words }) => words),
  };
}

/** The true value; null when none was told. */
function correction(turn: Turn, asked: readonly KnownFact[]): string | null {
  const correct = lastValue(turn, asked);
  const { corrects } = turn.character.defaults;
  return correct === null
    ? null
    : turn.phraseWith('corrects', corrects, (name) => (name === 'right' ? correct : null));
}

/** "The price of ninety tablets": a number from the question is not a wrong value. */
function questionsOf(topics: readonly Topic[]): string[] {
  return topics.flatMap(({ client_question }) =>
    client_question === undefined ? [] : [digitsForWords(client_question)],
  );
}

/** What the last words were about. */
function lastTopics({ character, draft }: Turn): Topic[] {
  const topics = [...character.desks.flatMap((desk) => desk.topics), ...character.defaults.topics];
  return draft.lastAnswered.flatMap((name) => topics.find(({ topic }) => topic === name) ?? []);
}

/** The values in the last words that were asked for, and those that these words left vague. */
function valuesAskedFor(turn: Turn, lastSaid: string, words: readonly string[]): KnownFact[] {
  const { answered } = turn.draft;
  const topics = turn.character.desks.flatMap((desk) => desk.topics);
  const told = answered
    .flatMap((name) => topics.filter(({ topic }) => topic === name))
    .flatMap((topic) => valuesOf(turn, topic, words))
    .filter(({ spoken }) => lastSaid.includes(spoken));
  const leftVague = lastTopics(turn).filter(({ topic }) => !answered.includes(topic));
  return [...told, ...leftVague.flatMap((topic) => valuesOf(turn, topic, words))];
}

/**
 * The topic among everything an answer tells: no one confirms the price of the large one to a caller who asked for the
 * small one.
 */
function valuesOf({ character }: Turn, asked: Topic, words: readonly string[] = []): KnownFact[] {
  const { topic, answered_by } = asked;
  const names = factsOf(asked);
  // The topic "deductible met" is that of the fact `deductible_met`.
  const own = [answered_by, topic, topic.replaceAll(/[ -]/g, '_')].find(
    (name) => name !== undefined && names.includes(name),
  );
  return (own === undefined ? namedIn(words, names) : [own])
    .flatMap((name) => character.facts[name] ?? [])
    .filter(({ type }) => type !== 'text' && type !== 'yes');
}

/** "So $500 of the out-of-pocket maximum has been met": of several facts the one that the words name, and name last. */
function namedIn(words: readonly string[], names: readonly string[]): readonly string[] {
  const lastOf = (parts: readonly string[]): number =>
    Math.max(...parts.map((part) => words.findLastIndex((word) => isForm(word, part))));
  const named = names
    .map((name) => ({ name, parts: name.split('_') }))
    .filter(({ parts }) => parts.every((part) => words.some((word) => isForm(word, part))))
    .toSorted((a, b) => b.parts.length - a.parts.length || lastOf(b.parts) - lastOf(a.parts));
  const [best] = named;
  return best === undefined ? names : [best.name];
}

/** "Visits" for `visit`, "remains" for `remaining`, "maximum" for `max`. */
function isForm(word: string, part: string): boolean {
  const stem = part.length < 5 ? part : part.slice(0, Math.max(4, part.length - 3));
  return word === part || (stem.length > 2 && word.startsWith(stem));
}

/**
 * "So $500 of the deductible has been met", which a broad pattern takes for the deductible: the told fact has its own
 * name, and all of it is in the words.
 */
function namesTold({ character, draft }: Turn, heard: Heard): boolean {
  const specific = draft.told.filter((name) => name.includes('_'));
  const [best] = namedIn(heard.words, specific);
  if (best === undefined || !best.split('_').every((part) => heard.words.some((word) => isForm(word, part))))
    return false;
  const fact = character.facts[best];
  return fact !== undefined && hasNumber(heard) && agrees(heard, [fact.spoken]);
}

/** Topics whose phrases never name a value. */
function rightFor(turn: Turn, topics: readonly Topic[], words: readonly string[]): string[] {
  const values = topics.flatMap((topic) => valuesOf(turn, topic, words));
  return values.length === 0 ? topics.flatMap(({ says }) => says) : values.map(({ spoken }) => spoken);
}

/** What was told before the last words. */
function spokenValues({ draft, character }: Turn, lastSaid = ''): string[] {
  return draft.told
    .flatMap((name) => character.facts[name]?.spoken ?? [])
    .filter((spoken) => !lastSaid.includes(spoken));
}

/** Whether every day and number read back was told; what `asked` names may appear beside them, except amounts. */
function agrees(heard: Heard, said: readonly string[], asked: readonly string[] = []): boolean {
  const read = findDays(heard.text);
  // "November 13th October 10th" would hold another day.
  const whole = said.join('; ');
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
  const excused = numbersIn(asked.join(' '));
  const amounts = numbersIn(heard.text.match(/\$[\d.,]+/g)?.join(' ') ?? '');
  const areNumbersKnown = [...numbersIn(read.rest)].every(
    (number) => known.has(number) || (excused.has(number) && !amounts.has(number)),
  );
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
function lastValue({ draft, character }: Turn, asked: readonly KnownFact[]): string | null {
  const told = draft.told.flatMap((name) => character.facts[name] ?? []);
  const isValue = ({ type, spoken }: KnownFact): boolean =>
    type !== 'text' && type !== 'yes' && draft.lastSaid?.includes(spoken) === true;
  const fact = asked.at(-1) ?? told.findLast(isValue);
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
