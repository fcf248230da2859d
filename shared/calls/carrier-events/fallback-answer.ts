import { farewellDocument, hangUpDocument } from '#shared/carrier/answer-document.ts';
import { farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';

/** Path that the carrier requests when a TwiML document cannot be fetched or executed (Twilio's `FallbackUrl`). */
export const fallbackAnswerPath = '/carrier-fallback';

/**
 * What a person hears when the call fails: an apology instead of the carrier's own error. Static, without table or
 * secret, so that it works when all else fails.
 */
export function fallbackAnswer(): string {
  const words = farewellWords({ farewell: 'fault' });
  return words === null ? hangUpDocument() : farewellDocument(words);
}
