import type { Character } from '../person/character.ts';
import { chanceBetween } from '../person/seeded.ts';
import type { MachineDetection } from '../store/sandbox-call.ts';
import type { AmdVerdict } from '../wire.ts';

export interface Verdict {
  readonly answeredBy: AmdVerdict;
  /** How long detection listens before it decides, in natural milliseconds from the answer. */
  readonly afterMs: number;
}

/** How long detection listens to speech, in natural milliseconds: about as long as real ones do. */
const listensMs = { shortest: 2500, longest: 4500 } as const;

/**
 * The detection's verdict on the person or machine that picks up, and when. It errs like real detection: a menu passes
 * for a machine that takes messages.
 */
export function judgeAnswer(character: Character, settings: MachineDetection): Verdict {
  const answeredBy = character.amd ?? usualVerdict(character);
  const afterMs =
    answeredBy === 'unknown' && isSilentAtFirst(character)
      ? settings.silence_timeout_ms
      : chanceBetween(character.seed, 'detection', listensMs.shortest, listensMs.longest);
  return afterMs <= settings.timeout_ms
    ? { answeredBy, afterMs }
    : { answeredBy: 'unknown', afterMs: settings.timeout_ms };
}

function usualVerdict(character: Character): AmdVerdict {
  if (firstMachine(character) !== null) return 'machine_start';
  return isSilentAtFirst(character) ? 'unknown' : 'human';
}

/** The person who picks up waits for the caller to speak. */
function isSilentAtFirst(character: Character): boolean {
  const first = character.stages[character.firstStage];
  const persona = first?.kind === 'person' ? first.persona : character;
  return firstMachine(character) === null && persona.greeting.length === 0;
}

function firstMachine({ stages, firstStage }: Character): string | null {
  const first = stages[firstStage];
  return first === undefined || first.kind === 'person' ? null : first.kind;
}
