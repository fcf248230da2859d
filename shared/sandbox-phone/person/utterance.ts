import type { Voice } from '../sound/synthesizer.ts';
import type { Character } from './character.ts';
import type { Utterance } from './person-state.ts';
import { withoutPauses } from './phrase.ts';
import { transcribe } from './transcription.ts';

/** The words as they are spoken, and as this person's words reach the caller. */
export function utter(character: Character, spoken: string, voice: Voice): Utterance {
  return { spoken, transcribed: transcribe(withoutPauses(spoken), character), voice };
}

/** The sentences of a text, without an end after a title or an initial. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<!\b(?:Dr|Mr|Mrs|Ms|St|No|Ave|[A-Z]|[ap]\.m)\.)(?<=[.?!])\s+(?=\S)/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(withoutPauses(sentence)));
}
