import * as z from 'zod/mini';
import { PhoneNumber } from '#shared/domain/values.ts';
import { spokenPhoneNumber } from '../language/speech.ts';

/*
 * The last sentence of a call does not go through the relay: `end` is not guaranteed to wait for queued speech. The
 * closing turn sends `end` with the farewell's name, and the answer document that the carrier then requests says it and
 * hangs up. The name passes through the carrier and anyone may hear the sentence, so neither reveals anything about
 * the patient.
 */

export const FarewellId = z.enum([
  'thanks',
  'wrong-number',
  'refused',
  'call-again',
  'follow-up',
  'voicemail',
  'on-hold',
  'unheard',
  'fault',
]);
export type FarewellId = z.infer<typeof FarewellId>;

/** A farewell with the values of its words. */
export const Farewell = z.object({
  farewell: FarewellId,
  /** The callback number for a voicemail; without one no message is left. */
  callback_number: z.optional(PhoneNumber),
  /** Who asks for it. */
  organization: z.optional(z.string()),
});
export type Farewell = z.infer<typeof Farewell>;

const sentences: Record<Exclude<FarewellId, 'voicemail'>, string> = {
  thanks: 'That is everything I needed. Thank you very much for your help. Have a good day. Goodbye.',
  'wrong-number': 'I am sorry, I must have the wrong number. Please excuse the interruption. Goodbye.',
  refused: 'I understand. Thank you for your time, and sorry for the interruption. Goodbye.',
  'call-again': 'Thank you. I will call again at a better time. Goodbye.',
  'follow-up': 'Thank you for your time. We will follow up another way. Goodbye.',
  'on-hold': 'I cannot stay on hold any longer. I will call again at another time. Goodbye.',
  unheard: 'I am sorry, I cannot hear anybody. I will call again at another time. Goodbye.',
  fault: 'I am sorry, there is a technical problem on my side. We will call again. Goodbye.',
};

/** The spoken words of a farewell, free of health information; null for hanging up silently. */
export function farewellWords({ farewell, callback_number, organization }: Farewell): string | null {
  if (farewell !== 'voicemail') return sentences[farewell];
  if (callback_number === undefined) return null;
  const number = spokenPhoneNumber(callback_number);
  const from = organization === undefined ? '' : ` from ${organization}`;
  const request = `Please call us back at ${number}. I repeat: ${number}.`;
  return `Hello. This is an automated assistant${from}. ${request} Thank you. Goodbye.`;
}

/** `handoffData` of the `end` frame. */
export function farewellHandoff(farewell: Farewell): string {
  return JSON.stringify(farewell);
}

/** The farewell named by the carrier's `HandoffData`; `null` if it names none. */
export function parseFarewellHandoff(handoffData: string | undefined): Farewell | null {
  try {
    const result = Farewell.safeParse(JSON.parse(handoffData ?? ''));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
