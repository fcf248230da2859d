import { localDay } from '../language/calendar.ts';
import { isMailbox } from '../scripted-model/mailbox.ts';
import { reachQuestion } from '../scripted-model/phrasing.ts';
import { type Heard, understand } from '../scripted-model/understanding.ts';
import { agreesToBeRightPlace, handsOver, presentsAsRightPlace } from '../scripted-model/whom-we-reached.ts';
import type { DialogueInput } from './dialogue-model.ts';
import { type LikelyListener, likelyListener } from './likely-listener.ts';

/**
 * Whom the words so far show to be on the line:
 * - `right-place`: the kind of place that we call
 * - `unclear`: somebody, who has not said where they are
 * - `nobody-to-tell`: a voicemail, or a wrong number
 */
export type Reached = 'right-place' | 'unclear' | 'nobody-to-tell';

/**
 * Told from the transcript alone, by the rules of the scripted model, so that a model which leaves such things to chance
 * need not be trusted with it.
 */
export function reachedSoFar(input: DialogueInput): Reached {
  const { plan, history, event, now } = input;
  const listener = likelyListener(input);
  const today = localDay(now, plan.time_zone);
  const lines = [
    ...history.map(({ role, content, index }) => ({ isOurs: role === 'assistant', content, index })),
    ...(event.type === 'heard' ? [{ isOurs: false, content: event.text, index: event.turn }] : []),
  ];
  const last = lines.findLast(({ isOurs }) => !isOurs);
  if (last === undefined) return 'unclear';
  if (isNobodyToTell(understand(last.content, last.index, today), listener)) return 'nobody-to-tell';
  // A recording names the place as well; whoever answers is asked first.
  const mayTell = listener !== 'machine';
  let wasAsked = false;
  let isRight = false;
  for (const { isOurs, content, index } of lines) {
    if (isOurs) {
      wasAsked = asksWhomWeReached(content, reachQuestion(plan));
      continue;
    }
    const heard = understand(content, index, today);
    if (heard.signals.has('voicemail')) continue;
    // Whoever comes on the line next is asked anew.
    if (heard.signals.has('transfer') || handsOver(heard)) isRight = false;
    else if (presentsAsRightPlace(heard, plan.callee)) isRight = true;
    else if (wasAsked && agreesToBeRightPlace(heard, plan.callee)) isRight = true;
  }
  return isRight && mayTell ? 'right-place' : 'unclear';
}

export function asksWhomWeReached(words: string, question: string): boolean {
  return words.includes(question) || /\bhave i reached\b[^.!?]*\?/i.test(words);
}

function isNobodyToTell(heard: Heard, listener: LikelyListener | null): boolean {
  const { signals } = heard;
  return isMailbox(heard, listener) || (signals.has('wrong-number') && !signals.has('wrong-department'));
}
