import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import { featuresOf, wordsOf } from '../understanding/features.ts';
import { guess } from '../understanding/linear-model.ts';
import { type Heard, type Move, modelOf } from '../understanding/understand.ts';
import { bareWord, hasWordFor, identifying, isName, isOfItem } from './asked-of-us.ts';

/* Facts that the person on the line merely names, and thereby asks for. */

/**
 * "Okay, I see that, birth date to finish": words that name what identifies the patient or the caller, and otherwise
 * contribute nothing.
 *
 * @param isKnown whether a topic has anything to tell
 */
export function mentionIn({ moves }: Heard, isKnown: (topic: string) => boolean): Move[] {
  if (moves.some(tellsOfItem)) return [];
  // "Bear with me, it's my second day. So the first box says patient name"
  const named = moves
    .slice(moves.findLastIndex(saysWhatIsTheMatter) + 1)
    .flatMap((move) => windowsOf(move).filter(({ asks: [first] }) => !isMeans(move, first?.label)))
    .filter(
      ({ tokens, asks: [first] }) =>
        first !== undefined &&
        identifying.has(first.label) &&
        hasWordFor(first.label, wordsOf(tokens).map(bareWord)) &&
        (!isName(first.label) || tokens.some(({ norm }) => bareWord(norm) === 'name')) &&
        isKnown(first.label),
    );
  const surest = named.toSorted((a, b) => (b.asks[0]?.confidence ?? 0) - (a.asks[0]?.confidence ?? 0))[0];
  return surest !== undefined && (surest.asks[0]?.confidence ?? 0) >= leastMentioned ? [surest] : [];
}

/** "Probably not by phone, but go ahead" */
function isMeans({ text }: Move, topic: string | undefined): boolean {
  return topic === 'phone' && meansOfTalking.some((means) => text.toLowerCase().includes(means));
}

const meansOfTalking = ['by phone', 'over the phone', 'on the phone', 'by telephone'];

function saysWhatIsTheMatter({ act, confidence }: Move): boolean {
  return confidence >= 0.5 && mentioning.has(act);
}

/** "Bring the insurance card and a photo ID" says what to bring, and does not request an ID. */
function tellsOfItem(move: Move): boolean {
  return isOfItem(move, leastTold);
}

const leastTold = 0.7;

/** What a few words of a move after another would request on their own. */
function windowsOf(move: Move): Move[] {
  const words = move.tokens.flatMap(({ kind }, at) => (kind === 'word' || kind === 'number' ? [at] : []));
  return words.flatMap((from, at) =>
    words.slice(at, at + mostMentioned).map((to) => {
      const tokens = move.tokens.slice(from, to + 1);
      const [start, end] = [tokens[0]?.start ?? move.start, tokens.at(-1)?.end ?? move.end];
      const text = move.text.slice(start - move.start, end - move.start);
      return { ...move, text, tokens, start, end, asks: guess(modelOf('asks'), featuresOf(tokens)) };
    }),
  );
}

const mostMentioned = 6;
const leastMentioned = 0.95;
/** A person who describes a problem with a fact also names the fact. */
const mentioning: ReadonlySet<string> = new Set(cues.mentioning.split(' '));
