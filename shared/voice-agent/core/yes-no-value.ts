import type { PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords, wordsAskedFor } from '../call-plan/words.ts';
import { findEntities } from '../entities/find-entities.ts';
import { plain, type Token, tokenize, wordSet } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { relevanceOf } from '../understanding/answer-relevance.ts';
import { negations } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import {
  hasPlainSign,
  isAkin,
  namingWords,
  polarityFeatures,
  signOf,
} from '../understanding/polarity-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import { clusterOf } from '../understanding/word-clusters.ts';
import {
  affirmsInShort,
  auxiliaries,
  beginsWithNo,
  beginsWithYes,
  deniesTrouble,
  noWords,
  plainWordsIn,
  subjects,
  yesWords,
} from '../understanding/yes-and-no.ts';
import type { ClauseValue } from './told-value.ts';

/* What one clause says to a yes-or-no question. */

/** A bare yes or no answers the question only if nothing else was said in between. */
export function isBareWord({ act, tokens }: Move): boolean {
  return (act === 'yes' || act === 'no') && tokens.filter(({ kind }) => kind === 'word').length <= 4;
}

export type Base = Pick<ClauseValue, 'key' | 'quote' | 'turn' | 'isConditional'>;

export function ofLabel(base: Base, label: string, confidence: number): ClauseValue {
  switch (label) {
    case 'yes':
      return { ...base, value: true, answer: 'Yes', confidence };
    case 'no':
      return { ...base, value: false, answer: 'No', confidence };
    default:
      return { ...base, value: null, answer: base.quote, confidence, isConditional: true };
  }
}

/** "Prior auth, N": a field of their screen, read aloud. */
export function letterIn(tokens: readonly Token[]): 'yes' | 'no' | null {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  return words.length < 2 ? null : (letters.get(words.at(-1) ?? '') ?? null);
}

const letters: ReadonlyMap<string, 'yes' | 'no'> = new Map([
  ['y', 'yes'],
  ['n', 'no'],
]);

/**
 * Two readings of a clause, by its topic and as an answer to the question: when they contradict each other,
 * neither holds.
 */
export function agreed(item: PlanItem, move: Move, byTopic: ClauseValue): ClauseValue {
  const word = letterIn(move.tokens) ?? plainWordOf(item, move);
  if (word !== null) return ofLabel(byTopic, word, 0.9);
  const [best] = guess(modelOf('polarity'), polarityFeatures(item.question, move.tokens));
  const other = best?.label === 'yes' ? true : best?.label === 'no' ? false : null;
  // "Covered, not for massage by itself": a condition contradicts a plain yes or no, too.
  const isOther = best?.label === 'depends' || (other !== null && other !== byTopic.value);
  return isOther && byTopic.value !== null && (best?.confidence ?? 0) >= leastContradicting
    ? { ...byTopic, confidence: Math.min(byTopic.confidence, doubtful) }
    : byTopic;
}

const leastContradicting = 0.6;

/**
 * "Covered, only the massage is not covered", "it hasn't lapsed": the form disagrees with itself or with the
 * reading.
 */
export function unlessFormContradicts(
  { question }: PlanItem,
  { tokens }: Move,
  said: ClauseValue,
): ClauseValue {
  const sign = signOf(question, tokens);
  const agrees = sign === null || said.value === null || sign === (said.value === true ? 'yes' : 'no');
  return agrees ? said : { ...said, confidence: Math.min(said.confidence, unsure) };
}

/**
 * "Referral, no.", "adjusting, no charge": a few words that begin or end with a plain yes or no, or deny a word of the
 * question, mean just that; "it's no trouble" does not.
 */
function plainWordOf(item: PlanItem, move: Move): 'yes' | 'no' | null {
  const { question } = item;
  const { tokens } = move;
  const word = deniesOther(item, move) ? null : wordAtEnds(question, tokens);
  // "No charge" is a yes to "at no charge", and no plain no to "free of charge".
  if (word === 'no' && takesUpNo(question, tokens)) return 'yes';
  const form = word === 'no' ? signOf(question, tokens) : null;
  return form === 'yes' ? null : word;
}

/** The question has the same word after a "no". */
function takesUpNo(question: string, tokens: readonly Token[]): boolean {
  const asked = plainWords(question);
  const said = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  return said.some((word, at) => word === 'no' && asked[asked.indexOf(said[at + 1] ?? '') - 1] === 'no');
}

function wordAtEnds(question: string, tokens: readonly Token[]): 'yes' | 'no' | null {
  const said = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  const ends = [said[0] ?? '', said.at(-1) ?? ''];
  const asked = namingWords(plain(tokenize(question)).split(' '));
  const denied = said[said.indexOf('no') + 1] ?? '';
  const deniesAsked = said.includes('no') && asked.some((word) => word.length > 2 && isAkin(word, denied));
  // "No appointment" is a yes to "without an appointment".
  if (said.length > 4 || deniesTrouble(tokens) || (deniesAsked && asked.includes('without'))) return null;
  const isNo = deniesAsked || ends.some((word) => noWords.has(word));
  const isYes = ends.some((word) => yesWords.has(word));
  return isNo === isYes ? null : isNo ? 'no' : 'yes';
}

/**
 * "Walk-ins, we stopped those": words of the question alone say nothing of it; what follows does. A contrast needs what
 * stands before it.
 */
export function withWhatFollows({ question }: PlanItem, move: Move, { said, moves }: Heard): Move {
  const words = contentWords(move.text);
  const asked = contentWords(question);
  const isMention =
    words.length > 0 &&
    words.every((word) => asked.some((one) => isAkin(one, word))) &&
    !move.tokens.some(({ norm }) => yesWords.has(norm) || noWords.has(norm));
  const at = moves.indexOf(move);
  const [before, next] = [moves[at - 1], moves[at + 1]];
  if (isContrast(move) && before?.tokens.at(-1)?.kind === 'comma') return joined(before, move, said);
  return isMention && next !== undefined && !next.isQuestion ? joined(move, next, said) : move;
}

function joined(first: Move, second: Move, said: string): Move {
  const tokens = [...first.tokens, ...second.tokens];
  return { ...first, text: said.slice(first.start, second.end), end: second.end, tokens };
}

/** "(We don't issue them,) the state does": says who does instead, and means nothing without what it contrasts. */
function isContrast({ tokens }: Move): boolean {
  const said = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  const isShort = said.length > 1 && said.length <= mostOfContrast;
  return isShort && auxiliaries.has(said.at(-1) ?? '') && !subjects.has(said[0] ?? '');
}

const mostOfContrast = 4;

/** "Scrolling.", "Scrolling down.": what they are doing meanwhile. "Missing" answers whether anything is missing. */
function isBusy({ question }: PlanItem, { tokens, entities }: Move): boolean {
  const said = tokens.filter(({ kind }) => kind === 'word').map(({ norm }) => norm);
  const [first = ''] = said;
  const asked = plainWords(question);
  const isTime = entities.length > 0;
  return (
    !isTime &&
    said.length <= mostOfBusy &&
    participle.test(first) &&
    !asked.some((word) => isAkin(word, first))
  );
}

const mostOfBusy = 2;
const participle = /^(?!(?:no|any|some|every)thing$)\w{3,}ing$/;

/** "Not even the active or not active": names both cases and confirms neither. */
export function namesBothCases({ text }: Move): boolean {
  const said = plainWords(text);
  return said.some(
    (word, at) => word === 'or' && said[at + 1] === 'not' && said.indexOf(said[at + 2] ?? '') < at,
  );
}

/** Yes or no to the question of the item, by the plain word or by what the clause means beside the question. */
export function polarityOf(item: PlanItem, move: Move, base: Base, today: string): ClauseValue | null {
  const word = plainWordOf(item, move);
  if (word !== null) return ofLabel(base, word, 0.9);
  if (onlyNames(item, move, today) || isExemption(item, move) || isBusy(item, move)) return null;
  const yes = move.acts.get('yes') ?? 0;
  const no = move.acts.get('no') ?? 0;
  const sign = signOf(item.question, move.tokens);
  // What the model learned of "no appointment" is turned around.
  if (sign !== null && sign !== 'both' && plain(tokenize(item.question)).includes(' without '))
    return ofLabel(base, sign, leastSaid);
  const isBare = isBareWord(move) && !deniesTrouble(move.tokens) && sign === null && !deniesOther(item, move);
  if (Math.max(yes, no) >= 0.6 && isBare) return ofLabel(base, yes > no ? 'yes' : 'no', Math.max(yes, no));
  const [best] = guess(modelOf('polarity'), polarityFeatures(item.question, move.tokens));
  if (best === undefined || best.label === 'none' || best.label === 'unknown') {
    if (beginsWithNo(move.tokens)) return ofLabel(base, 'no', leastPlain);
    return beginsWithYes(move.tokens) ? ofLabel(base, 'yes', leastPlain) : null;
  }
  const most = isDisputed(item, move, best.label) ? doubtful : mostCertain(item, move);
  const saysSo =
    best.label === 'no' ? beginsWithNo(move.tokens) && !deniesMore(move) : beginsWithYes(move.tokens);
  // What neither a plain word nor the form says is read back.
  const isPlain = saysSo || sign === best.label || best.label === 'depends';
  const cap = isPlain ? most : Math.min(most, inOtherWords);
  return ofLabel(base, best.label, Math.min(Math.max(best.confidence, saysSo ? leastSaid : 0), cap));
}

/** The yes or no of a reply that limits it: "yes, with a letter", "we do, only on Fridays". Null if unclear. */
export function leaningOf(moves: readonly Move[]): 'yes' | 'no' | null {
  const words = new Set(moves.flatMap(({ tokens }) => [...plainWordsIn(tokens)]));
  if (words.has('no'))
    return words.size === 1 && moves.some(({ tokens }) => beginsWithNo(tokens)) ? 'no' : null;
  return words.has('yes') || moves.some(({ tokens }) => affirmsInShort(tokens)) ? 'yes' : null;
}

/** "No guests" may still contradict a yes. */
function mostCertain(item: PlanItem, move: Move): number {
  if (!isReply(item, move)) return unsure;
  if (!deniesOther(item, move)) return 1;
  return beginsWithNo(move.tokens) ? contradicting : unsure;
}

const contradicting = 0.75;
const inOtherWords = 0.75;

/** "And there's no fee", asked whether there is a notary, "No record, friend": what is denied is not what was asked. */
function deniesOther({ question }: PlanItem, { tokens }: Move): boolean {
  const at = tokens.findIndex(({ norm }) => norm === 'no');
  const next = tokens[at + 1];
  if (at < 0 || next?.kind !== 'word') return false;
  const denied = next.norm;
  if (contentWords(denied).length === 0 || vocatives.has(denied)) return false;
  const asked = namingWords(plain(tokenize(question)).split(' '));
  const cluster = clusterOf(denied);
  const isSame = (word: string): boolean =>
    isAkin(word, denied) ||
    (cluster !== null && clusterOf(word) === cluster) ||
    [word, denied].every((one) => priceWords.has(one));
  return !asked.some(isSame);
}

/** "No, sir" may lack its comma. */
const vocatives = wordSet(`${words.vocatives} way chance idea longer more`);
const priceWords = wordSet(`${words.prices} free`);

/** "That'd be Paula" tells who, and neither yes nor no, unless the question named her. */
function onlyNames({ question }: PlanItem, { tokens }: Move, today: string): boolean {
  const asked = new Set(contentWords(question));
  const [name] = findEntities(tokens, { today, expecting: ['name'] }).filter(({ type }) => type === 'name');
  if (name === undefined || contentWords(name.text).some((word) => asked.has(word))) return false;
  const others = tokens.filter(
    ({ kind, start, end }) => kind === 'word' && (end <= name.start || start >= name.end),
  );
  return others.length > 1 && contentWords(plain(others)).length === 0;
}

/** "She doesn't have to come herself", asked whether somebody else may: what is not required is not forbidden. */
function isExemption({ question }: PlanItem, { tokens }: Move): boolean {
  const [first = ''] = plain(tokenize(question)).split(' ');
  const said = plain(tokens).split(' ');
  const at = said.findIndex(
    (word, index) => word === 'need' || (word === 'have' && said[index + 1] === 'to'),
  );
  const isExempt = said.slice(0, Math.max(0, at)).some((word) => negations.has(word));
  return permittingWords.has(first) && isExempt && !beginsWithNo(tokens) && !noWords.has(said.at(-1) ?? '');
}

const permittingWords = new Set(['may', 'can', 'could']);

/** "No, nobody here can tell you": what else is denied may be the answer itself. */
function deniesMore({ tokens }: Move): boolean {
  return tokens.slice(1).some(({ norm }) => norm.split(' ').some((word) => negations.has(word)));
}

/** The word and the model agree. */
const leastSaid = 0.85;

/** "No, it is by appointment": the first word counts though the rest tells nothing. */
const leastPlain = 0.75;

const danglingWords = new Set(words.dangling.split(' '));
const unsure = 0.5;
const leastRelevant = 0.3;

/**
 * Takes up the question, or replies by its form: "they do", "of course not". What is said of something else
 * does neither.
 */
function isReply({ question }: PlanItem, { tokens }: Move): boolean {
  const said = plain(tokens).split(' ');
  const isWord = [said[0] ?? '', said.at(-1) ?? ''].some((word) => noWords.has(word) || yesWords.has(word));
  // "Walk-ins for blood draws that": the piece that says something comes after it.
  if (danglingWords.has(said.at(-1) ?? '')) return false;
  return isWord || hasPlainSign(question, tokens) || relevanceOf(question, tokens) >= leastRelevant;
}

/** "Not terminated, no": what the clause says about the topic speaks against the sign that it bears. */
function isDisputed({ key }: PlanItem, { claims }: Move, label: string): boolean {
  const own = claims.find((claim) => claim.label.startsWith(`${key}=`));
  const opposite = label === 'yes' ? 'no' : 'yes';
  return own?.label === `${key}=${opposite}` && own.confidence >= leastDisputing;
}

const leastDisputing = 0.3;

/** Below what is taken for an answer, above what is not heard at all. */
const doubtful = 0.35;

/** "That doesn't exist in this program", asked for a share: how surely there is none of what was asked for, 0 to 1. */
export function denialOf(item: PlanItem, { tokens, acts }: Move): number {
  const asked = wordsAskedFor(item.question);
  const names = [...asked, ...wordsAskedFor(item.rephrase)];
  // "I don't show a coinsurance for therapy": whoever looks at the file and sees none knows.
  const seesNone = tokens.some(
    ({ norm }, at) => indefinite.has(norm) && names.some((word) => isAkin(word, tokens[at + 1]?.norm ?? '')),
  );
  const isUnknown =
    !seesNone && (acts.get('does-not-know') ?? 0) + (acts.get('withholds') ?? 0) >= leastUnknown;
  const question = `Is there any ${asked.join(' ')}?`;
  const [best] = guess(modelOf('polarity'), polarityFeatures(question, tokens));
  if (isUnknown || best?.label !== 'no') return 0;
  return seesNone ? Math.max(best.confidence, leastSeen) : best.confidence;
}

const leastUnknown = 0.4;
const leastSeen = 0.9;
const indefinite: ReadonlySet<string> = new Set(['a', 'an', 'any', 'no']);
