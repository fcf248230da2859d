import type { Called } from '../call-plan/call-plan.ts';
import { plain, type Token, tokenize, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { isRelation } from './explicit-yes.ts';
import { nameWords } from './named-place.ts';

/*
 * People who name the place and are not it: who waits or cleans there, takes its messages, is its customer or on the
 * line with it, and places of another kind with the same words ("Baggage claims").
 */

/** "I'm just a patient here", "I don't work here", "we just take messages": nobody who can answer for the place. */
export function isBystander({ moves }: Heard): boolean {
  return moves.some(({ isQuestion, tokens }) => {
    if (isQuestion) return false;
    const words = wordsOf(tokens);
    return (
      playsMinorRole(words) ||
      isRelation(tokens, ofThemselves) ||
      worksElsewhere(words) ||
      saysOneOf(words, cues.bystander_phrases)
    );
  });
}

/** "I'm the cleaner", "I'm just visiting", "I only clean" */
function playsMinorRole(words: readonly string[]): boolean {
  return words.some((word, at) => {
    if (!speakers.has(word)) return false;
    const [first = '', ...rest] = words.slice(at + 1).filter((next) => !limiting.has(next));
    const isLimited = limiting.has(words[at + 1] ?? '') || limiting.has(words[at + 2] ?? '');
    if (!being.has(first)) return isLimited && doings.has(first);
    const [article = '', role = '', next] = rest;
    // Not "a patient coordinator".
    const isWhole = next === undefined || besideRoles.has(next);
    return (articles.has(article) && roles.has(role) && isWhole) || (isLimited && doings.has(article));
  });
}

/** "I don't work here", "I do not work there anymore" */
function worksElsewhere(words: readonly string[]): boolean {
  return words.some((word, at) => {
    const before = words.slice(Math.max(0, at - 3), at);
    return word === 'work' && places.has(words[at + 1] ?? '') && before.includes('not') && speaks(before);
  });
}

const speaks = (words: readonly string[]): boolean => words.some((word) => speakers.has(word));

/** "We take health insurance", "I'm calling Cove Mutual", "my claim is with the insurance": a payer's customer. */
export function isCustomer({ moves }: Heard, called: Called): boolean {
  if (called.callee !== 'insurer' && called.callee !== 'claims-department') return false;
  const own = nameWords(tokenize(called.payer ?? '')).filter((word) => !placeWords.has(word));
  const names = new Set(['insurance', ...own]);
  return moves.some((move) => {
    // "Can I have the insurance ID?"
    if (move.isQuestion) return false;
    const words = wordsOf(move.tokens);
    return words.some((word, at) => {
      const before = words.slice(Math.max(0, at - 2), at);
      const isDeed = using.has(word) && speaks(before) && !before.some((one) => asking.has(one));
      const isOwn = word === 'my' && matters.has(words[at + 1] ?? '');
      const object = words.slice(at + 1, at + 1 + mostBetween);
      return (isDeed || isOwn) && object.some((next) => names.has(next));
    });
  });
}

/** Another kind of place, unless the task is for such a one: "Riverside Animal Clinic", "insurance for pets". */
export function isOfOtherKind({ moves }: Heard, { callee, place, payer = null }: Called): boolean {
  if (callee === 'office') return false;
  const own = new Set(nameWords(tokenize(`${place ?? ''} ${payer ?? ''}`)));
  return moves.some((move) => {
    const words = nameWords(move.tokens);
    // A travel clinic is one.
    const isOfHealth = callee === 'clinic' || words.some((word) => healthWords.has(word));
    const isForeign = (word: string): boolean =>
      !own.has(word) && (foreign.has(word) || (!isOfHealth && otherInsurances.has(word)));
    return words.some(isForeign) && namesPlace(move, words);
  });
}

function namesPlace({ acts, isQuestion }: Move, words: readonly string[]): boolean {
  const introduces = (acts.get('introduces-place') ?? 0) >= leastNaming;
  return !isQuestion && (introduces || words.some((word) => placeWords.has(word)));
}

const leastNaming = 0.5;
/** "my claim is with the insurance" */
const mostBetween = 5;

function wordsOf(tokens: readonly Token[]): string[] {
  return nameWords(tokens).flatMap((word) => word.split(' '));
}

function saysOneOf(words: readonly string[], phrases: readonly string[]): boolean {
  const said = ` ${words.join(' ')} `;
  return phrases.some((phrase) => said.includes(` ${plain(tokenize(phrase))} `));
}

const speakers = wordSet('i we');
/** "can i have", without a question mark */
const asking = wordSet('can could may might do did');
const being = wordSet('am are was');
const limiting = wordSet('just only');
const articles = wordSet('a an the one');
const places = wordSet('here there');
/** "I'm Kim's boyfriend", not "she is his mother" */
const ofThemselves = wordSet('am');
const roles = wordSet(cues.bystander_roles);
/** What follows a whole role: "a patient here", "a reporter doing a story" */
const besideRoles = wordSet(
  'i we here there at in from of and but so who sitting waiting doing visiting too myself',
);
const doings = wordSet(cues.bystander_doings);
const using = wordSet(cues.using_a_payer);
const matters = wordSet(cues.matters_of_members);
const foreign = wordSet(cues.other_kinds_of_place);
/** Insurances other than of health, unless a fund or union for health has such a name: "Auto Workers Health Fund". */
const otherInsurances = wordSet(cues.other_insurances);
const healthWords = wordSet(cues.names_of_health_payers);
const placeWords = wordSet(`${cues.clinic_words} ${cues.payer_words}`);
