import { speechBetweenPauses, withoutPauses } from '../person/phrase.ts';
import { chanceBetween } from '../person/seeded.ts';
import { durationMs, type Voice } from '../sound/synthesizer.ts';
import type { LineContext } from './line-context.ts';
import type { Speaker } from './sound-track.ts';

/** Speaks a text on one side of the line, which takes its natural time; returns what a listener would write down. */
export async function speak(
  { clock, track, character, speech, passTime }: LineContext,
  speaker: Speaker,
  text: string,
  voice: Voice,
): Promise<string> {
  const heard = withoutPauses(text);
  const startMs = clock.elapsedMs;
  // Noted first, so that a call that is cut in the middle of a sentence still shows it.
  const line = { speaker, text: heard, start_ms: startMs, end_ms: startMs };
  track.note(line);
  const [shortest, longest] = character.manners.pause_ms;
  for (const [index, stretch] of speechBetweenPauses(text).entries()) {
    if (index > 0)
      await passTime(chanceBetween(character.seed, `pause ${heard} ${index}`, shortest, longest));
    const samples = await speech(stretch, voice);
    track.play(speaker, clock.elapsedMs, samples);
    line.end_ms = clock.elapsedMs + durationMs(samples);
    await passTime(durationMs(samples));
  }
  return heard;
}
