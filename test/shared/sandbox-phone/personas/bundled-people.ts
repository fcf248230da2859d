import { type Character, castCharacter } from '#shared/sandbox-phone/person/character.ts';
import { react } from '#shared/sandbox-phone/person/person.ts';
import { newPerson, type PersonEvent, type PersonState } from '#shared/sandbox-phone/person/person-state.ts';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';

export const directory = bundledDirectory();
export const today = { year: 2026, month: 11, day: 20 };

export function cast(number: string, seed = 'a', callSid = 'CA1'): Character {
  return castCharacter({ ...directory, file: personaAt(directory, number), today, seed, callSid });
}

/** Holds a conversation and returns what the person said, greeting first. */
export function talk(
  character: Character,
  ...lines: (string | null)[]
): { says: string[]; state: PersonState; hungUp: boolean } {
  const says: string[] = [];
  let state = newPerson;
  let hungUp = false;
  const events: PersonEvent[] = [
    { kind: 'picked-up' },
    ...lines.map((text): PersonEvent => (text === null ? { kind: 'silence' } : { kind: 'heard', text })),
  ];
  for (const event of events) {
    if (hungUp) break;
    const reaction = react(character, state, event);
    state = reaction.state;
    hungUp = reaction.hangsUp;
    says.push(reaction.utterances.map(({ transcribed }) => transcribed).join(' '));
  }
  return { says, state, hungUp };
}

export const seeds = Array.from({ length: 12 }, (_, index) => `seed ${index}`);
export const frontDesk = '+12025550100';
export const providerLine = '+12025550101';
export const claimsLine = '+12025550102';
export const officeManager = '+12025550103';
export const anybody = '+12025559999';
