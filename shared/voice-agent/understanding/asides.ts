import { isOrdinary } from '../entities/names.ts';
import { isCapitalized, type Token, wordSet } from '../entities/tokens.ts';
import names from '../language/en-US/entities/names.json' with { type: 'json' };
import { vocatives } from './yes-and-no.ts';

/* What the person says to somebody else in the room. */

type Clause = readonly Token[];

/**
 * Which clauses of a prompt call somebody, or follow such a call: "Gary! Question for you!", "Hold on, I'll ask
 * Pam. Pam?". A name that is asked only once may be the patient's.
 */
export function asidesAmong(clauses: readonly Clause[]): boolean[] {
  const words = clauses.flat().filter(({ kind }) => kind === 'word');
  const calls = clauses.map(([name, mark, ...rest]) => {
    if (name === undefined || mark === undefined || rest.length > 0 || !mayBeName(name)) return false;
    const isRepeated = words.filter(({ norm }) => norm === name.norm).length > 1;
    return mark.text === '!' || (mark.kind === 'question' && isRepeated);
  });
  const back = apologyAfterAside(clauses);
  const isAddressed = (at: number): boolean =>
    calls[at - 1] === true && clauses[at]?.every(({ number }) => number === null) === true;
  return calls.map((isCall, at) => isCall || isAddressed(at) || at <= back);
}

/**
 * "Jim, that's the wrong drawer. Sorry about that. It's …": the apology with which they return to us; -1 without one,
 * or if they addressed nobody before it.
 */
function apologyAfterAside(clauses: readonly Clause[]): number {
  const at = clauses.findLastIndex((clause, index) => isApology(clause) && index < clauses.length - 1);
  return clauses.slice(0, Math.max(0, at)).some(addresses) ? at : -1;
}

function isApology(clause: Clause): boolean {
  const words = clause.filter(({ kind }) => kind === 'word').flatMap(({ norm }) => norm.split(' '));
  const isWhole = clause.at(-1)?.kind === 'stop';
  return isWhole && words.some((word) => word === 'sorry') && words.every((word) => apologies.has(word));
}

/** "Jim, …", "no, sweetie, …" */
function addresses(clause: Clause): boolean {
  const [first, second] = clause;
  const isNamed = first !== undefined && second?.kind === 'comma' && mayBeName(first);
  return (
    isNamed ||
    clause.some(({ norm }, at) => {
      const isBeside = clause[at - 1]?.kind === 'comma' || clause[at + 1]?.kind === 'comma';
      return vocatives.has(norm) && isBeside;
    })
  );
}

function mayBeName({ kind, text, norm }: Token): boolean {
  const isName = isCapitalized(text) && text !== text.toUpperCase();
  return kind === 'word' && isName && !isOrdinary(norm) && !exclamations.has(norm);
}

const apologies = wordSet('sorry about that oh so i am');
const exclamations = wordSet(names.exclamations);
