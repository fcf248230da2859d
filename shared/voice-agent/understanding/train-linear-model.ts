import { guess, hashOf, type LinearModel, scoresOf } from './linear-model.ts';

export interface Example {
  readonly label: string;
  readonly features: ReadonlyMap<string, number>;
  /** Examples of one author voice and paraphrase family are never split between training and test. */
  readonly family: string;
}

export interface TrainingOptions {
  /** The most frequent features are kept. */
  readonly mostFeatures: number;
  readonly epochs?: number;
  readonly learningRate?: number;
  readonly decay?: number;
}

/** Softmax regression by AdaGrad. The same examples in the same order give the same bytes. */
export function trainModel(examples: readonly Example[], options: TrainingOptions): LinearModel {
  const labels = [...new Set(examples.map(({ label }) => label))].sort();
  const positions = choosePositions(examples, options.mostFeatures);
  const width = labels.length;
  const rows = positions.size + 1;
  const weights = new Float64Array(rows * width);
  const history = new Float64Array(rows * width).fill(1e-8);
  const { epochs = 40, learningRate = 0.5, decay = 1e-5 } = options;
  const data = examples.map((example) => ({
    target: labels.indexOf(example.label),
    entries: entriesOf(example.features, positions),
  }));
  const share = labelWeights(examples, labels);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const at of shuffled(data.length, epoch + 1)) {
      const row = data[at];
      if (row !== undefined)
        step(weights, history, row, { width, learningRate, decay, weight: share[row.target] ?? 1 });
    }
  }
  return quantized(labels, positions, weights);
}

/** Rare labels count for more, but not as much more as they are rarer. */
function labelWeights(examples: readonly Example[], labels: readonly string[]): number[] {
  const counts = labels.map((wanted) => examples.filter(({ label }) => label === wanted).length);
  const mean = examples.length / labels.length;
  return counts.map((count) => Math.sqrt(mean / Math.max(1, count)));
}

function choosePositions(examples: readonly Example[], most: number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { features } of examples) {
    for (const name of features.keys()) {
      const hash = hashOf(name);
      counts.set(hash, (counts.get(hash) ?? 0) + 1);
    }
  }
  const kept = [...counts]
    .filter(([, count]) => count > 1)
    .sort(([hashA, countA], [hashB, countB]) => countB - countA || hashA - hashB)
    .slice(0, most);
  return new Map(kept.map(([hash], position) => [hash, position]));
}

type Entries = readonly (readonly [position: number, strength: number])[];

function entriesOf(features: ReadonlyMap<string, number>, positions: ReadonlyMap<number, number>): Entries {
  return [
    ...[...features].flatMap(([name, strength]): [number, number][] => {
      const position = positions.get(hashOf(name));
      return position === undefined ? [] : [[position, strength]];
    }),
    [positions.size, 1],
  ];
}

function step(
  weights: Float64Array,
  history: Float64Array,
  { target, entries }: { readonly target: number; readonly entries: Entries },
  {
    width,
    learningRate,
    decay,
    weight,
  }: { width: number; learningRate: number; decay: number; weight: number },
): void {
  const scores = new Float64Array(width);
  for (const [position, strength] of entries) {
    for (let at = 0; at < width; at += 1)
      scores[at] = (scores[at] ?? 0) + (weights[position * width + at] ?? 0) * strength;
  }
  const top = Math.max(...scores);
  let sum = 0;
  for (let at = 0; at < width; at += 1) sum += scores[at] = Math.exp((scores[at] ?? 0) - top);
  for (const [position, strength] of entries) {
    for (let at = 0; at < width; at += 1) {
      const index = position * width + at;
      const error = (scores[at] ?? 0) / sum - (at === target ? 1 : 0);
      const gradient = weight * error * strength + decay * (weights[index] ?? 0);
      history[index] = (history[index] ?? 0) + gradient * gradient;
      weights[index] = (weights[index] ?? 0) - (learningRate * gradient) / Math.sqrt(history[index] ?? 1);
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
  const unseen = Array.from({ length: folds }, (_, fold) => fold).flatMap((fold) => {
    const isHeldOut = ({ family }: Example): boolean => hashOf(family) % folds === fold;
    const model = trainModel(
      examples.filter((example) => !isHeldOut(example)),
      options,
    );
    return examples.filter(isHeldOut).map((example) => ({ example, model }));
  });
  const temperature = fitTemperature(unseen);
  const judged = unseen.map(({ example, model }) => {
    const [best] = guess({ ...model, temperature }, example.features);
    return { label: example.label, guessed: best?.label ?? '', confidence: best?.confidence ?? 0 };
  });
  return { judged, temperature };
}

/** The temperature with the least surprise, out of a fixed row. */
function fitTemperature(unseen: readonly { example: Example; model: LinearModel }[]): number {
  const rows = unseen.map(({ example, model }) => ({
    scores: scoresOf(model, example.features),
    target: model.labels.indexOf(example.label),
  }));
  const candidates = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.15, 1.3, 1.5, 1.75, 2, 2.5, 3, 4];
  const surprise = (temperature: number): number =>
    rows.reduce((total, { scores, target }) => {
      const top = Math.max(...scores);
      const sum = scores.reduce((all, score) => all + Math.exp((score - top) / temperature), 0);
      return total + Math.log(sum) - ((scores[target] ?? -50) - top) / temperature;
    }, 0);
  return candidates.reduce((best, one) => (surprise(one) < surprise(best) ? one : best), 1);
}
