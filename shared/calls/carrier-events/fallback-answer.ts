import { farewellDocument, hangUpDocument } from '#shared/carrier/answer-document.ts';
import { farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';

/** Where the carrier asks when a document of ours did not come or cannot be carried out (Twilio's `FallbackUrl`). */
export const fallbackAnswerPath = '/carrier-fallback';

/**
 * What somebody hears whose call cannot be held: an apology instead of the carrier's own error. It is the
 * same for everybody and needs neither table nor secret, so it works even when everything else fails.
 */
export function fallbackAnswer(): string {
  const words = farewellWords({ farewell: 'fault' });
  return words === null ? hangUpDocument() : farewellDocument(words);
}
