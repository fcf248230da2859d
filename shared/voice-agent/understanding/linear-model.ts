/** A multinomial linear model over named features: small, reproducible, and evaluated in microseconds. */
export interface LinearModel {
  readonly labels: readonly string[];
  /** Position of each known feature by the hash of its name. */
  readonly positions: ReadonlyMap<number, number>;
  /** One signed byte per feature and label, feature by feature; the last row is the bias. */
  readonly weights: Int8Array;
  /** The value of one weight step. */
  readonly step: number;
  /** Divides the scores so that probabilities are calibrated; fitted on examples unseen in training. */
  readonly temperature: number;
}

export interface Guess {
  readonly label: string;
  /** Calibrated: about 80 % of the guesses with 0.8 are right. */
  readonly confidence: number;
}

/** FNV-1a, 32 bits. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** All labels with their probabilities, most likely first. */
export function guess(model: LinearModel, features: ReadonlyMap<string, number>): Guess[] {
  return ranked(model, scoresOf(model, features));
}

/** The probabilities of a model's scores, most likely first. */
export function ranked(
  { labels, temperature }: Pick<LinearModel, 'labels' | 'temperature'>,
  scores: readonly number[],
): Guess[] {
  const top = Math.max(...scores);
  const shares = scores.map((score) => Math.exp((score - top) / temperature));
  const sum = shares.reduce((total, share) => total + share, 0);
  return labels
    .map((label, at) => ({ label, confidence: (shares[at] ?? 0) / sum }))
    .sort((a, b) => b.confidence - a.confidence);
}

export function scoresOf(
  { labels, positions, weights, step }: LinearModel,
  features: ReadonlyMap<string, number>,
): number[] {
  const width = labels.length;
  const scores = Array.from(weights.subarray(positions.size * width), (bias) => bias * step);
  for (const [name, strength] of features) {
    const position = positions.get(hashOf(name));
    if (position === undefined) continue;
    const from = position * width;
    for (let at = 0; at < width; at += 1) {
      scores[at] = (scores[at] ?? 0) + (weights[from + at] ?? 0) * strength * step;
    }
  }
  return scores;
}

/** A stored model: hashes and weights in base64, little-endian. */
export interface StoredModel {
  readonly labels: readonly string[];
  readonly features: string;
  readonly weights: string;
  readonly step: number;
  readonly temperature: number;
}

export function loadModel({ labels, features, weights, step, temperature }: StoredModel): LinearModel {
  const bytes = Buffer.from(features, 'base64');
  const positions = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 4) positions.set(bytes.readUInt32LE(at), at / 4);
  const stored = Buffer.from(weights, 'base64');
  return {
    labels,
    positions,
    weights: new Int8Array(stored.buffer, stored.byteOffset, stored.length),
    step,
    temperature,
  };
}

export function storedModel({ labels, positions, weights, step, temperature }: LinearModel): StoredModel {
  const hashes = Buffer.alloc(positions.size * 4);
  for (const [hash, position] of positions) hashes.writeUInt32LE(hash, position * 4);
  return {
    labels,
    features: hashes.toString('base64'),
    weights: Buffer.from(weights.buffer, weights.byteOffset, weights.length).toString('base64'),
    step,
    temperature,
  };
}
