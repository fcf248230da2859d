import type { Voice } from '../sound/synthesizer.ts';

/** Men among the most common provider voices; the woman's voice speaks for all others. */
const menVoices =
  /\b(matthew|joey|justin|kevin|stephen|gregory|brian|arthur|russell|guy|davis|adam|josh|daniel|man)\b|-(b|d|i|j)$/i;

/** The synthesizer's voice for a document's voice; never the person's. */
export function agentVoice(named: string | null, personVoice: Voice): Voice {
  const voice: Voice = named !== null && menVoices.test(named) ? 'rms' : 'slt';
  if (voice !== personVoice) return voice;
  return voice === 'slt' ? 'rms' : 'awb';
}
