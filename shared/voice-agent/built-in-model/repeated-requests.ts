import { contentWords } from '../call-plan/words.ts';
import { type Heard, likelihood, type Move } from '../understanding/understand.ts';
import { identifying, mostlySame, namedIn, partsOfName, shareOf } from './asked-of-us.ts';
import type { AnsweredRequest } from './memory.ts';

/* A person who repeats a request in the same words did not get the answer they wanted, or did not hear it. */

export interface Request {
  readonly move: Move;
  /** Its most likely topics. */
  readonly topics: readonly string[];
  readonly heard: Heard;
  /** The requests before it. */
  readonly answered: readonly AnsweredRequest[];
  /** Whether we know anything about a topic. */
  readonly isKnown: (topic: string) => boolean;
}

/** The topics that answer a request; `other` if we cannot. */
export function topicsToTell({ move, topics, heard, answered, isKnown }: Request): readonly string[] {
  const before = topicsTold(move, answered);
  if (topics.length === 0 || topics.some((topic) => topic === 'other' || !before.includes(topic)))
    return topics;
  // "The last name, and the first?", a second time
  const isOfPart = topics.some((topic) => partsOfName.includes(topic));
  if (isOfPart && isKnown('patient-name') && !before.includes('patient-name')) return ['patient-name'];
  const isExhausted = topics.every((topic) => before.filter((one) => one === topic).length >= mostRepeated);
  if (!isExhausted && likelihood(heard, 'asks-repeat') >= 0.5) return topics;
  // "So whose claim is it?", after we gave its number: the next likely topic.
  const isNew = (topic: string): boolean =>
    identifying.has(topic) && isKnown(topic) && !topics.includes(topic) && !before.includes(topic);
  const [next] = heard.moves
    .flatMap(namedIn)
    .filter(({ label, confidence }) => confidence >= leastLikely && isNew(label))
    .toSorted((a, b) => b.confidence - a.confidence);
  if (next !== undefined) return [next.label];
  return isExhausted ? ['other'] : topics;
}

/** How often a request in the same words gets the same answer. */
const mostRepeated = 2;
const leastLikely = 0.2;

/** The request with all its answers, including these. */
export function answeredWith(
  move: Move,
  topics: readonly string[],
  answered: readonly AnsweredRequest[],
): AnsweredRequest {
  return { words: contentWords(move.text), topics: [...topicsTold(move, answered), ...topics] };
}

function topicsTold({ text }: Move, answered: readonly AnsweredRequest[]): readonly string[] {
  const asked = contentWords(text);
  const same = answered.find(
    ({ words }) =>
      shareOf(asked, new Set(words)) >= mostlySame && shareOf(words, new Set(asked)) >= mostlySame,
  );
  return same?.topics ?? [];
}
