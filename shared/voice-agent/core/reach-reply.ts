import { guess } from '../understanding/linear-model.ts';
import { reachFeatures } from '../understanding/reach-features.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import { affirmsInShort, beginsWithYes, deniesError } from '../understanding/yes-and-no.ts';

/** How a whole prompt replies to our verification question. */
export interface ReachReply {
  readonly label: 'confirms' | 'denies' | 'neither';
  /** Calibrated probability of `label`, which is low for `neither` if another was likelier but not certain enough. */
  readonly confidence: number;
}

/**
 * In five folds over ideas unseen in training, 98 % of such yeses and 99 % of such noes are meant; other
 * splits give 97 to 98 % and 92 to 98 %. Facts are told after a yes: before lowering these, or `leastLeaning`, measure
 * the precision of both together.
 */
const leastSure = { confirms: 0.9, denies: 0.9 } as const;

/** If the whole prompt may be a yes, one clause of it can confirm it: desks keep talking. */
const leastLeaning = 0.1;
/** A clause that is a yes by itself. */
const leastClause = 0.8;

/**
 * Whether a person says yes or no to our verification question. Judged by the whole prompt, because
 * words after a yes may withdraw it ("Yes, who is this?"); an uncertain reply is `neither`, and the
 * question can be repeated.
 */
export function reachReply({ tokens, moves }: Pick<Heard, 'tokens' | 'moves'>): ReachReply {
  const whole = reachGuesses(tokens);
  const parts = moves.map((move) => (isHum(move) ? new Map<string, number>() : reachGuesses(move.tokens)));
  const surest = (label: ReachReply['label']): number =>
    Math.max(0, ...parts.map((part, at) => (isRequest(moves[at]) ? 0 : (part.get(label) ?? 0))));
  const all = (label: ReachReply['label']): number => whole.get(label) ?? 0;
  if (all('confirms') >= leastSure.confirms) return { label: 'confirms', confidence: all('confirms') };
  if (all('denies') >= leastSure.denies) return { label: 'denies', confidence: all('denies') };
  // Desks keep talking after their yes; nothing beside it may contradict it.
  const isContested = all('denies') >= 0.3 || surest('denies') >= 0.6;
  const saysYes = moves.some(({ tokens: said }, at) => {
    const confirms = parts[at]?.get('confirms') ?? 0;
    return (
      (beginsWithYes(said) && confirms >= leastPlainYes) ||
      (affirmsInShort(said) && confirms >= leastShortYes)
    );
  });
  if ((saysYes || surest('confirms') >= leastClause) && all('confirms') >= leastLeaning && !isContested) {
    return { label: 'confirms', confidence: surest('confirms') };
  }
  return { label: 'neither', confidence: all('neither') };
}

/** "And may I have the number, please?" says neither yes nor no. */
function isRequest(move: Move | undefined): boolean {
  return move?.isQuestion === true && (move.acts.get('asks-fact') ?? 0) >= leastRequesting;
}

const leastRequesting = 0.6;

/** From this threshold on, a clause that begins with a yes is one. */
export const leastPlainYes = 0.5;
/** Repeating our question is a yes, unless another matter follows. */
const leastShortYes = 0.25;

/** A backchannel is not an explicit yes. */
export function isHum({ tokens }: Move): boolean {
  return tokens.every(({ kind, norm }) => kind !== 'word' || hums.has(norm));
}

const hums = new Set([
  'uh',
  'huh',
  'uh-huh',
  'mm',
  'hm',
  'mm-hm',
  'mhm',
  'mhmm',
  'okay',
  'ok',
  'sure',
  'alright',
  'right',
  'well',
]);

export function reachGuesses(tokens: Heard['tokens']): Map<string, number> {
  const guesses = new Map(
    guess(modelOf('reach'), reachFeatures(tokens)).map(({ label, confidence }) => [label, confidence]),
  );
  if (!deniesError(tokens)) return guesses;
  // "You haven't got the wrong place" denies nothing, but what stands beside it may: we ask again.
  const { confirms = 0, denies = 0, neither = 0 } = Object.fromEntries(guesses);
  return new Map(Object.entries({ neither: neither + denies, confirms, denies: 0 }));
}
