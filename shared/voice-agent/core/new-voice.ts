import type { Token } from '../entities/tokens.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { reachGuesses } from './reach-reply.ts';

/* Whether another person is on the line. */

/** Knowledge about the person so far; see `Party`. */
interface Known {
  readonly since: number;
  readonly is_asked: boolean;
  readonly asked: number;
  readonly person: string | null;
  readonly status: string;
  /** When the right party was proven. */
  readonly turn: number | null;
}

/** Entities that answer a question of ours. */
export const tellingTypes: ReadonlySet<string> = new Set([
  'money',
  'percent',
  'date',
  'moment',
  'identifier',
  'quantity',
]);

/**
 * "Hello? He says it's about a bill?", "benefits, this is Stan": in mid-call only a new person says hello
 * or names the place unasked.
 */
function greetsAnew(
  { since, is_asked, turn: proven }: Known,
  { moves, entities, tokens, turn }: Heard,
): boolean {
  const [first] = moves;
  const isSame = moves.some(({ acts }) =>
    ['back', 'still-there', 'closes'].some((act) => (acts.get(act) ?? 0) >= leastBack),
  );
  // An answer proves that the right party was asked.
  const knows = entities.some(({ type }) => tellingTypes.has(type));
  if (first === undefined || isSame || knows) return false;
  const place = Math.max(...moves.map(({ acts }) => acts.get('introduces-place') ?? 0));
  const turns = turn - since;
  const hasSpoken = turns >= fewestTurns;
  // "Yes, of course." "You've reached the heart clinic.": the second reply comes right after the first.
  const isReply = is_asked || (proven !== null && turn - proven <= mostBetween);
  const namesPlace = hasSpoken && !isReply && (first.acts.get('introduces-place') ?? 0) >= leastNamed;
  const saysMore = moves.length > 1 || tokens.length > fewestTokens;
  return namesPlace || (turns > 1 && greets(tokens) && saysMore && (hasSpoken || place < leastBack));
}

const fewestTokens = 6;
const leastNamed = 0.7;
/** Two exchanges: at first the same person may say hello and name the place twice. */
const fewestTurns = 5;
/** Our words in between. */
const mostBetween = 2;
const leastBack = 0.4;

/** "Yes, hello", "good day" */
function greets(tokens: readonly Token[]): boolean {
  const [first = '', second = '', third = ''] = tokens
    .filter(({ kind }) => kind === 'word')
    .map(({ norm }) => norm);
  const isDaytime = (one: string, other: string): boolean => one === 'good' && daytimes.has(other);
  return (
    [first, second].some((word) => word === 'hello' || word === 'hi') ||
    isDaytime(first, second) ||
    isDaytime(second, third)
  );
}

const daytimes = new Set(['morning', 'afternoon', 'evening', 'day']);

/** A new person introduces themselves in mid-call. */
export function isNewVoice(before: Known, heard: Heard): boolean {
  const { person, status, asked, is_asked } = before;
  if (greetsAnew(before, heard)) return true;
  const name = nameIn(heard);
  if (name === null || likelihood(heard, 'introduces-person', 'greeting') < 0.5) return false;
  if (person !== null) return !isSameName(name, person);
  // A person who replies with a name picks up only now: we talked to a recording before.
  const isReply = (reachGuesses(heard.tokens).get('confirms') ?? 0) >= 0.5;
  const opens = sumOf(heard.moves[0], ['introduces-person', 'introduces-place', 'greeting']) >= 0.6;
  return status === 'unverified' && (is_asked || asked > 0) && opens && !isReply;
}

/** "Mrs. Pulaski", "Pulaski" */
export function isSameName(one: string, other: string): boolean {
  const words = (name: string): string[] => name.split(' ').filter((word) => !word.endsWith('.'));
  return words(one).some((word) => words(other).includes(word));
}

function sumOf(move: Move | undefined, acts: readonly string[]): number {
  return acts.reduce((sum, act) => sum + (move?.acts.get(act) ?? 0), 0);
}

function nameIn({ entities }: Heard): string | null {
  const name = entities.find((entity) => entity.type === 'name');
  return name?.type === 'name' ? name.value : null;
}
