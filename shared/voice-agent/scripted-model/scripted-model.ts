import type { DialogueAction, DialogueInput, DialogueModel } from '../dialogue/dialogue-model.ts';
import { likelyListener } from '../dialogue/likely-listener.ts';
import { localDay } from '../language/calendar.ts';
import { forgetUnheard } from './interruption.ts';
import { emptyMemory, Memory } from './memory.ts';
import { chooseFromMenu } from './menu.ts';
import { open, respond } from './policy.ts';
import { promptAgain } from './side-talk.ts';
import { TurnDraft } from './turn-draft.ts';
import { type Heard, understand } from './understanding.ts';

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
export function decide(input: DialogueInput): DialogueAction[] {
  const { plan, record, memory, event, now } = input;
  const known = memory === null ? emptyMemory : Memory.parse(memory);
  const today = localDay(now, plan.time_zone);
  const draft = new TurnDraft(plan, record, known, { today, listener: likelyListener(input) });
  switch (event.type) {
    case 'opened':
      open(draft);
      break;
    case 'heard':
      draft.memory.silences = 0;
      respond(draft, hear(draft, event.text, event.turn));
      break;
    case 'silence':
      respondToSilence(draft);
      break;
    case 'interrupted':
      // The person's words follow.
      forgetUnheard(draft, event.heard);
      break;
    case 'key-pressed':
      // Keys mean nothing to us.
      break;
  }
  return draft.finish();
}

/** Nobody says more in one go; more would only take time from whoever waits for an answer. */
const mostWords = 400;

function interpretable(draft: TurnDraft, text: string): string {
  const words = text.split(/\s/, mostWords + 1);
  if (words.length <= mostWords) return text;
  draft.followUp('The person said more in one go than was interpreted; the transcript has all of it.');
  return words.slice(0, mostWords).join(' ');
}

/** What was heard, with what broke off before it. */
function hear(draft: TurnDraft, said: string, turn: number): Heard {
  const text = interpretable(draft, said);
  const { unfinished } = draft.memory;
  draft.memory.unfinished = null;
  if (unfinished === null) return understand(text, turn, draft.today);
  draft.joined = { lead: unfinished.text, leadTurn: unfinished.turn, text, turn };
  return understand(`${unfinished.text} ${text}`, turn, draft.today);
}

/** Nobody speaks: a menu may have come to its end, words that broke off may have been all; else the question again. */
function respondToSilence(draft: TurnDraft): void {
  const { unfinished } = draft.memory;
  if (chooseFromMenu(draft)) return;
  if (draft.memory.line === 'machine') {
    draft.wait();
    return;
  }
  if (endsAtMachine(draft)) return;
  if (unfinished === null) {
    promptAgain(draft);
    return;
  }
  draft.memory.unfinished = null;
  respond(draft, understand(unfinished.text, unfinished.turn, draft.today));
  if (!draft.hasSpoken && !draft.isOver) promptAgain(draft);
}

/**
 * Silence after no more than a greeting, from what detection takes for a machine, and no sign of a menu or a person:
 * nobody is there who will speak.
 */
function endsAtMachine(draft: TurnDraft): boolean {
  const { line } = draft.memory;
  if (line !== 'open') return false;
  switch (draft.listener) {
    case 'machine':
      draft.end('voicemail', 'voicemail');
      return true;
    case 'fax':
      draft.end('gave-up', 'unheard');
      return true;
    case 'human':
    case null:
      return false;
  }
}
