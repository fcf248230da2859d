import { hashOf, type LinearModel, ranked, scoresOf } from './linear-model.ts';

export interface Example {
  readonly label: string;
  readonly features: ReadonlyMap<string, number>;
  /** Examples of one author voice and paraphrase family are never split between training and test. */
  readonly family: string;
}

export interface TrainingOptions {
  /** Keeps the most frequent features. */
  readonly mostFeatures: number;
  readonly epochs?: number;
  readonly learningRate?: number;
  readonly decay?: number;
}

/** Softmax regression by AdaGrad. The same examples in the same order give the same bytes. */
export function trainModel(examples: readonly Example[], options: TrainingOptions): LinearModel {
  return trainOn(numbered(examples), [...examples.keys()], options);
}

/** Examples as numbers, for all the models that learn from them. */
interface Lessons {
  readonly labels: readonly string[];
  /** The hash of each feature's name. Feature 0 is the bias, the last entry of each example. */
  readonly hashes: readonly number[];
  /** Where each example's entries start, and where the last one's end. */
  readonly starts: Uint32Array;
  /** The feature of each entry. */
  readonly features: Uint32Array;
  /** The strength of each entry. */
  readonly strengths: Float64Array;
}

function numbered(examples: readonly Example[]): Lessons {
  const total = examples.reduce((sum, { features }) => sum + features.size + 1, 0);
  const starts = new Uint32Array(examples.length + 1);
  const features = new Uint32Array(total);
  const strengths = new Float64Array(total);
  const hashes = [-1];
  const numbers = new Map<number, number>();
  let entry = 0;
  examples.forEach((example, at) => {
    for (const [name, strength] of example.features) {
      const hash = hashOf(name);
      let number = numbers.get(hash);
      if (number === undefined) {
        number = hashes.push(hash) - 1;
        numbers.set(hash, number);
      }
      features[entry] = number;
      strengths[entry] = strength;
      entry += 1;
    }
    strengths[entry] = 1;
    entry += 1;
    starts[at + 1] = entry;
  });
  return { labels: examples.map(({ label }) => label), hashes, starts, features, strengths };
}

/** @param chosen which of the examples to learn from */
function trainOn(lessons: Lessons, chosen: readonly number[], options: TrainingOptions): LinearModel {
  const labels = [...new Set(chosen.map((at) => lessons.labels[at] ?? ''))].sort();
  const targets = Int32Array.from(lessons.labels, (label) => labels.indexOf(label));
  const kept = mostFrequent(lessons, chosen, options.mostFeatures);
  const width = labels.length;
  const rowOf = new Int32Array(lessons.hashes.length).fill(-1);
  kept.forEach((feature, position) => {
    rowOf[feature] = position * width;
  });
  rowOf[0] = kept.length * width;
  const { epochs = 40, learningRate = 0.5, decay = 1e-5 } = options;
  const learner: Learner = {
    width,
    learningRate,
    decay,
    rowOf,
    weights: new Float64Array((kept.length + 1) * width),
    history: new Float64Array((kept.length + 1) * width).fill(1e-8),
    scores: new Float64Array(width),
  };
  const share = labelWeights(targets, chosen, width);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const place of shuffled(chosen.length, epoch + 1)) {
      const at = chosen[place] ?? 0;
      const target = targets[at] ?? 0;
      learn(learner, lessons, { at, target, weight: share[target] ?? 1 });
    }
  }
  const positions = new Map(kept.map((feature, position) => [lessons.hashes[feature] ?? 0, position]));
  return quantized(labels, positions, learner.weights);
}

/** Rare labels weigh more, but less than in proportion. */
function labelWeights(targets: Int32Array, chosen: readonly number[], width: number): number[] {
  const counts = new Array<number>(width).fill(0);
  for (const at of chosen) counts[targets[at] ?? 0] = (counts[targets[at] ?? 0] ?? 0) + 1;
  const mean = chosen.length / width;
  return counts.map((count) => Math.sqrt(mean / Math.max(1, count)));
}

/** The features of more than one chosen example, most frequent first. */
function mostFrequent(
  { hashes, starts, features }: Lessons,
  chosen: readonly number[],
  most: number,
): number[] {
  const counts = new Uint32Array(hashes.length);
  for (const at of chosen) {
    // The last entry is the bias.
    const end = (starts[at + 1] ?? 0) - 1;
    for (let entry = starts[at] ?? 0; entry < end; entry += 1) {
      const feature = features[entry] ?? 0;
      counts[feature] = (counts[feature] ?? 0) + 1;
    }
  }
  return [...hashes.keys()]
    .filter((feature) => (counts[feature] ?? 0) > 1)
    .sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || (hashes[a] ?? 0) - (hashes[b] ?? 0))
    .slice(0, most);
}

interface Learner {
  readonly width: number;
  readonly learningRate: number;
  readonly decay: number;
  /** Where each feature's weights start, one per label; negative if the model does not keep the feature. */
  readonly rowOf: Int32Array;
  readonly weights: Float64Array;
  /** The sum of the squares of each weight's gradients. */
  readonly history: Float64Array;
  /** One per label: a buffer reused by every step. */
  readonly scores: Float64Array;
}

/** One step. The order of every sum is part of the result: another order rounds differently. */
function learn(
  { width, learningRate, decay, rowOf, weights, history, scores }: Learner,
  { starts, features, strengths }: Lessons,
  { at, target, weight }: { readonly at: number; readonly target: number; readonly weight: number },
): void {
  const from = starts[at] ?? 0;
  const end = starts[at + 1] ?? 0;
  scores.fill(0);
  for (let entry = from; entry < end; entry += 1) {
    const row = rowOf[features[entry] ?? 0] ?? 0;
    if (row < 0) continue;
    const strength = strengths[entry] ?? 0;
    for (let label = 0; label < width; label += 1)
      scores[label] = (scores[label] ?? 0) + (weights[row + label] ?? 0) * strength;
  }
  let top = Number.NEGATIVE_INFINITY;
  for (let label = 0; label < width; label += 1) top = Math.max(top, scores[label] ?? 0);
  let sum = 0;
  for (let label = 0; label < width; label += 1) sum += scores[label] = Math.exp((scores[label] ?? 0) - top);
  for (let label = 0; label < width; label += 1)
    scores[label] = weight * ((scores[label] ?? 0) / sum - (label === target ? 1 : 0));
  for (let entry = from; entry < end; entry += 1) {
    const row = rowOf[features[entry] ?? 0] ?? 0;
    if (row < 0) continue;
    const strength = strengths[entry] ?? 0;
    for (let label = 0; label < width; label += 1) {
      const index = row + label;
      const known = weights[index] ?? 0;
      const gradient = (scores[label] ?? 0) * strength + decay * known;
      const seen = (history[index] ?? 0) + gradient * gradient;
      history[index] = seen;
      weights[index] = known - (learningRate * gradient) / Math.sqrt(seen);
    }
  }
}

function quantized(labels: string[], positions: Map<number, number>, weights: Float64Array): LinearModel {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9);
  const unit = largest / 127;
  return {
    labels,
    positions,
    weights: Int8Array.from(weights, (weight) => Math.round(weight / unit)),
    step: unit,
    temperature: 1,
  };
}

/** A permutation that is the same on every machine. */
function shuffled(length: number, seed: number): number[] {
  const order = Array.from({ length }, (_, at) => at);
  let state = (seed * 0x9e3779b9) >>> 0;
  for (let at = length - 1; at > 0; at -= 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % (at + 1);
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

export interface Judged {
  readonly label: string;
  readonly guessed: string;
  readonly confidence: number;
}

/** Every example judged by a model that has seen none of its family, and the model's calibration from that. */
export function crossValidate(
  examples: readonly Example[],
  options: TrainingOptions,
  folds = 5,
): { judged: Judged[]; temperature: number } {
  const lessons = numbered(examples);
  const foldOf = examples.map(({ family }) => hashOf(family) % folds);
  const unseen = Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const seen = [...examples.keys()].filter((at) => foldOf[at] !== fold);
    const model = trainOn(lessons, seen, options);
    return examples
      .filter((_, at) => foldOf[at] === fold)
      .map(({ label, features }) => ({ label, labels: model.labels, scores: scoresOf(model, features) }));
  });
  const temperature = fitTemperature(unseen);
  const judged = unseen.map(({ label, labels, scores }) => {
    const [best] = ranked({ labels, temperature }, scores);
    return { label, guessed: best?.label ?? '', confidence: best?.confidence ?? 0 };
  });
  return { judged, temperature };
}

interface Scored {
  readonly label: string;
  readonly labels: readonly string[];
  readonly scores: readonly number[];
}

/** The temperature with the least surprise, from a fixed list; 1 unless another one has less. */
function fitTemperature(unseen: readonly Scored[]): number {
  const rows = unseen.map(({ label, labels, scores }) => ({
    scores,
    top: Math.max(...scores),
    right: scores[labels.indexOf(label)] ?? -50,
  }));
  const candidates = [1, 0.5, 0.6, 0.7, 0.8, 0.9, 1.15, 1.3, 1.5, 1.75, 2, 2.5, 3, 4];
  const surprises = candidates.map((temperature) =>
    rows.reduce((total, { scores, top, right }) => {
      const sum = scores.reduce((all, score) => all + Math.exp((score - top) / temperature), 0);
      return total + Math.log(sum) - (right - top) / temperature;
    }, 0),
  );
  return candidates[surprises.indexOf(Math.min(...surprises))] ?? 1;
}
