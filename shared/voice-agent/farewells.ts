import * as z from 'zod/mini';

/*
 * The last sentence of a call is not sent through the relay: nothing promises that `end` waits for queued speech. The
 * closing turn sends `end` with the farewell's name, and the document that the carrier then asks for says it and hangs
 * up. The name travels through the carrier and the sentence may be heard by anyone, so neither tells anything about
 * the patient.
 */

export const FarewellId = z.enum([
  'thanks',
  'wrong-number',
  'refused',
  'call-again',
  'follow-up',
  'voicemail',
  'fault',
]);
export type FarewellId = z.infer<typeof FarewellId>;

const sentences: Record<FarewellId, string> = {
  thanks: 'That is everything I needed. Thank you very much for your help. Have a good day. Goodbye.',
  'wrong-number': 'I am sorry, I must have the wrong number. Please excuse the interruption. Goodbye.',
  refused: 'I understand. Thank you for your time, and sorry for the interruption. Goodbye.',
  'call-again': 'Thank you. I will call again at a better time. Goodbye.',
  'follow-up': 'Thank you for your time. We will follow up another way. Goodbye.',
  voicemail: 'Hello, this is an automated assistant. I will try again later. Goodbye.',
  fault: 'I am sorry, there is a technical problem on my side. We will call again. Goodbye.',
};

/** The sentence spoken for a farewell, free of health information. */
export function farewellSentence(id: FarewellId): string {
  return sentences[id];
}

const Handoff = z.object({ farewell: FarewellId });

/** `handoffData` of the `end` frame. */
export function farewellHandoff(id: FarewellId): string {
  return JSON.stringify({ farewell: id } satisfies z.infer<typeof Handoff>);
}

/** The farewell named by the carrier's `HandoffData`; `null` when it names none. */
export function parseFarewellHandoff(handoffData: string | undefined): FarewellId | null {
  try {
    const result = Handoff.safeParse(JSON.parse(handoffData ?? ''));
    return result.success ? result.data.farewell : null;
  } catch {
    return null;
  }
}
