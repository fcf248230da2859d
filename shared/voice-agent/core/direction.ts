import type { CallPlan, PlanItem } from '../call-plan/call-plan.ts';
import { plainWords } from '../call-plan/words.ts';

/**
 * The year of a day without one: the question decides, otherwise payers speak of the past, claims departments also of
 * the next weeks, and others of the future.
 */
export function directionOf(
  { callee }: Pick<CallPlan, 'callee'>,
  asked: PlanItem | null,
): 'past' | 'recent' | 'future' {
  const words = new Set(plainWords(asked?.question ?? ''));
  if (comingWords.some((word) => words.has(word))) return 'future';
  if (callee === 'claims-department') return 'recent';
  if (callee === 'insurer') return 'past';
  return pastWords.some((word) => words.has(word)) ? 'past' : 'future';
}

const pastWords = ['was', 'were', 'did', 'has', 'been'] as const;
const comingWords = ['will', 'expected', 'next', 'upcoming'] as const;
