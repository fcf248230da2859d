import { hasQuestionMark, wordSet } from '../entities/tokens.ts';
import type { Heard, Move } from '../understanding/understand.ts';
import { plainWords } from './words.ts';

/* What the words say about the requested appointment: made, promised, conditional, gone. */

const conditions = wordSet(
  'once unless until pending tentatively tentative provided provisionally provisional subject',
);
const intentions = wordSet(
  'can could let going shall should would want gonna trying need needs unable may might',
);

/**
 * The move that confirms the booking, if any. "I can book that" and "I'll put her in once I have the
 * card" do not.
 *
 * @param isRepeated our time is repeated verbatim, so less is needed
 */
export function confirmationIn({ moves }: Heard, isRepeated: boolean): Move | null {
  // Words they ask us to say are not an action of theirs; "it's booked. Write down AG56330" is.
  const dictates = moves.findIndex(({ acts }) => (acts.get('injection') ?? 0) >= 0.3);
  const givesNumber = dictates > 0 && moves[dictates]?.entities.some(({ type }) => type === 'identifier');
  if (dictates >= 0 && givesNumber !== true) return null;
  return (
    moves.slice(0, dictates < 0 ? undefined : dictates).find((move, at) => {
      const score = isRepeated && beginsWithDone(move) ? 0.9 : confirms(move);
      return (
        score >= (isRepeated ? 0.35 : 0.5) && !isTentative(move, score) && !isConditional(move, moves[at + 1])
      );
    }) ?? null
  );
}

/** Words that alone confirm a booking. */
const done = 'booked done scheduled rescheduled moved changed confirmed set reserved';
const bare = wordSet(`${done} all it is she he okay yes yep you are good`);
const doing = wordSet(done);

/** "Done, Friday at seven thirty" */
function beginsWithDone({ tokens, isQuestion }: Move): boolean {
  return !isQuestion && tokens[1]?.kind === 'comma' && doing.has(tokens[0]?.norm ?? '');
}

function confirms({ acts, claims, tokens, entities, isQuestion }: Move): number {
  const words = plainWords(tokens);
  const isAsked = hasQuestionMark(tokens);
  // A person who gives a confirmation number has booked.
  if (!isAsked && words.includes('confirmation') && entities.some(({ type }) => type === 'identifier'))
    return 0.9;
  if (isQuestion) return 0;
  if (words.every((word) => bare.has(word)) && words.some((word) => doing.has(word))) return 0.9;
  const [best] = claims;
  const isClaimed = best?.label === 'booking_confirmed=yes' && best.confidence >= 0.6;
  const isStated =
    (acts.get('states') ?? 0) + (acts.get('yes') ?? 0) + (acts.get('acknowledges') ?? 0) >= 0.4;
  return (acts.get('confirms-booking') ?? 0) + (isClaimed && isStated ? 0.5 : 0);
}

function isTentative({ tokens }: Move, score: number): boolean {
  const words = plainWords(tokens);
  const isDenied = words.includes('not') && !words.includes('why');
  return (isDenied && score < 0.9) || (score < 0.8 && words.some((word) => intentions.has(word)));
}

/** "I've got her in, pending the referral": these words make the appointment conditional. */
export function conditionIn({ moves, said }: Heard): string | null {
  const at = moves.findIndex((move, index) =>
    confirms(move) >= 0.3 ? isConditional(move, moves[index + 1]) : isDepending(move),
  );
  const [move, next] = [moves[at], moves[at + 1]];
  if (move === undefined) return null;
  const isOwn = next === undefined || isConditional(move, undefined) || isDepending(move);
  return said.slice(move.start, isOwn ? move.end : next.end).trim();
}

/** The condition is in the same clause, or follows it without a period. */
function isConditional(move: Move, next: Move | undefined): boolean {
  const isOpen = move.tokens.at(-1)?.kind !== 'stop';
  const [goesOn = ''] = next === undefined || !isOpen ? [] : plainWords(next.tokens);
  const words = plainWords(move.tokens);
  // "You're all set if you need anything else" is not a condition.
  const isIf = words.includes('if') && confirms(move) < 0.7;
  return isIf || words.some((word) => conditions.has(word)) || conditions.has(goesOn);
}

function isDepending({ claims }: Move): boolean {
  const [best] = claims;
  return best?.label === 'booking_confirmed=depends' && best.confidence >= 0.6;
}

/** The opening we requested is no longer available. */
export function isGone(heard: Heard): boolean {
  const isRefused = heard.moves.some(
    (move) => mayRefuse(move) && (move.acts.get('no-availability') ?? 0) >= 0.5,
  );
  return isRefused || isLost(heard);
}

const lost = wordSet('gone taken grabbed snapped filled');

/** "Oh no, somebody just grabbed that one": words of loss count whatever act was recognized. */
function isLost({ moves }: Heard): boolean {
  return moves.filter(mayRefuse).some(({ tokens }) => {
    const words = plainWords(tokens);
    return words.some((word) => lost.has(word)) && !words.includes('care') && !words.includes('not');
  });
}

const openings = wordSet('time slot spot opening longer anymore');

const pointing = wordSet('it that this one ones');

/**
 * A refusal that takes back the booking. While our question is open it must name the opening: "we don't have anything
 * like that" is about the number we asked for, and "the packet, filled out" about what to bring.
 */
export function takesBackBooking(heard: Heard, isAsked: boolean): boolean {
  const has = (words: ReadonlySet<string>): boolean =>
    heard.moves.some(({ tokens }) => plainWords(tokens).some((word) => words.has(word)));
  const namesOpening = !isAsked || has(openings);
  return (isLost(heard) && (namesOpening || has(pointing))) || (isGone(heard) && namesOpening);
}

function mayRefuse({ acts, isQuestion, tokens }: Move): boolean {
  if (isQuestion || (acts.get('confirms-booking') ?? 0) >= 0.5) return false;
  return !plainWords(tokens).every((word) => bare.has(word));
}
