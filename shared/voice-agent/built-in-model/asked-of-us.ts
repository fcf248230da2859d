import { contentWords, plainWords } from '../call-plan/words.ts';
import { hasQuestionMark, tokenize, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { featuresOf, wordsOf } from '../understanding/features.ts';
import { type Guess, guess } from '../understanding/linear-model.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import { beginsWithNo } from '../understanding/yes-and-no.ts';

/* What the person on the line requests from us, and the topic. */

const leastAsks = 0.45;
const leastTopic = 0.4;

const askingActs = ['asks-fact', 'asks-open', 'asks-spell', 'asks-machine'] as const;

/** The moves that request something from us. */
export function questionsIn(heard: Heard): Move[] {
  return heard.moves.filter((move) => {
    if (runsOn(move, heard) || tellsPlainly(move)) return false;
    const asks = sumOfAsking(move);
    if (asks >= leastAsks) return !offers(move) && !tellsNumber(move, asks);
    if (inviting.has(move.act) && offers(move)) return false;
    // "Just the ID, go ahead": the act is unclear, the requested fact is not.
    const topic = move.asks[0]?.confidence ?? 0;
    if (hasMark(move)) return topic >= leastTopic;
    if (wantsByForm(move)) return true;
    const tells = (move.act === 'states' && move.confidence >= 0.5) || move.entities.some(isFigure);
    return topic >= 0.6 && asks >= 0.1 && move.confidence < 0.7 && !tells;
  });
}

/** "Many people get some of it back": without a mark, and nothing in its words requests anything. */
function tellsPlainly(move: Move): boolean {
  return !hasMark(move) && move.requests < leastRequesting;
}

const leastRequesting = 0.05;

/** "The member number, if you would be so kind": resembles a statement, but clearly requests a known topic. */
function wantsByForm({ requests, asks: [topic], entities }: Move): boolean {
  const isClear = topic !== undefined && topic.confidence >= surely && identifying.has(topic.label);
  return isClear && requests >= surely && entities.length === 0;
}

/** "First you tell me who sent her": without the word "name", what goes on at once asks for no first name. */
function runsOn({ tokens, asks: [topic], end }: Move, { moves }: Heard): boolean {
  const namesName = tokens.some(
    ({ kind, norm }) => (kind !== 'word' && kind !== 'comma') || bareWord(norm) === 'name',
  );
  return isName(topic?.label ?? '') && !namesName && moves.some(({ start }) => start > end);
}

const inviting: ReadonlySet<string> = new Set(['invites-more', 'asks-preference']);

/** A request by its form, not by its question mark alone. */
export function asksByAct(move: Move): boolean {
  return sumOfAsking(move) >= leastAsks;
}

/** A request by its form or its mark, not by a topic that it names. */
export function asksOutright(move: Move): boolean {
  return hasMark(move) || asksByAct(move);
}

/** Probably not a statement: half of the questions without a mark are not recognized. */
function mayAsk(move: Move): boolean {
  return askingByAct(move) + (move.acts.get('asks-preference') ?? 0) >= leastMaybe && !offers(move);
}

/** "She's been on aspirin or anything" passes for a statement. */
function mayAskByForm(move: Move): boolean {
  return move.requests >= leastMaybeByForm && (move.act === 'states' || !offers(move));
}

/** Without a value, and nothing that people usually do. */
function isObscure({ confidence, entities }: Move): boolean {
  return confidence < leastUnderstood && entities.length === 0;
}

const leastUnderstood = 0.5;
const leastMaybe = 0.3;
const leastMaybeByForm = 0.2;

/** A request by its question mark, or by its most certain label. */
export function asksSurely(move: Move): boolean {
  return hasMark(move) || sumOfAsking(move) >= surely;
}

const surely = 0.8;

/** Without a mark the form must agree: "the doctor's notes" is a request or an answer, "no letter" hardly one. */
function sumOfAsking(move: Move): number {
  if (!hasMark(move) && beginsWithNo(move.tokens) && move.requests < leastBesideNo) return 0;
  const byAct = askingByAct(move);
  return hasMark(move) ? byAct : Math.min(byAct, (byAct + move.requests) / 2);
}

const leastBesideNo = 0.2;

function askingByAct({ acts }: Move): number {
  return askingActs.reduce((sum, act) => sum + (acts.get(act) ?? 0), 0);
}

/**
 * An unanswered prompt that is repeated requests something, in any form: "it won't let me go on without a
 * phone".
 */
export function repeatedAsk(
  { moves }: Heard,
  before: readonly string[],
  isKnown: (topic: string) => boolean,
): Move[] {
  const [best] = moves
    .filter(({ text }) => before.includes(text.toLowerCase()))
    .map((move) => ({ ...move, asks: namedIn(move) }))
    .filter(({ asks: [first] }) => isKnown(first?.label ?? ''))
    .toSorted((a, b) => (b.asks[0]?.confidence ?? 0) - (a.asks[0]?.confidence ?? 0));
  return best !== undefined && (best.asks[0]?.confidence ?? 0) >= leastRepeated ? [best] : [];
}

const leastRepeated = 0.3;

/**
 * "She on any thinners, or insulin", a second time: a possible request that we did not understand needs an answer. A
 * person who invites our next question waits for none.
 */
export function askedAgain({ moves, said }: Heard, earlier: readonly string[]): Move | undefined {
  const last = moves.at(-1);
  // "Aspirin, or anything" does not invite, "anything else" does.
  const invites = last !== undefined && inviting.has(last.act) && offers(last) && last.text.includes(' ');
  if (invites) return undefined;
  const isVerbatim = shareOf(contentWords(said), new Set(contentWords(earlier.at(-1) ?? ''))) >= mostlySame;
  const back = earlier.slice(-mostBack);
  const before = back.map((prompt) => new Set(contentWords(prompt)));
  return moves.find((move) => {
    const words = contentWords(move.text);
    const isRepeated =
      back.some((prompt) => prompt.includes(move.text)) ||
      before.some(
        (prompt) =>
          words.filter((word) => prompt.has(word)).length >= Math.max(fewestRepeated, words.length / 2),
      );
    // Not "Hello?", said twice.
    const isWordForWord = move.act === 'states' && back.some((prompt) => prompt.includes(move.text));
    const isMarked = hasMark(move) && (isWordForWord || !offers(move));
    return (
      isRepeated && (isMarked || mayAsk(move) || (isVerbatim && (mayAskByForm(move) || isObscure(move))))
    );
  });
}

/** The share of words that are among the others, 0 to 1. */
export function shareOf(words: readonly string[], others: ReadonlySet<string>): number {
  return words.filter((word) => others.has(word)).length / Math.max(1, words.length);
}

/** Words repeated with this share are the same words. */
export const mostlySame = 0.75;

/** Earlier prompts. */
const mostBack = 4;
const fewestRepeated = 2;

/** "Those go elsewhere first" does not name a first name. */
export function isName(topic: string): boolean {
  return topic.endsWith('-name') || topic === 'subscriber';
}

/** Whether the move is at least this likely about an item of any call. */
export function isOfItem({ claims: [best] }: Move, least: number): boolean {
  return best !== undefined && best.label !== 'none' && best.label !== 'bare' && best.confidence >= least;
}

export const identifying: ReadonlySet<string> = new Set(cues.identifying.split(' '));

/** "And the number is TB7119": a person who gives a number rarely requests one. */
function tellsNumber(move: Move, asks: number): boolean {
  const isGiven = move.entities.some(({ type }) => type === 'identifier' || type === 'phone');
  return isGiven && !hasMark(move) && asks < leastBesideNumber;
}

const leastBesideNumber = 0.8;

/** "And it's twelve dollars for the first one": a person who states an amount requests nothing. */
function isFigure({ type }: Move['entities'][number]): boolean {
  return type === 'money' || type === 'percent' || type === 'quantity';
}

function hasMark({ tokens }: Move): boolean {
  return hasQuestionMark(tokens);
}

/** "Anything else?", "does ten work?" are requests, but not for a fact. */
function offers({ act, confidence }: Move): boolean {
  return confidence >= 0.5 && !askingActs.some((asking) => asking === act);
}

/** Whether something about the patient is requested. */
export function asksForFacts(heard: Heard): boolean {
  return questionsIn(heard).some((move) => topicsOf(move).some((topic) => !isAboutCaller(topic)));
}

export function isAboutCaller(topic: string): boolean {
  return topic.startsWith('caller-') || topic === 'callback-number' || topic === 'tax-id';
}

/** The topics of a question; both, in order, for "NPI or name?". */
export function topicsOf(move: Move): string[] {
  if ((move.acts.get('asks-machine') ?? 0) >= 0.5) return ['caller-is-machine'];
  const parts = partsOf(move).flatMap((part) => {
    const topic = best(guess(modelOf('asks'), featuresOf(tokenize(part))));
    const words = plainWords(part);
    return topic === null || topic === 'other' || !hasWordFor(topic, words) ? [] : [{ topic, words }];
  });
  const alternatives = parts.map(({ topic, words }) => {
    const other = parts.find((part) => part.topic !== topic)?.topic ?? '';
    return isBareName(words) ? (nameBeside(other) ?? topic) : topic;
  });
  const named = best(namedIn(move));
  const whole = best(move.asks) ?? 'other';
  if (alternatives.length < 2) {
    if (named !== null || whole === 'other') return [named ?? whole];
    return hasMark(move) ? ['other'] : [];
  }
  // "New or old?" asks one thing, and no date of birth.
  if (!identifying.has(whole) && (move.asks[0]?.confidence ?? 0) >= leastWhole) return [whole];
  // "Who's the provider, NPI or name?": a part may omit the owner of the name.
  const isSure = (move.asks[0]?.confidence ?? 0) >= leastWhole;
  const [subject = ''] = whole.split('-');
  const fitting = alternatives.filter((topic) => topic.startsWith(subject));
  const wanted = new Set(isSure && !alternatives.includes(whole) ? [whole, ...fitting] : alternatives);
  // "The patient's first and last name": the name has both.
  return [...wanted].filter((topic) => !(wanted.has('patient-name') && partsOfName.includes(topic)));
}

export const partsOfName: readonly string[] = ['first-name', 'last-name'];

/** "Name and company", "NPI or just the name": the other part says whose name it is. */
function nameBeside(other: string): string | null {
  if (isAboutCaller(other)) return 'caller-name';
  return other.startsWith('provider-') ? 'provider-name' : null;
}

/** "And the name?" */
export function asksForBareName({ text }: Move): boolean {
  return isBareName(plainWords(text));
}

/** "Other benefit?", "next item" */
export function asksForMore({ text }: Move): boolean {
  const words = plainWords(text);
  return words.length <= mostForMore && words.some((word) => moreWords.has(word));
}
const mostForMore = 4;
const moreWords = wordSet(cues.more);

function isBareName(words: readonly string[]): boolean {
  return words.includes('name') && !words.some((word) => owners.has(bareWord(word)));
}

/** "provider's" */
export function bareWord(norm: string): string {
  return norm.split("'")[0]?.split(' ')[0] ?? '';
}

/**
 * What a move may request, without topics that need words it does not contain. "First of all" does not request a name,
 * however similar it sounds, and "an ID to look under" not an NPI, but the ID that a payer searches by.
 */
export function namedIn({ asks, tokens }: Pick<Move, 'asks' | 'tokens'>): Guess[] {
  const words = wordsOf(tokens).map(bareWord);
  const isPart = (topic: string): boolean => words.length === 1 && partsOfName.includes(topic);
  const named = asks.filter(({ label }) => isPart(label) || hasWordFor(label, words));
  const lost = asks.reduce((sum, guess) => sum + (named.includes(guess) ? 0 : guess.confidence), 0);
  // The share of an excluded topic goes to the others.
  return named.map(({ label, confidence }) => ({ label, confidence: confidence / Math.max(0.1, 1 - lost) }));
}

/** Of "which+people" it needs both. */
export function hasWordFor(topic: string, words: readonly string[]): boolean {
  const needed = cues.asked_words[topic as keyof typeof cues.asked_words]?.split(' ');
  return needed === undefined || needed.some((one) => one.split('+').every((word) => words.includes(word)));
}

const owners = wordSet(cues.owners);
const leastWhole = 0.9;
function best(guesses: readonly Guess[]): string | null {
  const [first] = guesses;
  return first === undefined || first.confidence < leastTopic || first.label === 'none' ? null : first.label;
}

/** "The claim number or the date of service"; "the claim or bill number" shares its noun. */
function partsOf({ text }: Move): string[] {
  const separator = [' or ', ' and '].find((one) => text.toLowerCase().includes(one));
  const [first = '', ...others] = separator === undefined ? [] : text.split(separator);
  const [kind = '', noun = ''] = plainWords(others[0] ?? '');
  const isShared = nouns.has(noun) && !plainWords(first).some((word) => nouns.has(word));
  if (isShared) return [`${first} ${noun}`, `${kind} ${noun}`];
  return others.length === 0 ? [] : [first, ...others];
}

const nouns = wordSet('number id name date code');
