import { contentWords } from '../call-plan/words.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { identifying, mostlySame, namedIn, shareOf } from './asked-of-us.ts';
import type { Given } from './memory.ts';

/* A person who requests the same again in the same words was not answered, or did not hear the answer. */

export interface Request {
  readonly move: Move;
  /** Its topics by its words alone. */
  readonly meant: readonly string[];
  readonly heard: Heard;
  /** What was told for the last requests. */
  readonly given: readonly Given[];
  /** Whether a topic has anything to tell. */
  readonly isKnown: (topic: string) => boolean;
}

/** The topics to tell for a request, `other` for what we lack. */
export function topicsToTell({ move, meant, heard, given, isKnown }: Request): readonly string[] {
  const before = givenFor(move, given);
  if (meant.length === 0 || meant.some((topic) => topic === 'other' || !before.includes(topic))) return meant;
  const isTired = meant.every((topic) => before.filter((one) => one === topic).length >= mostRepeated);
  // A person who did not hear us gets the same once more.
  if (!isTired && likelihood(heard, 'asks-repeat') >= 0.5) return meant;
  // "So whose claim is it?", after we gave its number: it wants what else it may mean.
  const isNew = (topic: string): boolean =>
    identifying.has(topic) && isKnown(topic) && !meant.includes(topic) && !before.includes(topic);
  const [other] = heard.moves
    .flatMap(namedIn)
    .filter(({ label, confidence }) => confidence >= leastInstead && isNew(label))
    .toSorted((a, b) => b.confidence - a.confidence);
  if (other !== undefined) return [other.label];
  return isTired ? ['other'] : meant;
}

/** How often the same is told for a request in the same words. */
const mostRepeated = 2;
const leastInstead = 0.2;

/** The request with all that was told for it, now included. */
export function withTold(move: Move, told: readonly string[], given: readonly Given[]): Given {
  return { asked: contentWords(move.text), topics: [...givenFor(move, given), ...told] };
}

function givenFor({ text }: Move, given: readonly Given[]): readonly string[] {
  const words = contentWords(text);
  const same = given.find(
    ({ asked }) =>
      shareOf(words, new Set(asked)) >= mostlySame && shareOf(asked, new Set(words)) >= mostlySame,
  );
  return same?.topics ?? [];
}
