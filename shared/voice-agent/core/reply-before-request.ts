import { isOrdinary } from '../entities/names.ts';
import type { Token } from '../entities/tokens.ts';
import { likeliestGap } from '../understanding/segments.ts';
import { type Heard, type Move, modelOf, understand } from '../understanding/understand.ts';
import { asksOfUs } from './explicit-yes.ts';
import { onlyNamesPerson } from './named-place.ts';

/* "it is cove eye group kindly give me her full name": without marks, a reply and a request are one sentence. */

/** The words before they ask something of us, if those ask nothing and name something that is no person; or all. */
export function withoutRequest(heard: Heard): Heard {
  const asking = heard.moves.find((move) => asksOfUs(move) && !move.tokens.some(isMark));
  const words = (asking?.tokens ?? []).slice(0, mostWords);
  const gap = likeliestGap(words, modelOf('boundaries'));
  const last = gap === null ? undefined : words[gap - 1];
  if (last === undefined) return heard;
  const said = heard.said.slice(0, last.end);
  const reply = understand(said, heard.turn, { today: heard.today, after: 'reach-question' });
  return !reply.moves.some(asksOfUs) && reply.moves.some(namesSomething) ? reply : heard;
}

/** A longer sentence is no reply to our question. */
const mostWords = 24;

function isMark({ kind }: Token): boolean {
  return kind === 'comma' || kind === 'stop' || kind === 'question';
}

function namesSomething(move: Move): boolean {
  return !onlyNamesPerson(move) && move.tokens.some(({ kind, norm }) => kind === 'word' && !isOrdinary(norm));
}
