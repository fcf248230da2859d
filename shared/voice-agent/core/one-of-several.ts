import type { CallPlan, ItemKind, PlanItem } from '../call-plan/call-plan.ts';
import { contentWords, plainWords } from '../call-plan/words.ts';
import { plain, tokenize } from '../entities/tokens.ts';
import words from '../language/en-US/cue-words.json' with { type: 'json' };
import { relevanceOf } from '../understanding/answer-relevance.ts';
import { negations } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { isAkin, polarityFeatures } from '../understanding/polarity-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import { beginsWithNo, beginsWithYes, noWords, plainWordsIn, yesWords } from '../understanding/yes-and-no.ts';
import { answerInWords, mayName } from './answer-in-words.ts';
import type { Evidence } from './clause-value.ts';
import { withLimits } from './limits.ts';
import { isClearlyMeant } from './meant-value.ts';
import { conclusionWords } from './standing-value.ts';
import { namesAndSays } from './topic-beside.ts';

/* Of several statements about one item in one prompt, the one that counts. */

/** Answers with this uncertainty are asked again. */
const unsure = 0.5;
/** Below the need of two agreeing replies: a contradiction agrees with nothing. */
const doubtful = 0.39;

/** One piece of evidence per item, uncertain if it is unclear which one counts. */
export function onePerItem(found: readonly Evidence[], { items }: CallPlan, heard: Heard): Evidence[] {
  const groups = Map.groupBy(found, ({ key }) => key);
  return [...groups].flatMap(([key, group]) => {
    const item = items.find((one) => one.key === key);
    if (item === undefined) return [];
    if (item.kind === 'text') return [answerInWords(item, group, heard)];
    const one = (choosers[item.kind] ?? oneValue)(item, group, heard);
    const others = found.filter((other) => other.key !== key).map(({ quote }) => quote);
    return [item.kind === 'yes-no' && one.isAsked ? withLimits(item, one, heard, others) : one];
  });
}

type Chooser = (item: PlanItem, group: readonly Evidence[], heard: Heard) => Evidence;
const choosers: Partial<Record<ItemKind, Chooser>> = {
  'yes-no': yesOrNo,
  'claim-status': oneStatus,
  'date-time': oneMoment,
};

/** What is also said of a paid or denied claim: that it was received, processed, closed. */
export function leavesOpen({ key, value }: Pick<Evidence, 'key' | 'value'>): boolean {
  return key === 'claim_status' && open.has(value);
}

const open: ReadonlySet<Evidence['value']> = new Set(['received', 'processed', 'closed']);

/** Of about equally certain statuses, the first one was requested. */
function oneStatus(item: PlanItem, group: readonly Evidence[]): Evidence {
  const definite = group.filter(({ value }) => value !== null);
  if (definite.length > 0 && definite.length < group.length) return oneStatus(item, definite);
  // "It was in review till last week. Now it reads approved": a past status no longer applies.
  const present = group.filter(({ quote }) => !says(quote, pastWords) || says(quote, conclusionWords));
  if (present.length > 0 && present.length < group.length) return oneStatus(item, present);
  // "Just received, nobody has worked it yet": a named status precedes an implied one.
  const isReceived = group.some((one) => one.value === 'received' && isNamed(one));
  const decided = group.filter(
    (one) => !leavesOpen(one) && !(isReceived && one.value === 'pending' && !isNamed(one)),
  );
  if (decided.length > 0 && decided.length < group.length) return oneStatus(item, decided);
  // "Partially paid, we paid $40 of it": the more exact one.
  const exact = group.filter(({ value }) => value !== 'paid');
  if (
    exact.length < group.length &&
    exact.every(({ value }) => value === 'partially paid') &&
    exact.length > 0
  )
    return oneStatus(item, exact);
  const { confidence: most } = surest(group);
  const best = group.find(({ confidence }) => confidence > most - 0.15) ?? surest(group);
  // "There's no such claim. The last one I see is a flu shot, that's paid": another claim's, unless ours was found.
  const missing = best.value === notOnFile ? undefined : group.find(({ value }) => value === notOnFile);
  const hasRival = group.some(({ value, confidence }) => value !== best.value && confidence > most - 0.2);
  const chosen = { ...best, confidence: best.confidence * (hasRival ? 0.58 : 1) };
  return (
    group.findLast(({ corrects }) => corrects) ??
    (missing === undefined ? chosen : lowered(missing, doubtful))
  );
}

const notOnFile = 'not on file';

function isNamed({ quote, value }: Evidence): boolean {
  return contentWords(quote).some((word) => isAkin(word, String(value)));
}

/** A yes beside a no is neither, unless one withdraws the other, or the reply as a whole sounds contrary. */
function yesOrNo(item: PlanItem, group: readonly Evidence[], heard: Heard): Evidence {
  const { key, question } = item;
  const corrected = group.filter(({ corrects, value }) => corrects && value !== null);
  const standing = corrected.length > 0 ? corrected : group;
  const best = surest(standing);
  if (best.value === null) return best;
  // "Well, only after the twelfth. Before that you're fine": what is beside the condition explains it.
  const limited = standing.find(({ isConditional }) => isConditional);
  const isOwn = hasPlainWord(best.quote) || isClearlyOf(key, best, heard);
  if (limited !== undefined && !isOwn) return limited;
  const contradicts = standing.some(
    ({ value, quote, confidence }) =>
      value !== null &&
      value !== best.value &&
      confidence > best.confidence - 0.2 &&
      (isPlain(quote) || relevance(question, quote) >= leastRelevant),
  );
  const isDoubtful =
    contradicts ||
    (best.value === false && affirmsBehindNo(heard)) ||
    (!best.corrects && (claimsTheOther(key, best, heard) || isSaidAside(key, best, heard))) ||
    (!best.corrects && (saysTheOther(best, heard) || deniesIt(question, best, heard))) ||
    (!best.corrects &&
      !isPlain(best.quote) &&
      !(!best.isAsked && namesAndSays(question, best.quote) === (best.value ? 'yes' : 'no')) &&
      !isClearlyOf(key, best, heard) &&
      soundsContrary(question, best, heard));
  return isDoubtful ? lowered(best, doubtful) : best;
}

/** "they're not out no in network": without marks, a no between a denial and a statement belongs to either. */
function affirmsBehindNo({ moves }: Heard): boolean {
  const tokens = moves
    .filter(({ isQuestion, act }) => !isQuestion && act !== 'invites-more')
    .flatMap((move) => move.tokens);
  const words = tokens.flatMap(({ norm }) => norm.split(' '));
  const at = words.indexOf('no', 1);
  const [before, after] = [words.slice(0, Math.max(0, at)), words.slice(at + 1)];
  return (
    tokens.every(({ kind }) => kind === 'word') &&
    before.some((word) => negations.has(word)) &&
    contentWords(after.join(' ')).length > 0 &&
    !after.some((word) => negations.has(word))
  );
}

/** "So yeah, we can take one." */
function hasPlainWord(quote: string): boolean {
  return tokenize(quote).some(({ norm }) => yesWords.has(norm) || noWords.has(norm));
}

/** "No, it is by appointment, yes": a plain word of the opposite sign anywhere leaves it open. */
function saysTheOther({ value }: Evidence, { moves }: Heard): boolean {
  const other = value === true ? 'no' : 'yes';
  return moves.some(({ isQuestion, tokens }) => !isQuestion && plainWordsIn(tokens).has(other));
}

/** "Monday until Saturday. On Sunday nobody", asked for Sundays: another clause denies what was asked. */
function deniesIt(question: string, { value, quote }: Evidence, { moves }: Heard): boolean {
  const asked = contentWords(question);
  const denies = ({ text, tokens }: Move): boolean =>
    tokens.some(({ norm }) => nobodyWords.has(norm)) &&
    contentWords(text).some((word) => asked.some((one) => isAkin(one, word)));
  return value === true && moves.some((move) => !move.isQuestion && move.text !== quote && denies(move));
}

const nobodyWords: ReadonlySet<string> = new Set(['nobody', 'none', 'nothing', 'never', 'nowhere']);

/** "No no, they're in": the rest of the clause says the other of the two. */
function claimsTheOther(key: string, { quote, value }: Evidence, { moves }: Heard): boolean {
  const move = moves.find(({ text }) => text === quote);
  const shareOf = (sign: string): number =>
    move?.claims.find(({ label }) => label === `${key}=${sign}`)?.confidence ?? 0;
  const [same, other] = value === true ? ['yes', 'no'] : ['no', 'yes'];
  return shareOf(other ?? '') >= Math.max(leastContrary, 2 * shareOf(same ?? ''));
}

/** "One second, that's the receipt, no, the other counter": said to another person while we wait. */
function isSaidAside(key: string, { quote }: Evidence, { moves }: Heard): boolean {
  const said = moves.filter(({ text }) => text === quote);
  const isOwn = said.some(
    ({ tokens, claims }) =>
      beginsWithYes(tokens) ||
      beginsWithNo(tokens) ||
      claims.some(({ label, confidence }) => label.split('=')[0] === key && confidence >= leastContrary),
  );
  return !isOwn && moves.some(({ acts }) => (acts.get('hold') ?? 0) >= leastHolding);
}

const leastHolding = 0.8;
const leastContrary = 0.25;

/** A clause with the topic and its value needs no support. */
function isClearlyOf(key: string, { quote, value }: Evidence, { moves }: Heard): boolean {
  const label = `${key}=${value === true ? 'yes' : 'no'}`;
  return moves.some(
    ({ text, claims: [first] }) => text === quote && first?.label === label && first.confidence >= leastClear,
  );
}

const leastClear = 0.95;

/** "Walk-ins we have stopped": a reply without punctuation may be cut into pieces that say something else. */
function soundsContrary(question: string, { value }: Evidence, { moves }: Heard): boolean {
  const told = moves.filter(({ isQuestion }) => !isQuestion);
  if (told.length < 2) return false;
  const all = guess(
    modelOf('polarity'),
    polarityFeatures(
      question,
      told.flatMap(({ tokens }) => tokens),
    ),
  );
  const same = all.find(({ label }) => label === (value === true ? 'yes' : 'no'))?.confidence ?? 0;
  return same < leastSame;
}

const leastSame = 0.3;
const leastRelevant = 0.45;

function isPlain(quote: string): boolean {
  const [first = ''] = plain(tokenize(quote)).split(' ');
  return yesNoWords.has(first);
}

const yesNoWords = new Set(`${words.yes} ${words.no}`.split(' '));

function oneValue({ kind, question }: PlanItem, group: readonly Evidence[], { said }: Heard): Evidence {
  const share = kind === 'percentage' ? patientShare(group) : undefined;
  if (share !== undefined) return share;
  const definite = group.filter(({ value }) => value !== null);
  const corrected = definite.findLast(({ corrects, isGone }) => corrects && isGone !== true);
  if (corrected !== undefined) return corrected;
  if (definite.length > 0) return likeliest(definite);
  // Without a value, statements about today precede those about the past.
  const told = withoutSuperseded(group);
  const concluding = told.findLast(({ quote }) => says(quote, conclusionWords));
  if (concluding !== undefined) return concluding;
  const isPast = says(question, pastWords);
  const standing = told.filter(({ isGone }) => isPast || isGone !== true);
  if (standing.length === 0) return lowered(surest(group), unsure);
  const inWords = inAllWords(standing, said);
  return kind === 'name' && !mayName(inWords.quote) ? lowered(inWords, unsure) : inWords;
}

/** The one that is most likely meant; uncertain if another may be. */
function likeliest(definite: readonly Evidence[]): Evidence {
  const likelihoodOf = ({ likely }: Evidence): number => likely?.likelihood ?? 0;
  const ranked = definite.toSorted((a, b) => likelihoodOf(b) - likelihoodOf(a));
  const best = ranked[0] ?? surest(definite);
  const other = ranked.find(({ value }) => value !== best.value);
  if (best.likely === undefined) return best;
  const rival = Math.max(best.likely.rival, other === undefined ? 0 : likelihoodOf(other));
  return isClearlyMeant({ ...best.likely, rival }, best.isAsked) ? best : lowered(best, unsure);
}

/** "Originally processed on the fifth, the final one was the ninth" */
function withoutSuperseded(told: readonly Evidence[]): readonly Evidence[] {
  const standing = told.filter(({ quote }) => !says(quote, supersededWords));
  return standing.length > 0 ? standing : told;
}

/** "Six thirty on weekdays, one on Saturdays, Sunday we rest", asked for the time: a day alone is not one. */
function oneMoment(item: PlanItem, group: readonly Evidence[], heard: Heard): Evidence {
  const isDayOnly = ({ value }: Evidence): boolean => typeof value === 'string' && !value.includes('T');
  const timed = plainWords(item.question).includes('time') ? group.filter((one) => !isDayOnly(one)) : group;
  return oneValue(item, timed.length > 0 ? timed : group, heard);
}

/** "Locked till eight fifteen, and folks come in at eight thirty": of two answers in words neither is dropped. */
function inAllWords(group: readonly Evidence[], said: string): Evidence {
  const best = surest(group);
  const rivals = group.filter(({ confidence }) => confidence === best.confidence);
  const last = rivals.at(-1) ?? best;
  const quote = said.slice(said.indexOf(best.quote), said.indexOf(last.quote) + last.quote.length);
  return rivals.length > 1 && quote !== '' ? { ...best, quote, answer: quote } : best;
}

function lowered(evidence: Evidence, confidence: number): Evidence {
  return { ...evidence, confidence: Math.min(evidence.confidence, confidence) };
}

function surest(group: readonly Evidence[]): Evidence {
  return group.toSorted((a, b) => b.confidence - a.confidence)[0] as Evidence;
}

function relevance(question: string, quote: string): number {
  return relevanceOf(question, tokenize(quote));
}

function says(text: string, of: ReadonlySet<string>): boolean {
  return plain(tokenize(text))
    .split(' ')
    .some((word) => of.has(word));
}

const pastWords = new Set(words.gone.split(' '));
const supersededWords = new Set(words.superseded.split(' '));

/** "We pay eighty, she pays twenty": two shares of a whole, of which the patient's is the smaller. */
function patientShare(group: readonly Evidence[]): Evidence | undefined {
  const [one, other] = group;
  const isWhole = group.length === 2 && Number(one?.value) + Number(other?.value) === 100;
  return isWhole ? group.toSorted((a, b) => Number(a.value) - Number(b.value))[0] : undefined;
}
