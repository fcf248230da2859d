import type { CalledPerson } from '../store/sandbox-call.ts';
import type { Character } from './character.ts';
import type { PersonState } from './person-state.ts';

/** Who was called, and what they knew, told and booked; without a state they did not speak. */
export function calledPerson(character: Character, state: PersonState | null): CalledPerson {
  return {
    id: character.id,
    seed: character.seed,
    knows: Object.fromEntries(
      Object.entries(character.knownOnTheLine).map(([name, { type, value }]) => [name, { type, value }]),
    ),
    told: [...(state?.told ?? [])],
    booked: state?.booking ?? null,
    exchanges: (state?.exchanges ?? []).map((exchange) => ({
      ...exchange,
      says: [...exchange.says],
      about: [...exchange.about],
    })),
  };
}
