import type { Called, Callee } from '../call-plan/call-plan.ts';
import { isOrdinary } from '../entities/names.ts';
import { hasQuestionMark, isCapitalized, type Token, tokenize, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { type Heard, type Move, placesIn } from '../understanding/understand.ts';
import { auxiliaries, subjects, yesWords } from '../understanding/yes-and-no.ts';
import { reachGuesses } from './reach-reply.ts';

/* Whether words name the place that was called: of a fitting kind, of another kind, or only a person. */

const fittingRoles: Record<Callee, readonly string[]> = {
  clinic: ['medical-practice', 'facility'],
  insurer: ['payer'],
  'claims-department': ['payer'],
  office: ['medical-practice', 'facility', 'pharmacy', 'payer', 'employer', 'government'],
};

/** Below these a place may be another one. */
const leastNamed = 0.7;
export const leastFitting = 0.75;
/** From this threshold on, a move that names a place only asks or talks about it. */
const leastAsking = 0.75;

/** The move that names a place that fits the task, if any. */
export function namedPlace(heard: Heard, called: Called): Move | null {
  const isPayer = called.callee === 'insurer' || called.callee === 'claims-department';
  return placesNamed(heard, called).find((move) => !isPayer || saysOneOf(move, healthPayerWords)) ?? null;
}

/** The moves that may name such a place: "Claims, Hank" may insure cars, and "Cove Clinic" be no Cove Family Clinic. */
export function placesNamed({ moves }: Heard, called: Called): Move[] {
  const { callee } = called;
  return moves.filter(
    (move) =>
      (isDesk(move, callee) || (introducesPlace(move, callee) && hasWholeName(move, called))) &&
      fits(move, callee) >= leastFitting,
  );
}

/** Whether a move contains the whole name of the called place, as far as it is known. */
function hasWholeName({ tokens }: Move, { place }: Pick<Called, 'place'>): boolean {
  const said = new Set(nameWords(tokens));
  return place === null || nameWords(tokenize(place)).every((word) => said.has(word));
}

/**
 * Whether a move says the first word of the place's or payer's name that is neither its kind nor an everyday word, or
 * two everyday words of the payer's.
 */
export function hasOwnName({ tokens }: Move, { place, payer = null }: Called): boolean {
  const said = nameWords(tokens);
  const [own] = ownWords(place);
  const [first, second] = ownWords(payer);
  const isPayer =
    first !== undefined &&
    said.includes(first) &&
    (!isOrdinary(first) || (second !== undefined && said.includes(second)));
  return isPayer || (own !== undefined && said.includes(own));
}

/** Whether a move says all such words of the payer's name, more than one: "Stone and Heron" is no quarry. */
export function hasAllOfName({ tokens }: Move, { payer = null }: Called): boolean {
  const said = new Set(nameWords(tokens));
  const own = ownWords(payer);
  return own.length > 1 && own.every((word) => said.has(word));
}

/** "Cove Bend, like": whether a move says little beside the own name of the place, its kind, and "this is". */
export function isOnlyName({ tokens }: Move, { place, payer = null }: Called): boolean {
  const names = wordSet(nameWords(tokenize(`${place ?? ''} ${payer ?? ''}`)).join(' '));
  const isBeside = (word: string): boolean =>
    !names.has(word) && !nameFrame.has(word) && !clinicWords.has(word) && !payerWords.has(word);
  return nameWords(tokens).filter(isBeside).length <= mostBesideName;
}

const mostBesideName = 1;

/**
 * A move without the called place's own words, and without its whole name if it is said: the kind of place that both
 * sound like, no name made them sound so. "House" is part of one.
 */
export function withoutOwnName(move: Move, { place }: Pick<Called, 'place'>): Move[] {
  const without = (name: ReadonlySet<string>): Move => ({
    ...move,
    tokens: move.tokens.filter(({ norm }) => !name.has(norm)),
  });
  const own = without(new Set(ownWords(place)));
  const isWhole = place !== null && hasWholeName(move, { place });
  return isWhole ? [own, without(new Set(nameWords(tokenize(place))))] : [own];
}

function ownWords(name: string | null): string[] {
  return nameWords(tokenize(name ?? '')).filter(
    (word) => !clinicWords.has(word) && !payerWords.has(word) && !sharedWords.has(word),
  );
}

export function nameWords(tokens: readonly Token[]): string[] {
  return tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
}

function introducesPlace(move: Move, callee: Callee): boolean {
  const introduces =
    (move.acts.get('introduces-place') ?? 0) + (move.acts.get('wrong-department') ?? 0) >= leastNamed;
  const isMeant = introduces && !asksAboutPlace(move) && !isOfAnother(move);
  return isMeant && !onlyNamesPerson(move) && namesKind(move, callee);
}

/** "This is not the clinic.", "You probably want the hospital." */
function isOfAnother({ tokens }: Move): boolean {
  const words = nameWords(tokens).flatMap((word) => word.split(' '));
  const you = words.indexOf('you');
  const isWanted = you >= 0 && words.slice(you + 1, you + 3).some((word) => seeking.has(word));
  return isWanted || words.some((word, at) => word === 'not' && beingWords.has(words[at - 1] ?? ''));
}

const seeking: ReadonlySet<string> = new Set(['want', 'wanted', 'need', 'looking']);
export const beingWords: ReadonlySet<string> = new Set(['is', 'am', 'are']);

/** "Lone Pine, Hank" is the name of anything: a word must tell the kind of place. An office may be of any kind. */
function namesKind(move: Move, callee: Callee): boolean {
  return callee === 'office' || saysOneOf(move, callee === 'clinic' ? clinicWords : payerWords);
}

function saysOneOf({ tokens }: Move, words: ReadonlySet<string>): boolean {
  return tokens.some(({ norm }) => norm.split(' ').some((word) => words.has(word)));
}

/**
 * "Endocrine, Carl.", "Hello, provider claims, Bob": the kind of place and a name introduce a desk. "Vision Auto Glass,
 * Al" has more before its comma, and may be anything.
 */
function isDesk(move: Move, callee: Callee): boolean {
  const kinds = callee === 'clinic' ? clinicWords : payerWords;
  const comma = move.tokens.findLastIndex(({ kind }) => kind === 'comma');
  const words = wordsBesideNames(move);
  const before = words.filter((token) => move.tokens.indexOf(token) < comma);
  const place = before.filter(({ norm }) => !nameFrame.has(norm));
  const rest = words.slice(before.length);
  return (
    !hasQuestionMark(move.tokens) &&
    place.length > 0 &&
    place.every(({ norm }) => kinds.has(norm)) &&
    rest.length <= mostBesideDesk &&
    rest.every(({ norm, text }) => nameFrame.has(norm) || isCapitalized(text))
  );
}

/** "This is Bob Lind" */
const mostBesideDesk = 4;

const clinicWords = wordSet(cues.clinic_words);
const payerWords = wordSet(cues.payer_words);
/** Words of many names: a yes beside one of them proves no place. */
const sharedWords = wordSet(cues.shared_name_words);
const healthPayerWords = wordSet(cues.health_payer_words);

/** How certain it is that the named place is of a kind the task is for. */
export function fits(move: Move, callee: Callee): number {
  return placesIn(move)
    .filter(({ label }) => fittingRoles[callee].includes(label))
    .reduce((sum, { confidence }) => sum + confidence, 0);
}

/** "Yes, this is Gloria." A name is not a place, however it is introduced. */
export function onlyNamesPerson(move: Move): boolean {
  const isNamed = move.entities.some(({ type }) => type === 'name');
  return (
    isNamed &&
    wordsBesideNames(move).every(({ norm }) => norm.split(' ').every((word) => nameFrame.has(word)))
  );
}

/** The capitalized words beside a person's name, in lower case: "Cove Bend, this is Gus." */
export function namesGiven({ moves }: Heard): string[] {
  return moves
    .filter((move) => !hasQuestionMark(move.tokens))
    .flatMap(wordsBesideNames)
    .filter(({ text, norm }) => isCapitalized(text) && !nameFrame.has(norm) && !sharedWords.has(norm))
    .map(({ norm }) => norm);
}

function wordsBesideNames({ tokens, entities }: Move): Token[] {
  const names = entities.filter(({ type }) => type === 'name');
  return tokens.filter(
    ({ kind, start, end }) =>
      kind === 'word' && !names.some((name) => start >= name.start && end <= name.end),
  );
}

const nameFrame = new Set(
  (
    'yes yeah yep hello hi hey good morning afternoon evening and this that it is i am my name here speaking ' +
    'you got have reached are talking to with'
  ).split(' '),
);

/** "Is this the front desk?" names a place but does not prove that this is it. */
export function asksAboutPlace({ tokens, acts }: Move): boolean {
  const hasMark = hasQuestionMark(tokens);
  const isMerelyAsked = (reachGuesses(tokens).get('neither') ?? 0) >= leastAsking;
  return (isMerelyAsked && !statesAfterYes(tokens)) || (hasMark && (acts.get('introduces-place') ?? 0) < 0.8);
}

/** "Yes, is Pinwheel.": a verb without a subject asks nothing, as "Yes, is this …" does. */
function statesAfterYes(tokens: readonly Token[]): boolean {
  const words = nameWords(tokens);
  const said = words.slice(words.findIndex((word) => !yesWords.has(word)));
  const [verb = '', next = ''] = said;
  return said.length < words.length && auxiliaries.has(verb) && next !== '' && !subjects.has(next);
}

/** "Yes, this is Tony's Pizza." */
export function namesOtherPlace(move: Move): boolean {
  const foreign = placesIn(move)
    .filter(({ label }) => label === 'private-home' || label === 'other-business')
    .reduce((sum, { confidence }) => sum + confidence, 0);
  return (move.acts.get('introduces-place') ?? 0) >= leastNamed && foreign >= leastForeign;
}

const leastForeign = 0.7;

/** "No, no, it's a store": no private line, which is what an office is asked. "Wrong number, it's a store" is. */
export function namesBusiness({ tokens, moves }: Heard): boolean {
  return !nameWords(tokens).includes('wrong') && moves.some(isBusiness);
}

function isBusiness(move: Move): boolean {
  const words = nameWords(move.tokens).flatMap((word) => word.split(' '));
  const [place] = placesIn(move);
  const isPublic = place !== undefined && place.label !== 'private-home' && place.confidence >= leastBusiness;
  const isNamed = words.some(
    (word, at) => beingWords.has(word) || (word === 'you' && reaching.has(words[at + 1] ?? '')),
  );
  return isPublic && isNamed && !hasQuestionMark(move.tokens);
}

/** "You have indeed reached Cove Bend", "you got Cove Bend", "that's us"; not "you have to call", "you got to ask" */
export function saysReached({ tokens }: Move): boolean {
  const words = nameWords(tokens).flatMap((word) => word.split(' '));
  if (words.length <= mostOfThatIsUs && words.join(' ').endsWith('that is us')) return true;
  const at = words.findIndex((word) => arriving.has(word));
  const isOurs = at > 0 && words.slice(Math.max(0, at - mostBetween), at).includes('you');
  return isOurs && words[at + 1] !== 'to' && !words.includes('not') && !words.includes('wrong');
}

const arriving: ReadonlySet<string> = new Set(['reached', 'got', 'found']);
/** "You have indeed reached" */
const mostBetween = 3;

const leastBusiness = 0.75;
const reaching: ReadonlySet<string> = new Set(['have', 'got', 'reached']);

const mostOfThatIsUs = 7;

/** How certain it is that the named place is a private home. */
function privacyOf(move: Move): number {
  return placesIn(move).find(({ label }) => label === 'private-home')?.confidence ?? 0;
}

/** "This is Cerro Mesa": a name, and neither a home nor a business of another kind. */
export function mayBePlace(move: Move): boolean {
  return onlyNamesPerson(move) && privacyOf(move) < leastPublic && !namesOtherPlace(move);
}

/** An office is asked whether it is one at all, so a yes needs no kind of place, only no private home. */
export function fitOf(move: Move, callee: Callee): number {
  return callee === 'office' ? 1 - privacyOf(move) : fits(move, callee);
}

export const leastPublic = 0.5;
