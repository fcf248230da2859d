import type { Character, KnownFact } from './character.ts';
import type { Topic } from './desk.ts';
import { type Heard, opensQuestion, type Sentence, wordsOf } from './heard.ts';
import { matchesAny } from './pattern.ts';
import { placeholdersOf } from './phrase.ts';

/*
 * An answer without a number that a caller says again: "So that is a no. Is that right?", "So the claim was denied,
 * correct?"
 */

/** `nothing`: the caller asks once more. `null`: what they say cannot be compared with what is known. */
export type Restated = 'right' | 'wrong' | 'nothing' | null;

export function restates(character: Character, heard: Heard, topics: readonly Topic[]): Restated {
  const facts = topics.flatMap((topic) => factOf(character, topic) ?? []);
  if (facts.length === 0) return null;
  const about = heard.sentences.filter(({ words }) =>
    topics.some(({ asked_by: patterns }) => matchesAny(patterns, words)),
  );
  const statement = (about.length > 0 ? about : heard.sentences).findLast(isStatement);
  if (statement === undefined) return 'nothing';
  // "So that is a yes" says nothing of an answer in words: they say it again.
  if (
    /\b(is|was) (a )?(yes|no)$/.test(statement.words.join(' ')) &&
    facts.some(({ type }) => type === 'text')
  )
    return 'nothing';
  return facts.every((fact) => agrees(fact, statement.words)) ? 'right' : 'wrong';
}

/** Whether words and not a number answer a topic. */
export function isRestatable(character: Character, topic: Topic): boolean {
  return factOf(character, topic) !== null;
}

/** Not "is that right?", not "just to be sure: is it covered?", nor a mere "got it". */
function isStatement({ text, words }: Sentence): boolean {
  return words.length > 2 && !text.split(':').some((part) => opensQuestion(wordsOf(part)));
}

/** The one fact that answers a topic, if words and not a number tell it. */
function factOf({ facts }: Character, { topic, answered_by, says, tells }: Topic): KnownFact | null {
  const names = [...new Set([...tells, ...says.flatMap(placeholdersOf)])];
  const name =
    [answered_by, topic, ...tells].find((one) => one !== undefined && names.includes(one)) ?? names[0];
  const fact = name === undefined ? undefined : facts[name];
  return fact !== undefined && (fact.type === 'yes' || fact.type === 'text') ? fact : null;
}

const denying = new Set(['no', 'not', 'never', 'none', 'nothing', 'without', 'out', 'inactive']);

function agrees({ type, value, spoken }: KnownFact, words: readonly string[]): boolean {
  if (type === 'yes') return words.some((word) => denying.has(word)) !== value;
  const known = wordsOf(spoken).filter((word) => word.length > 3);
  return known.length === 0 || known.some((word) => words.some((said) => isAkin(said, word)));
}

/** "processed" and "process" */
function isAkin(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length, 6);
  return length > 3 && one.slice(0, length) === other.slice(0, length);
}
