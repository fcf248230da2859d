import { telephoneSampleRate } from './wav.ts';

/** The tone after which a mailbox records: half a second at 1000 Hz. */
export function beep(): Int16Array {
  beepSamples ??= tone(1000, 0.5, 9000);
  return beepSamples;
}

/**
 * Hold music of that natural length. The samples are shared and must not be changed.
 * @param lengthMs natural milliseconds
 */
export function holdMusic(lengthMs: number): Int16Array {
  music ??= melody();
  const length = Math.round((lengthMs * telephoneSampleRate) / 1000);
  if (longestMusic.length < length) longestMusic = repeated(music, length);
  return longestMusic.subarray(0, length);
}

/**
 * The answering tone of a fax machine, 2100 Hz (ITU-T T.30), repeated for that natural length. The samples are
 * shared and must not be changed.
 * @param lengthMs natural milliseconds
 */
export function faxTone(lengthMs: number): Int16Array {
  const length = Math.round((lengthMs * telephoneSampleRate) / 1000);
  if (longestFaxTone.length < length) longestFaxTone = repeated(answeringTone(), length);
  return longestFaxTone.subarray(0, length);
}

/** Copies of a sound, at least as long as requested. */
export function repeated(sound: Int16Array, length: number): Int16Array {
  const samples = new Int16Array(Math.ceil(length / sound.length) * sound.length);
  for (let at = 0; at < samples.length; at += sound.length) samples.set(sound, at);
  return samples;
}

let beepSamples: Int16Array | undefined;
let music: Int16Array | undefined;
let longestMusic: Int16Array = new Int16Array(0);
let longestFaxTone: Int16Array = new Int16Array(0);

/** A broken chord, quiet enough to talk over: C, E, G, C, A, F, D, G, half a second each. */
function melody(): Int16Array {
  const notes = [262, 330, 392, 523, 440, 349, 294, 392].map((pitch) => tone(pitch, 0.5, 3500));
  const samples = new Int16Array(notes.reduce((sum, note) => sum + note.length, 0));
  let at = 0;
  for (const note of notes) {
    samples.set(note, at);
    at += note.length;
  }
  return samples;
}

/** Three seconds of tone and one of silence. */
function answeringTone(): Int16Array {
  const samples = new Int16Array(4 * telephoneSampleRate);
  samples.set(tone(2100, 3, 6000));
  return samples;
}

/** Swelling and fading, so that nothing clicks. */
function tone(pitch: number, seconds: number, loudest: number): Int16Array {
  const length = Math.round(seconds * telephoneSampleRate);
  return Int16Array.from(
    { length },
    (_, at) =>
      loudest *
      Math.sin((Math.PI * at) / length) *
      Math.sin((2 * Math.PI * pitch * at) / telephoneSampleRate),
  );
}
