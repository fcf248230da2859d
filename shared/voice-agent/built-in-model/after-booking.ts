import type { Token } from '../entities/tokens.ts';
import { type Heard, likelihood } from '../understanding/understand.ts';
import { loseChoice, type Reaction, reactionTo, reconsider } from './after-choice.ts';
import { type ExactOpening, isExact, recordTime, settleBooking } from './booking.ts';
import { takesBackBooking } from './booking-words.ts';
import { isHolding } from './holding.ts';
import { saysGoodbye } from './obstacles.ts';
import type { OfferedOpening } from './openings.ts';
import { repeat, waitFor } from './questions.ts';
import type { TurnDraft } from './turn-draft.ts';

/** After a booking: gets the number and what to bring, and checks that both sides mean the same time. */
export function afterBooking(draft: TurnDraft, heard: Heard, openings: readonly OfferedOpening[]): void {
  const { memory } = draft;
  const { chosen } = memory.scheduling;
  if (chosen !== null && isExact(chosen)) {
    const reaction = reactionTo(chosen, heard, openings);
    if (contradicts(draft, heard, reaction)) {
      reconsider(draft, heard, chosen, reaction, false);
      return;
    }
    const isTakenBack = takesBackBooking(besideAnswer(draft, heard), draft.pendingItem !== null);
    if (isTakenBack && likelihood(heard, 'no-availability') >= 0.7) {
      loseChoice(draft, heard, chosen, openings);
      return;
    }
    if (reaction.isRepeated) memory.scheduling.read_back = true;
    if (memory.pending === 'read-back' && likelihood(heard, 'no') >= 0.6 && likelihood(heard, 'yes') < 0.4) {
      draft.memory.attempts.reread = (draft.memory.attempts.reread ?? 0) + 1;
      askWhatIsRight(draft, chosen);
      return;
    }
  }
  if (draft.hasSpoken) return;
  if (isHolding(heard, draft.pendingItem)) {
    waitFor(draft);
    return;
  }
  if (likelihood(heard, 'asks-repeat') >= 0.5 && repeat(draft)) return;
  closePending(draft, heard);
  if (saysGoodbye(heard)) draft.end('finished', 'thanks');
  else settleBooking(draft);
}

/** "Nothing at all" about what to bring: a short answer to our question does not cancel the appointment. */
function besideAnswer({ pendingItem }: TurnDraft, heard: Heard): Heard {
  const { moves } = heard;
  return pendingItem === null ? heard : { ...heard, moves: moves.filter(({ tokens }) => isLong(tokens)) };
}

const mostOfAnswer = 4;

function isLong(tokens: readonly Token[]): boolean {
  return tokens.filter(({ kind }) => kind === 'word').length > mostOfAnswer;
}

/** Words of correction name a time other than the booked one. */
function contradicts(
  { memory }: TurnDraft,
  heard: Heard,
  { isRepeated, others, corrects }: Reaction,
): boolean {
  if (isRepeated || others.length === 0) return false;
  return (
    corrects ||
    memory.pending === 'read-back' ||
    likelihood(heard, 'no') >= 0.6 ||
    likelihood(heard, 'confirms-booking') >= 0.6
  );
}

/** The time read back is wrong, and the right one was not given. */
function askWhatIsRight(draft: TurnDraft, chosen: ExactOpening): void {
  if ((draft.memory.attempts.reread ?? 0) > 1) {
    draft.memory.attempts['unsure-time'] = 1;
    recordTime(draft, chosen);
    draft.end('finished', 'follow-up');
    return;
  }
  draft.say("I'm sorry. For which day and time is the appointment booked?", { kind: 'question' });
  draft.memory.pending = 'read-back';
}

/** Never asks again for something they do not know, or have not answered twice. */
function closePending({ memory, pendingItem, answers }: TurnDraft, heard: Heard): void {
  if (pendingItem === null || answers.has(pendingItem.key)) return;
  const isUnknown = likelihood(heard, 'does-not-know', 'withholds') >= 0.5;
  const isDone = isUnknown || (memory.attempts[pendingItem.key] ?? 0) >= 2;
  if (isDone) memory.closed.push(pendingItem.key);
}
