import type { Held } from '../held.ts';
import type { AnswerState } from './answer-states.ts';
import type { Truth } from './truth.ts';

/** What the goal still lacks, judged by what really happened; empty if it was reached. */
export function missingToGoal(
  held: Held,
  truths: ReadonlyMap<string, Truth>,
  states: ReadonlyMap<string, AnswerState>,
): string[] {
  const { casting, plan, called } = held;
  if (casting.taskType === 'SCHEDULE_APPOINTMENT') {
    if (called === null || called.booked === null) return ['nothing is booked'];
    return ['appointment_time', 'booking_confirmed'].flatMap((key) =>
      isReported(states.get(key)) ? [] : [`${key} is not reported rightly`],
    );
  }
  if (called === null) return ['nobody was reached'];
  return plan.items
    .filter(({ required, only_if }) => required && isOfInterest(only_if, truths))
    .flatMap(({ key }) => missing(key, held, truths.get(key), states.get(key) ?? 'open'));
}

function missing(key: string, held: Held, truth: Truth | undefined, state: AnswerState): string[] {
  if (isReported(state)) return [];
  switch (state) {
    case 'wrong':
    case 'garbage':
      return [`${key} is ${state}`];
    case 'unclear':
      return truth === undefined ? [] : [`${key} is unclear`];
    case 'open':
      return truth === undefined || !truth.isTellable || wasRefused(held) ? [] : [`${key} is open`];
    default:
      return [];
  }
}

function isReported(state: AnswerState | undefined): boolean {
  return state === 'right' || state === 'review';
}

/** Whether an item matters, by what is true and not by what was reported. */
function isOfInterest(
  condition: Held['plan']['items'][number]['only_if'],
  truths: ReadonlyMap<string, Truth>,
): boolean {
  if (condition === null) return true;
  const truth = truths.get(condition.key);
  return truth === undefined || condition.values.some((wanted) => agrees(wanted, truth.known.value));
}

function agrees(wanted: string | boolean, known: string | number | boolean): boolean {
  return typeof wanted === 'string' ? String(known).toLowerCase().includes(wanted) : wanted === known;
}

/** The person would not continue without something that the caller did not give. */
function wasRefused({ called }: Held): boolean {
  return (called?.exchanges ?? []).some(({ about }) => about.includes('refuses'));
}
