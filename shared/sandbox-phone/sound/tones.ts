import { repeated } from './line-sounds.ts';
import { isSpeakable } from './pronunciation.ts';
import type { Voice } from './synthesizer.ts';
import { telephoneSampleRate } from './wav.ts';

/** A fluent speaker's characters per second, spaces and all. */
const charactersPerSecond = 14;

/** Pitch of each voice in Hz, all different, so that a listener can tell the two sides apart. */
const pitches: Readonly<Record<Voice, number>> = { slt: 210, awb: 140, rms: 110, kal16: 170, kal: 90 };

/**
 * Bursts of a tone as long as the words of a text would take: for many concurrent calls without listeners. A text
 * without anything to pronounce is a short silence, as with real voices. All texts of a voice share the samples, which
 * must not be changed.
 */
export function toneBursts(text: string, voice: Voice): Int16Array {
  const plain = text.replace(/<[^<>]*>/g, ' ').trim();
  if (!isSpeakable(plain)) return new Int16Array(telephoneSampleRate / 5);
  const length = Math.round((plain.length * telephoneSampleRate) / charactersPerSecond);
  return atLeast(length, voice).subarray(0, length);
}

const longest = new Map<Voice, Int16Array>();

/** A stretch of bursts that is long enough, made of copies of the first second. */
function atLeast(length: number, voice: Voice): Int16Array {
  const known = longest.get(voice);
  if (known !== undefined && known.length >= length) return known;
  const second = known?.subarray(0, telephoneSampleRate) ?? secondOf(pitches[voice]);
  const samples = repeated(second, length);
  longest.set(voice, samples);
  return samples;
}

/** Four bursts a second, about as many as spoken language has syllables, swelling and fading so that nothing clicks. */
function secondOf(pitch: number): Int16Array {
  const burst = telephoneSampleRate / 4;
  const sounding = burst * 0.8;
  return Int16Array.from({ length: telephoneSampleRate }, (_, at) => {
    const within = at % burst;
    if (within >= sounding) return 0;
    return (
      12_000 *
      Math.sin((Math.PI * within) / sounding) *
      Math.sin((2 * Math.PI * pitch * at) / telephoneSampleRate)
    );
  });
}
