import type { Voice } from '../sound/synthesizer.ts';

/** Men among the providers' voices that are used most; all others are spoken by the woman's voice. */
const menVoices =
  /\b(matthew|joey|justin|kevin|stephen|gregory|brian|arthur|russell|guy|davis|adam|josh|daniel|man)\b|-(b|d|i|j)$/i;

/** The synthesizer's voice for the voice that a document names; never the same as the person's. */
export function agentVoice(named: string | null, personVoice: Voice): Voice {
  const voice: Voice = named !== null && menVoices.test(named) ? 'rms' : 'slt';
  if (voice !== personVoice) return voice;
  return voice === 'slt' ? 'rms' : 'awb';
}
