import type { DialogueAction, DialogueInput, DialogueModel } from '../dialogue-model.ts';
import { localDay } from '../language/calendar.ts';
import { emptyMemory, Memory } from './memory.ts';
import { open, respond } from './policy.ts';
import { repeatLast } from './side-talk.ts';
import { TurnDraft } from './turn-draft.ts';
import { understand } from './understanding.ts';

/**
 * The built-in dialogue model: rules only, no network, the same words for the same words. It knows nothing of the
 * person but what it hears.
 */
export const scriptedModel: DialogueModel = {
  name: 'scripted',
  isImmediate: true,
  async *takeTurn(input) {
    yield* decide(input);
  },
};

/** One turn of the scripted model. Pure. */
export function decide({ plan, record, memory, event, now }: DialogueInput): DialogueAction[] {
  const known = memory === null ? emptyMemory : Memory.parse(memory);
  const draft = new TurnDraft(plan, record, known, localDay(now, plan.time_zone));
  switch (event.type) {
    case 'opened':
      open(draft);
      break;
    case 'heard':
      respond(draft, understand(event.text, event.turn, draft.today));
      break;
    case 'silence':
      repeatLast(draft);
      break;
    case 'interrupted':
    case 'key-pressed':
      // The person's words follow; keys mean nothing to us.
      break;
  }
  return draft.finish();
}
