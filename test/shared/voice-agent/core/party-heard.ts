import type { Callee } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { type Heard, understand } from '#shared/voice-agent/understanding/understand.ts';

/** The words as an answer to "Have I reached …?" or at pick-up. */
export function hear(said: string, isAsked: boolean): Heard {
  return understand(said, 1, { today: '2026-11-16', after: isAsked ? 'reach-question' : 'opening' });
}

/** The party once these words have been heard. */
export function partyHeard(said: string, callee: Callee, isAsked: boolean): Party {
  return partyAfter({ ...nobodyYet, is_asked: isAsked }, hear(said, isAsked), { callee, place: null }, false);
}
