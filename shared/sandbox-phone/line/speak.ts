import { speechBetweenPauses, withoutPauses } from '../person/phrase.ts';
import { chanceBetween } from '../person/seeded.ts';
import { durationMs, type Voice } from '../sound/synthesizer.ts';
import type { SpokenLine } from '../store/sandbox-call.ts';
import type { LineContext } from './line-context.ts';
import type { Speaker } from './sound-track.ts';

/** Steps of interruptible speech, in natural time. */
const stepMs = 250;

/**
 * Speaks a text on one side of the line in natural time. Polls `isCut` meanwhile; once true, the speaker falls
 * silent.
 * @returns whether all of it was said
 */
export async function speak(
  context: LineContext,
  speaker: Speaker,
  text: string,
  voice: Voice,
  isCut: () => boolean = () => false,
): Promise<boolean> {
  const { clock, track, character, speech, passTime } = context;
  const line = startLine(context, speaker, withoutPauses(text));
  const [shortest, longest] = character.defaults.pause_ms;
  for (const [index, stretch] of speechBetweenPauses(text).entries()) {
    if (index > 0)
      await passTime(chanceBetween(character.seed, `pause ${line.text} ${index}`, shortest, longest));
    const samples = await speech(stretch, voice);
    const endMs = clock.elapsedMs + durationMs(samples);
    track.play(speaker, clock.elapsedMs, samples);
    line.end_ms = endMs;
    while (clock.elapsedMs < endMs) {
      await passTime(Math.min(stepMs, endMs - clock.elapsedMs));
      if (!isCut()) continue;
      line.text = firstShare(line.text, (clock.elapsedMs - line.start_ms) / (endMs - line.start_ms));
      line.end_ms = clock.elapsedMs;
      track.cutAt(speaker, clock.elapsedMs);
      return false;
    }
  }
  return true;
}

/** Recorded before speaking, so that a call cut mid-sentence still shows it. */
export function startLine({ clock, track }: LineContext, speaker: Speaker, text: string): SpokenLine {
  const line = { speaker, text, start_ms: clock.elapsedMs, end_ms: clock.elapsedMs };
  track.note(line);
  return line;
}

function firstShare(text: string, share: number): string {
  const words = text.split(' ');
  return words.slice(0, Math.ceil(words.length * Math.min(1, share))).join(' ');
}
