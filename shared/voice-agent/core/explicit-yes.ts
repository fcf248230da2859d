import type { Called, Callee } from '../call-plan/call-plan.ts';
import { isOrdinary } from '../entities/names.ts';
import { hasQuestionMark, isCapitalized, type Token, tokenize, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { type Heard, type Move, placesIn } from '../understanding/understand.ts';
import { beginsWithYes, endsWithYes, yesWords } from '../understanding/yes-and-no.ts';
import { firstPerson } from './clause-topic.ts';
import {
  asksAboutPlace,
  beingWords,
  fitOf,
  fits,
  hasAllOfName,
  hasOwnName,
  leastFitting,
  leastPublic,
  mayBePlace,
  namesOtherPlace,
  nameWords,
  onlyNamesPerson,
  saysReached,
  withoutOwnName,
} from './named-place.ts';
import { isSameName } from './new-voice.ts';
import { reachGuesses } from './reach-reply.ts';

/* A yes to the question whom we have reached: what may stand beside it, and how often it has to be given. */

/** What is known of the person on the line. */
interface Asked {
  /** How often they replied to the question unclearly. */
  readonly asked: number;
  /** The name that they gave. */
  readonly person: string | null;
}

/** A name beside it may obscure the yes, but not the place. */
const leastBesidePlace = 0.35;

/**
 * "Yes, you've reached Sterling HMO.": whatever else the prompt contains. Asked again for a clear yes or no, a yes is
 * one however it introduces the place: "Yeah, this is Saguaro."
 */
export function yesWithPlace(heard: Heard, callee: Callee, { asked, person }: Asked): Move | null {
  const isAgain = asked > 0;
  const least = callee === 'office' && isAgain ? leastPublic : leastFitting;
  const maySuffice = isAgain && !heard.moves.some(asksWhoWeAre);
  const isYes = (move: Move): boolean =>
    (reachGuesses(move.tokens).get('confirms') ?? 0) >= leastBesidePlace ||
    (maySuffice && (callee === 'office' || !onlyNamesPerson(move)));
  // "Yes, this is Zia Mesa" names no person if Priscilla says it, nor if it is their third yes.
  const namesNoPerson = (move: Move): boolean =>
    maySuffice && (asked > 1 || namesAnother(move, person)) && mayBePlace(move);
  return (
    heard.moves.find(
      (move) =>
        saysYes(move) &&
        ((asked > 1 && maySuffice && namesInShort(move, callee)) ||
          (!asksAboutPlace(move) && ((isYes(move) && fitOf(move, callee) >= least) || namesNoPerson(move)))),
    ) ?? null
  );
}

/** At its beginning or its end, beside the place's name. */
function saysYes({ tokens }: Move): boolean {
  return beginsWithYes(tokens) || endsWithYes(tokens);
}

/** "Yes, is Penn Square.": a yes and a name, of no other kind of place. "Sure, go ahead" names nothing. */
function namesInShort(move: Move, callee: Callee): boolean {
  const words = move.tokens.filter(({ kind }) => kind === 'word');
  const said = beginsWithYes(move.tokens) ? words.slice(1) : words.slice(0, -1);
  return (
    said.length < mostOfPlainYes &&
    said.some(({ text }) => isCapitalized(text) && text !== 'I') &&
    !asksOfUs(move) &&
    !namesOtherPlace(move) &&
    !isElsewhere(move, callee) &&
    fitOf(move, 'office') > leastPublic &&
    !said.some(({ norm }) => norm.split(' ').some((word) => firstPerson.has(word)))
  );
}

const mostOfPlainYes = 6;

/** "Ayuh, Cove", "You have reached Cove": a yes with the place's own name, of no other kind of place. */
export function yesWithName({ moves }: Heard, called: Called): Move | null {
  const isYes = (move: Move): boolean =>
    (saysYes(move) || saysReached(move)) && !hasQuestionMark(move.tokens);
  const whole = moves.find((move) => saysWholeNameAtOnce(move, called));
  if (whole !== undefined) return whole;
  const named = moves.find((move) => saysOwnName(move, called));
  return named !== undefined && moves.some(isYes) ? named : null;
}

/** "yeah cove clinic best number for her": the whole name right after a yes, and then what they ask of us. */
function saysWholeNameAtOnce({ tokens, asks: [topic] }: Move, { place, payer = null }: Called): boolean {
  const [yes = '', ...said] = nameWords(tokens);
  const name = nameWords(tokenize(place ?? payer ?? ''));
  const isNamed = name.length > 1 && name.every((word, at) => said[at] === word);
  const isAsking = (topic?.confidence ?? 0) >= leastAsking;
  return (
    yesWords.has(yes) && isNamed && !hasQuestionMark(tokens) && (isAsking || said.length === name.length)
  );
}

const leastAsking = 0.5;

/**
 * The place's own name, of no other kind of place: "Cove Bend, like I said." What the name itself sounds like tells no
 * kind.
 */
export function saysOwnName(move: Move, called: Called): boolean {
  if (!hasOwnName(move, called) || asksAboutPlace(move)) return false;
  const isOther = withoutOwnName(move, called).every(
    (rest) => namesOtherPlace(rest) || isElsewhere(rest, called.callee),
  );
  return !isOther || hasAllOfName(move, called);
}

/** The person's own name, and the other names that they answered with, in lower case. */
interface Introduced {
  readonly person: string | null;
  readonly introduced?: readonly string[] | undefined;
}

/**
 * "You found us, Cove Bend": two words of the names that they answered with, and of no other kind of place. Beside
 * their own name, one will do: "This is Jo at Larkspur."
 */
export function repeatsName(move: Move, { introduced = [], person }: Introduced): boolean {
  const said = new Set(move.tokens.map(({ norm }) => norm));
  const least = person !== null && introduced.length === 1 ? 1 : leastRepeated;
  const repeated = introduced.filter((word) => said.has(word));
  return (
    repeated.length >= least &&
    // "Okay, this is Jo." answers with no other name.
    repeated.some((word) => !isOrdinary(word)) &&
    !asksOfUs(move) &&
    !namesOtherPlace(move) &&
    fitOf(move, 'office') >= leastPublic
  );
}

const leastRepeated = 2;

/**
 * "Yes, what's the policy number": the question was repeated, and only a desk that looks up the patient goes on so. A
 * yes that is a question ("Yes?") or names a place of another kind ("Yes, this is the pharmacy") proves nothing.
 */
export function yesWithRequest({ moves }: Heard, callee: Callee): Move | null {
  const looksUp = moves.some(
    ({ asks: [topic] }) =>
      topic !== undefined && ofPatient.has(topic.label) && topic.confidence >= leastLookingUp,
  );
  const isYes = (move: Move): boolean =>
    beginsWithYes(move.tokens) && move.tokens[1]?.kind !== 'question' && !isElsewhere(move, callee);
  return looksUp ? (moves.find(isYes) ?? null) : null;
}

/** "Number." alone may want any. */
const leastLookingUp = 0.8;

/** Certainly a place, and none that fits the task. */
export function isElsewhere(move: Move, callee: Callee): boolean {
  const [place] = placesIn(move);
  return (place?.confidence ?? 0) >= leastElsewhere && fits(move, callee) < leastPublic;
}

const leastElsewhere = 0.9;

/** What only a desk that looks up a patient asks for; a curious person asks for the name. */
const ofPatient: ReadonlySet<string> = new Set(['date-of-birth', 'member-id', 'claim-number']);

/**
 * "Yes, this is his brother.", "Yes, this is Grandma.": a relative is never the right party. "Yes, the Quintanas."
 * sounds like a family; if it is a place, it says yes again. Payers are exempt, because members call a union's fund
 * "the Carpenters".
 */
export function isAtHome({ moves }: Heard, callee: Callee, { asked }: Pick<Asked, 'asked'>): boolean {
  const mayBeFamily = asked === 0 && (callee === 'clinic' || callee === 'office');
  return moves.some(({ tokens }) => isRelation(tokens) || (mayBeFamily && namesFamily(tokens)));
}

/** "This is his brother", "that's Kim's mom": after one of these verbs. */
export function isRelation(tokens: readonly Token[], verbs = beingWords): boolean {
  const words = tokens.flatMap(({ norm }) => norm.split(' '));
  return words.some((word, at) => {
    const [verb = '', whose = ''] = [words[at - 2], words[at - 1]];
    const isOwned = kin.has(word) && (possessives.has(whose) || whose.endsWith("'s")) && verbs.has(verb);
    return isOwned || (kinNames.has(word) && verbs.has(whose));
  });
}

const kin = wordSet(cues.kin);
const kinNames = wordSet(cues.kin_names);
const possessives = wordSet('his her their');

/** A plural of no usual word that ends the clause: "the Quintanas", but not "the Quintana center". */
function namesFamily(tokens: readonly Token[]): boolean {
  return tokens.some(({ norm }, at) => {
    const isLast = tokens[at + 1]?.kind !== 'word' || tokens[at + 1]?.norm === 'here';
    return tokens[at - 1]?.norm === 'the' && isLast && norm.endsWith('s') && !isUsual(norm);
  });
}

const isUsual = (plural: string): boolean => isOrdinary(plural) || isOrdinary(plural.slice(0, -1));

/** A name that is not the speaker's own. */
function namesAnother({ entities }: Move, person: string | null): boolean {
  const name = entities.find(({ type }) => type === 'name');
  return person !== null && name?.type === 'name' && !isSameName(name.value, person);
}

function asksWhoWeAre({ asks: [topic] }: Move): boolean {
  return topic?.label.startsWith('caller-') === true && topic.confidence >= 0.5;
}

/** A question of theirs proves nothing. */
export function asksOfUs({ isQuestion, asks: [topic] }: Move): boolean {
  return isQuestion || (topic?.confidence ?? 0) >= 0.5;
}
