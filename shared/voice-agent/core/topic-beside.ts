import type { CallPlan, ItemKind, PlanItem } from '../call-plan/call-plan.ts';
import { entityTypes } from '../call-plan/item-values.ts';
import { contentWords } from '../call-plan/words.ts';
import { tokenize } from '../entities/tokens.ts';
import type { Guess } from '../understanding/linear-model.ts';
import { isAkin, signOf } from '../understanding/polarity-features.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { statusIn, statusNamedIn } from './claim-status.ts';
import { isOnlyTier, takesUp, topicsOfNothing } from './clause-topic.ts';
import { isOfOtherTier, otherTier } from './other-tier.ts';

/* A second topic of a clause, beside the one that it is mainly about. */

/**
 * "She's active, since February first": another item with a value in the clause, of a kind that neither its topic
 * nor the question takes.
 */
export function topicBeside(
  { claims, entities }: Move,
  plan: CallPlan,
  taken: readonly (PlanItem | null)[],
): PlanItem | null {
  const named = claims.filter(({ label }) => !label.includes('=') && !topicsOfNothing.has(label));
  const best = named.find(({ label }) => label !== otherTier);
  const item = plan.items.find(({ key }) => key === best?.label);
  if (best === undefined || item === undefined || best.confidence < leastBeside) return null;
  const types = entityTypes[item.kind] ?? [];
  const isFree = !taken.some(
    (other) => other !== null && (entityTypes[other.kind] ?? []).some((type) => types.includes(type)),
  );
  return isFree && isMost(best, named) && entities.some(({ type }) => types.includes(type)) ? item : null;
}

const leastBeside = 0.5;

/**
 * "The claim was processed and partially paid on the tenth", "Active on the Gold plan since May": a status, yes or no
 * that the words themselves say, whatever else the clause is about, unless they answer our question.
 */
export function answerBeside(
  move: Move,
  {
    heard,
    plan,
    asked,
    taken,
  }: {
    readonly heard: Heard;
    readonly plan: CallPlan;
    readonly asked: PlanItem | null;
    readonly taken: readonly (PlanItem | null)[];
  },
): { readonly item: PlanItem; readonly label: string } | null {
  if (asked !== null && takesUp(move, asked)) return null;
  const named = move.claims.filter(({ label }) => label.includes('='));
  const [best] = named;
  if (best === undefined || !isMost(best, named) || isOfOtherTier(move, heard)) return null;
  const [slot, value = ''] = best.label.split('=');
  const item = plan.items.find(({ key }) => key === slot);
  if (item === undefined || item === asked || taken.includes(item) || isOnlyTier(item, move)) return null;
  return best.confidence >= (leastHinted[item.kind] ?? 1) && saysSo(item, value, move)
    ? { item, label: best.label }
    : null;
}

/** Whether the words say it without the model. */
function saysSo({ kind, question }: PlanItem, value: string, move: Move): boolean {
  if (kind === 'claim-status') return statusNamedIn(move) !== null && statusIn(move, value) === value;
  return kind === 'yes-no' && namesAndSays(question, move.text) === value;
}

/** The yes or no of words that name what the question asks of its subject: "it's active", not "no, sorry". */
export function namesAndSays(question: string, said: string): 'yes' | 'no' | null {
  const asked = contentWords(question).at(-1) ?? '';
  if (!contentWords(said).some((word) => isAkin(asked, word))) return null;
  const sign = signOf(question, tokenize(said));
  return sign === 'both' ? null : sign;
}

/** "Codes mean nothing to me, therapy's covered": the one part of an unclear clause that takes up the question. */
export function saidByOnePart({ question }: PlanItem, { text }: Move): 'yes' | 'no' | null {
  const words = text.split(',').flatMap((part) => namesAndSays(question, part) ?? []);
  return words.length === 1 && text.includes(',') ? (words[0] ?? null) : null;
}

/** One claim outweighs the others of its sort. */
function isMost(best: Guess, named: readonly Guess[]): boolean {
  const all = named.reduce((sum, { confidence }) => sum + confidence, 0);
  return best.confidence >= all * leastShare;
}

const leastShare = 0.7;
/** The words must say it, too. A status is named by words of its own; "yes" may reply to anything. */
const leastHinted: Partial<Record<ItemKind, number>> = { 'claim-status': 0.1, 'yes-no': 0.4 };
