import type { Character } from './character.ts';
import type { Exchange, PersonEvent, PersonState, Reaction } from './person-state.ts';

/** The reaction with an account of it in its state. */
export function withAccount(
  character: Character,
  before: PersonState,
  event: PersonEvent,
  reaction: Reaction,
): Reaction {
  const { state, utterances } = reaction;
  if (utterances.length === 0 && event.kind !== 'heard')
    return { ...reaction, state: { ...state, exchanges: before.exchanges } };
  // The person who heard something answers it, even by transferring the caller.
  const stage = event.kind === 'picked-up' || event.kind === 'time' ? state.stage : before.stage;
  const exchange: Exchange = {
    stage,
    isHuman: isHuman(character, stage),
    heard: event.kind === 'heard' ? event.text : null,
    wasCut: event.kind === 'heard' && event.wasCut === true,
    says: utterances.map(({ transcribed }) => transcribed),
    about: occasionsOf(before, event, state),
  };
  return { ...reaction, state: { ...state, exchanges: [...before.exchanges, exchange] } };
}

function isHuman({ stages }: Character, name: string): boolean {
  const stage = stages[name];
  return stage === undefined || stage.kind === 'person';
}

/** What came up in this reaction. What was looked up comes up when it is asked for, and is said some time later. */
function occasionsOf(before: PersonState, event: PersonEvent, after: PersonState): readonly string[] {
  // The count starts over when someone else picks up.
  const earlier = before.stage === after.stage ? before.occasions : {};
  const noted = Object.keys(after.occasions).filter(
    (occasion) => (after.occasions[occasion] ?? 0) > (earlier[occasion] ?? 0),
  );
  const isLate = event.kind === 'time' && before.awaiting?.kind === 'answer';
  return isLate && noted.length === 0 ? (before.exchanges.at(-1)?.about ?? []) : noted;
}
