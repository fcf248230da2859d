import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { contentWords, wordsAskedFor } from '../call-plan/words.ts';
import { wordSet } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Move } from '../understanding/understand.ts';
import { topicsOfNothing } from './clause-topic.ts';
import type { Evidence } from './clause-value.ts';
import { correctionWords, regretWords } from './standing-value.ts';

/* Which earlier answer a person withdraws and corrects. */

/** The topic of a clause. */
export interface Topic {
  readonly item: PlanItem;
  readonly label: string;
  readonly confidence: number;
  readonly corrects?: true;
}

/** An earlier answer. */
export type Known = Pick<Evidence, 'key' | 'value'> & { readonly answer?: string };

const leastCorrecting = 0.45;

/** "…, no wait, not that one, sixty-eight": begins with or follows a withdrawal, and gives a value of the same kind. */
export function restates(move: Move, before: readonly Move[], { kind }: PlanItem): boolean {
  const hasValue = ({ entities }: Move): boolean =>
    entities.some(({ type }) => entityTypes[kind]?.includes(type));
  const between = before.slice(before.findLastIndex(hasValue) + 1);
  return hasValue(move) && [...between, move].some(takesBack);
}

/** "Hold on, I flipped that": a word for a slip, wherever it is. */
export function ownsUp({ tokens }: Move): boolean {
  return tokens.some(({ norm }) => slipWords.has(norm));
}

const slipWords = wordSet(cues.slips);

/**
 * "It's thirty-two hundred on the deductible, sorry", asked for another amount: corrects an earlier answer. The
 * clause before may name it: "That deductible I gave you, I misread it, it's …".
 */
export function takenBackOf(
  around: readonly Move[],
  move: Move,
  { items }: CallPlan,
  asked: PlanItem | null,
  known: readonly Known[],
): Topic | null {
  const hasValue = ({ kind }: PlanItem, { entities }: Move): boolean =>
    entities.some(({ type }) => entityTypes[kind]?.includes(type));
  const [before] = around;
  const shareOf = (key: string): number => move.claims.find(({ label }) => label === key)?.confidence ?? 0;
  // "The deductible I said was family. Hers is …": the previous clause may withdraw what this one corrects.
  const follows =
    before !== undefined && before !== move && (takesBack(before) || isCorrection(before) || ownsUp(before));
  const corrects = follows || isCorrection(move);
  const meant = items.filter(
    (one) =>
      one !== asked &&
      (known.some(({ key }) => key === one.key) || (corrects && namesMore(move, one, asked))) &&
      hasValue(one, move) &&
      (names(move, one) ||
        (corrects && before !== undefined && !hasValue(one, before) && names(before, one)) ||
        shareOf(one.key) >= Math.max(leastTakenBack, shareOf(asked?.key ?? ''))),
  );
  // "The deductible met" names the deductible, too.
  const [item] = meant.toSorted(
    (a, b) => wordsAskedFor(b.question).length - wordsAskedFor(a.question).length,
  );
  const next = around[around.indexOf(move) + 1];
  const regret =
    next !== undefined && next.tokens.length <= 2 ? [...move.tokens, ...next.tokens] : move.tokens;
  const isTakenBack = corrects || regret.some(({ norm }) => regretWords.has(norm));
  return item !== undefined && isTakenBack
    ? { item, label: item.key, confidence: 0.9, corrects: true }
    : null;
}

const leastTakenBack = 0.2;

export function isCorrection({ acts }: Move): boolean {
  return (acts.get('corrects') ?? 0) >= leastCorrecting;
}

/** The question's subject is named in full: "on the deductible". */
function names({ text }: Move, item: PlanItem): boolean {
  const said = contentWords(text);
  return wordsAskedFor(item.question).every((word) => said.includes(word));
}

/** "Sorry, deductible met is …", asked for the deductible: that question's subject is named in full, and more. */
function namesMore(move: Move, one: PlanItem, asked: PlanItem | null): boolean {
  const more = wordsAskedFor(one.question);
  const less = asked === null ? [] : wordsAskedFor(asked.question);
  return (
    less.length > 0 &&
    more.length > less.length &&
    less.every((word) => more.includes(word)) &&
    names(move, one)
  );
}

/** Starts with a word of withdrawal. */
export function takesBack({ tokens }: Move): boolean {
  const begin = tokens.filter((token) => token.kind === 'word').slice(0, 3);
  return begin.some(({ norm }) => correctionWords.has(norm));
}

/** "$800 deductible": a new item, without a word that takes anything back, is not a correction. */
export function tellsNew(move: Move, told: readonly Pick<Known, 'key'>[]): boolean {
  const [best] = move.claims;
  if (best === undefined || best.confidence < leastOther || move.entities.length === 0) return false;
  const [slot] = best.label.split('=');
  return !topicsOfNothing.has(best.label) && !told.some(({ key }) => key === slot) && !takesBack(move);
}

const leastOther = 0.85;

/**
 * "It says terminated… no, pardon me" takes back what was said right before. "It's seven fifty, I was looking at
 * another plan" takes back what was told earlier.
 */
export function takeBack(found: Evidence[], before: Move | undefined, known: readonly Known[]): void {
  const at = found.findIndex(({ quote, corrects }) => quote === before?.text && !corrects);
  const taken = found[at];
  if (taken === undefined) return;
  const isOther = known.some(
    ({ key, value }) => key === taken.key && value !== null && value !== taken.value,
  );
  found[at] =
    isOther && taken.value !== null
      ? { ...taken, corrects: true }
      : { ...taken, confidence: Math.min(taken.confidence, doubtful) };
}

/** Read back before it is relied on. */
const doubtful = 0.39;
