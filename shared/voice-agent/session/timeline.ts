/** The speed of people and synthesized voices, in characters. */
const charactersPerSecond = 14;
/** The gap between the end of one side's words and the start of the other's. */
const pauseMs = 600;

/** How long saying this takes, in milliseconds. */
export function speakingMs(text: string): number {
  return Math.round((text.length / charactersPerSecond) * 1000);
}

/** How many characters are spoken in that time. */
export function charactersSpoken(ms: number): number {
  return Math.floor((ms / 1000) * charactersPerSecond);
}

/** The timeline's position after words that began at `offsetMs`. */
export function afterSpeaking(offsetMs: number, text: string): number {
  return offsetMs + speakingMs(text) + pauseMs;
}

/**
 * When words began, from the start of the conversation: not before the previous words could have been spoken, and
 * not before the clock says. On a real line the clock decides; on the sandbox phone, where speech takes almost no
 * time, the natural length of the words does.
 */
export function beganAt(freeFromMs: number, elapsedMs: number): number {
  return Math.max(freeFromMs, elapsedMs, 0);
}
