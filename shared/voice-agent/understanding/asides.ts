import { isOrdinary } from '../entities/names.ts';
import { isCapitalized, type Token, wordSet } from '../entities/tokens.ts';
import names from '../language/en-US/entities/names.json' with { type: 'json' };

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
  return calls.map((isCall, at) => isCall || calls[at - 1] === true);
}

function mayBeName({ kind, text, norm }: Token): boolean {
  const isName = isCapitalized(text) && text !== text.toUpperCase();
  return kind === 'word' && isName && !isOrdinary(norm) && !exclamations.has(norm);
}

const exclamations = wordSet(names.exclamations);
