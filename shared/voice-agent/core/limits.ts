import { isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { contentWords } from '../call-plan/words.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import { guess } from '../understanding/linear-model.ts';
import { polarityFeatures } from '../understanding/polarity-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import type { Evidence } from './clause-value.ts';
import { refuses } from './refusals.ts';
import { upToCeremony } from './reply-clauses.ts';

/* "We can. But it has to fold, the lift van is in the shop": whether a reply as a whole limits its yes or no. */

/**
 * A reply's yes or no; a condition if the rest of the reply limits it, and uncertain if it may, or says the contrary.
 * @param others the clauses that speak of other items
 */
export function withLimits(
  item: PlanItem,
  evidence: Evidence,
  heard: Heard,
  others: readonly string[],
): Evidence {
  // Beside the values of other items, which no example has, nothing tells what limits what.
  if (others.length > 0 && !isClientsOwn(item)) return evidence;
  const isOwn = ({ text, act, tokens }: Move): boolean =>
    text === evidence.quote || !(hasQuestionMark(tokens) || act === 'hold' || others.includes(text));
  const moves = heard.moves.filter(isOwn);
  const [first] = moves;
  const last = moves.at(-1);
  if (first === undefined || last === undefined) return evidence;
  const chanceOf = verdictOf(item, moves);
  const limited = chanceOf('limited');
  if (limited >= (isClientsOwn(item) ? leastLimited : leastLimitedStandard)) {
    const words = heard.said.slice(first.start, last.end);
    return {
      ...evidence,
      value: null,
      answer: words,
      quote: words,
      isConditional: true,
      confidence: Math.max(limited, evidence.isConditional ? evidence.confidence : 0),
    };
  }
  // "Takes ten business days" tells nothing of walk-ins.
  if (chanceOf('none') >= leastOffPoint)
    return { ...evidence, value: null, confidence: Math.min(evidence.confidence, offPoint) };
  const isDoubtful =
    evidence.value !== null && chanceOf(evidence.value === true ? 'yes' : 'no') < leastAgreeing;
  return isDoubtful ? { ...evidence, confidence: Math.min(evidence.confidence, mostDoubtful) } : evidence;
}

/**
 * "We do the frames, but not the motors", asked whether they repair a bicycle: no clause answers, and the reply as a
 * whole does, though not surely. None if it turns the question away or asks something.
 */
export function limitedAsAWhole(asked: PlanItem | null, { said, turn, moves }: Heard): Evidence[] {
  if (asked?.kind !== 'yes-no' || !isClientsOwn(asked)) return [];
  const told = upToCeremony(moves);
  const [first, last] = [told[0], told.at(-1)];
  const steers = ({ act, isQuestion, tokens }: Move): boolean =>
    isQuestion || hasQuestionMark(tokens) || act === 'hold';
  if (first === undefined || last === undefined) return [];
  if (told.some((move) => steers(move) || refuses(move, asked))) return [];
  if (verdictOf(asked, told)('limited') < leastLimited) return [];
  const quote = said.slice(first.start, last.end);
  const base = { key: asked.key, quote, answer: quote, turn, value: null, isConditional: true };
  return [{ ...base, confidence: offPoint, isAsked: true, corrects: false }];
}

/** The probabilities of what a reply says to a yes-or-no question: `yes`, `no`, `limited`, or `none` of them. */
function verdictOf({ question }: PlanItem, moves: readonly Move[]): (verdict: string) => number {
  const tokens = moves.flatMap((move) => move.tokens);
  const guesses = guess(modelOf('limits'), polarityFeatures(question, tokens));
  return (verdict) => guesses.find(({ label }) => label === verdict)?.confidence ?? 0;
}

/** Whether the words limit a yes or no to the question. */
export function limitsAnswer(item: PlanItem, { moves }: Heard): boolean {
  const told = moves.filter(({ tokens, act }) => !hasQuestionMark(tokens) && act !== 'hold');
  return told.length > 0 && verdictOf(item, told)('limited') >= leastLimited;
}

/** "Kind of", "for a little while they do": limits that do not say which. */
export function isVagueLimit({ question }: PlanItem, { quote }: Evidence): boolean {
  const asked = new Set(contentWords(question));
  return contentWords(quote).filter((word) => !asked.has(word)).length < fewestTelling;
}

/** From here on the words answer, and no yes or no. */
const leastLimited = 0.65;
/** "Covered, twenty visits a year" tells two things. */
const leastLimitedStandard = 0.85;
/** What may be limited, or the contrary, is asked again. */
const leastAgreeing = 0.5;
const mostDoubtful = 0.75;
/** From here on, the words miss the point: asked again, and kept for a person to read. */
const leastOffPoint = 0.5;
const offPoint = 0.39;
const fewestTelling = 3;
