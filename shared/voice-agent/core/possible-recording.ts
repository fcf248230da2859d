import { plainWords } from '../call-plan/words.ts';
import { hasQuestionMark } from '../entities/tokens.ts';
import menus from '../language/en-US/menu-choices.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import type { Party } from './right-party.ts';

/* An introduction may be a recording, however human it sounds. */

/**
 * The party as far as a recording may prove it: while detection calls whoever answered a machine, or the words ask for
 * a message, an introduction proves nothing. The verdict may come after the introduction.
 */
export function unlessRecording(known: Party, isMachine: boolean, heard: Heard | null): Party {
  const asks = heard !== null && requestsMessage(heard);
  const party = { ...known, may_be_recording: (isMachine || asks) && known.since === 0 };
  const isUnasked = party.status === 'verified' && party.asked === 0;
  return party.may_be_recording && isUnasked
    ? { ...party, status: 'unverified', quote: null, turn: null }
    : party;
}

/** Whether the words are a recording's last ones: "Leave the patient's name and a number", "after the tone". */
export function requestsMessage({ moves }: Heard): boolean {
  return moves.some(asksForMessage);
}

function asksForMessage({ text, tokens }: Move): boolean {
  const words = plainWords(text);
  const at = words.findIndex((word) => leaving.has(word));
  const things = words.slice(at + 1, at + mostBetween);
  const asks = at >= 0 && things.some((word) => menus.messageThings.includes(word));
  return !hasQuestionMark(tokens) && (asks || words.some((word) => menus.sounds.includes(word)));
}

const leaving: ReadonlySet<string> = new Set(['leave', 'record']);
const mostBetween = 7;
