import { telephoneSampleRate } from './wav.ts';

/**
 * Halves the sample rate to telephone rate: a low-pass filter removes what exceeds the telephone band, then every
 * second sample is kept. Without the filter, sounds between 4 and 8 kHz (every "s") would alias as noise. Returns
 * audio at telephone rate unchanged.
 */
export function toTelephoneRate(samples: Int16Array, sampleRate: number): Int16Array {
  if (sampleRate === telephoneSampleRate) return samples;
  if (sampleRate !== telephoneSampleRate * 2) throw new Error(`cannot resample from ${sampleRate} Hz`);
  const reach = (filter.length - 1) / 2;
  const result = new Int16Array(Math.ceil(samples.length / 2));
  for (let index = 0; index < result.length; index += 1) {
    const center = index * 2;
    const first = Math.max(0, center - reach);
    const last = Math.min(samples.length - 1, center + reach);
    let sum = 0;
    for (let at = first; at <= last; at += 1) {
      sum += (samples[at] ?? 0) * (filter[at - center + reach] ?? 0);
    }
    result[index] = Math.max(-32768, Math.min(32767, Math.round(sum)));
  }
  return result;
}

const filter = lowPassFilter(3600 / 16000, 63);

/** Windowed-sinc (Blackman) low-pass with unit gain at 0 Hz; `cutoff` as a fraction of the sample rate. */
function lowPassFilter(cutoff: number, length: number): Float64Array {
  const middle = (length - 1) / 2;
  const taps = Float64Array.from({ length }, (_, index) => {
    const distance = index - middle;
    const sinc =
      distance === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * distance) / (Math.PI * distance);
    const phase = (2 * Math.PI * index) / (length - 1);
    return sinc * (0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase));
  });
  const gain = taps.reduce((sum, tap) => sum + tap, 0);
  return taps.map((tap) => tap / gain);
}
