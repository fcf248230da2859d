import { synthesize, type Voice } from './synthesizer.ts';
import { toneBursts } from './tones.ts';

/** Sound of a call's words: real voices, or tones of the same length, which cost almost nothing. */
export const speechKinds = ['voices', 'tones'] as const;
export type SpeechKind = (typeof speechKinds)[number];

/** A text as telephone sound (8 kHz, 16-bit). */
export type Speech = (text: string, voice: Voice) => Promise<Int16Array>;

export const speechOf: Readonly<Record<SpeechKind, Speech>> = {
  voices: synthesize,
  tones: async (text, voice) => toneBursts(text, voice),
};
