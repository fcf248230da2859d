import type { DialogueInput } from '../dialogue-model.ts';
import { sentencesOf } from '../language/text.ts';
import { signalsIn } from '../scripted-model/line-signals.ts';

/**
 * Whether somebody is on the line who may be told what the call is about. Nobody is before the first word was heard, and
 * nobody when the last words are those of a voicemail or of a wrong number: a model that does not know the facts then
 * cannot tell them.
 */
export function mayBeTold({ history, event }: DialogueInput): boolean {
  const lastHeard =
    event.type === 'heard' ? event.text : history.findLast(({ role }) => role === 'user')?.content;
  if (lastHeard === undefined) return false;
  const signals = new Set(sentencesOf(lastHeard).flatMap(({ plain }) => [...signalsIn(plain)]));
  return !signals.has('voicemail') && !(signals.has('wrong-number') && !signals.has('wrong-department'));
}
