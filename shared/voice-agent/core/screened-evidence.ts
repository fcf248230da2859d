import { type CallPlan, isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { type Token, tokenize, wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { negations } from '../understanding/features.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import type { Evidence } from './clause-value.ts';
import type { Known } from './corrections.ts';
import { isNobodyThere, keepsToThemselves, refuses } from './refusals.ts';
import { hasWord, staged } from './reply-clauses.ts';
import { regretWords } from './standing-value.ts';

/* What the clauses of a reply seem to say, and the reply as a whole does not. */

interface Reply {
  readonly heard: Heard;
  readonly plan: CallPlan;
  readonly asked: PlanItem | null;
}

/** Without what is no news, not yet so, or said of something else. */
export function screened(found: readonly Evidence[], { heard, plan, asked }: Reply): Evidence[] {
  const findsNobody = heard.moves.some(isNobodyThere);
  const keeps = heard.moves.some((move) => keepsToThemselves(move) && !isApology(move));
  const turnsAway =
    asked?.kind === 'text' && !isClientsOwn(asked) && heard.moves.some((move) => refuses(move, asked));
  return found.filter(
    (evidence) =>
      !isOurOwn(evidence, plan) &&
      !isOfStage(evidence, asked, heard) &&
      !isUnnamedNumber(evidence, plan) &&
      !isPossible(evidence) &&
      !isAhead(evidence, plan, heard) &&
      !(keeps && evidence.value === 'not on file' && !isPlainlyMissing(evidence, heard)) &&
      !(turnsAway && isUnnamed(evidence, heard)) &&
      !(
        isNothing(evidence) &&
        ((findsNobody && !isOfClient(evidence, plan)) ||
          answersBare(evidence, asked) ||
          isZeroBeside(evidence, asked))
      ),
  );
}

/** "There's no such claim here, I have to look her up another way": surely looked for. */
function isPlainlyMissing({ quote }: Evidence, { moves }: Heard): boolean {
  return moves.some(({ text, acts }) => text === quote && (acts.get('not-found') ?? 0) >= plainly);
}

const plainly = 0.95;

/** Read back before it is relied on. */
export const doubtful = 0.39;

/** Less sure if the rest of the reply, or a known answer, speaks against it. */
export function doubted(evidence: Evidence, found: readonly Known[]): Evidence {
  return isOfAnother(evidence, found) || isMoreThanWhole(evidence, found)
    ? { ...evidence, confidence: Math.min(evidence.confidence, doubtful) }
    : evidence;
}

/** Amounts of which others are a part. */
export const wholes: Readonly<Record<string, string>> = {
  deductible_met: 'deductible',
  deductible_remaining: 'deductible',
  out_of_pocket_met: 'out_of_pocket_maximum',
  allowed_amount: 'billed_amount',
  paid_amount: 'billed_amount',
  patient_responsibility: 'billed_amount',
};

/** "Fifty, and $725 left of $2,000": more than the deductible remains of no deductible. */
function isMoreThanWhole({ key, value }: Evidence, found: readonly Known[]): boolean {
  const whole = found.find((one) => one.key === wholes[key])?.value;
  return typeof whole === 'number' && typeof value === 'number' && value > whole;
}

/** "No, that's cancelled. Hold on. The new one started in May": what has begun may well be active. */
function isOfAnother({ key, value }: Evidence, found: readonly Known[]): boolean {
  return (
    key === 'coverage_active' &&
    value === false &&
    found.some((one) => one.key === 'effective_date' && one.value !== null)
  );
}

/** "The final date is in February": when something was done lies behind us. */
export function isAhead({ key, value }: Evidence, { items }: CallPlan, { today }: Heard): boolean {
  const item = items.find((one) => one.key === key);
  return (
    item?.kind === 'date' && item.question.includes(' was ') && typeof value === 'string' && value > today
  );
}

/** "Can't do it. No PIN, no benefits", asked for the plan's name: words that no model takes for it. */
function isUnnamed({ isAsked, value, key, quote }: Evidence, { moves }: Heard): boolean {
  const own = moves.filter(({ text }) => quote.includes(text) || text.includes(quote));
  const isNamed = own.some(({ claims }) =>
    claims.some(({ label, confidence }) => label.split('=')[0] === key && confidence >= leastNamed),
  );
  return isAsked && value === null && !isNamed;
}

const leastNamed = 0.3;

/** "The form they call a 485", not asked for a number: whatever it is, they do not call it ours. */
function isUnnamedNumber({ key, isAsked, confidence, quote }: Evidence, { items }: CallPlan): boolean {
  const isNumber = items.find((item) => item.key === key)?.kind === 'identifier';
  return isNumber && !isAsked && confidence < surelyNumber && !tokenize(quote).some(namesNumber);
}

const surelyNumber = 0.7;

function namesNumber({ norm }: Token): boolean {
  return norm.split(' ').some((word) => numbering.has(word));
}

const numbering = wordSet(cues.numbering);

/** "A POS, which means she can go out of network": what a plan allows says nothing of the provider. */
function isPossible({ key, isAsked, quote }: Evidence): boolean {
  return key === 'in_network' && !isAsked && tokenize(quote).some(({ norm }) => possible.has(norm));
}

const possible = wordSet('can could may might would if whether either');

/** "Not for the first 12 visits; from 13 on, yes", asked for a yes or no: no limit, but when the answer holds. */
function isOfStage({ isAsked, quote, value }: Evidence, asked: PlanItem | null, { moves }: Heard): boolean {
  const said = moves.filter(({ text }) => text === quote);
  return !isAsked && asked?.kind === 'yes-no' && typeof value === 'number' && hasWord(said, staged);
}

/** "None, copay only", asked for the coinsurance: the copay is not said to be none. */
function answersBare({ key, quote }: Evidence, asked: PlanItem | null): boolean {
  const [first, second, ...rest] = tokenize(quote);
  const isBare = second?.kind === 'comma' && negations.has(first?.norm ?? '');
  return isBare && asked !== null && asked.key !== key && !rest.some(({ norm }) => negations.has(norm));
}

/** "Zero dollars, deductible first", asked for the copay: which of the two is nothing? */
function isZeroBeside({ key, value }: Evidence, asked: PlanItem | null): boolean {
  return value === 0 && asked?.kind === 'money' && key !== asked.key;
}

/** "I'm sorry.": regrets what else is said, and refuses nothing. */
function isApology({ tokens }: Move): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word');
  return words.length <= mostApologizing && words.some(({ norm }) => regretWords.has(norm));
}

const mostApologizing = 3;

/** What the client asks of the place itself, whomever they find: "No, we don't take those, it has to be signed." */
function isOfClient({ key }: Evidence, { items }: CallPlan): boolean {
  return items.some((item) => item.key === key && isClientsOwn(item));
}

function isNothing({ value, isAsked }: Evidence): boolean {
  return value === false || (value === 0 && !isAsked);
}

/** What we told ourselves and they read back is no news; a number that was asked for may be none of ours either. */
function isOurOwn({ key, value, isAsked }: Evidence, { items, facts }: CallPlan): boolean {
  const isNumber = items.find((item) => item.key === key)?.kind === 'identifier';
  return (
    typeof value === 'string' &&
    (isNumber || !isAsked) &&
    facts.some((fact) => bare(fact.value) === bare(value))
  );
}

const bare = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
