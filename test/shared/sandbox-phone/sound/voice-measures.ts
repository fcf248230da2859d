/** Loudness of a channel: root mean square, 0 to 1. */
export function loudness(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += (sample / 32768) ** 2;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

/** Median pitch (Hz) of voiced speech, by autocorrelation over windows of 50 ms. */
export function pitch(samples: Int16Array, sampleRate = 8000): number {
  const window = Math.round(sampleRate * 0.05);
  const pitches: number[] = [];
  for (let start = 0; start + window * 2 <= samples.length; start += window) {
    const part = samples.subarray(start, start + window * 2);
    if (loudness(part) < 0.03) continue;
    let best = { lag: 0, correlation: 0 };
    for (let lag = Math.round(sampleRate / 300); lag <= Math.round(sampleRate / 70); lag += 1) {
      let product = 0;
      let energy = 0;
      for (let at = 0; at < window; at += 1) {
        product += (part[at] ?? 0) * (part[at + lag] ?? 0);
        energy += ((part[at] ?? 0) ** 2 + (part[at + lag] ?? 0) ** 2) / 2;
      }
      const correlation = energy === 0 ? 0 : product / energy;
      if (correlation > best.correlation) best = { lag, correlation };
    }
    if (best.correlation > 0.7) pitches.push(sampleRate / best.lag);
  }
  pitches.sort((a, b) => a - b);
  return pitches[Math.floor(pitches.length / 2)] ?? 0;
}
