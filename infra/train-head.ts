import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { type Head, heads, readExamples } from '#shared/voice-agent/understanding/examples.ts';
import { type StoredModel, storedModel } from '#shared/voice-agent/understanding/linear-model.ts';
import {
  crossValidate,
  type Example,
  type Judged,
  type TrainingOptions,
  trainModel,
} from '#shared/voice-agent/understanding/train-linear-model.ts';
import {
  peopleCorrections,
  peopleIntroductions,
  peopleReplies,
  peopleValues,
  peopleVerdicts,
} from './people-replies.ts';
import { peopleAsks, peopleLines } from './people-requests.ts';

/*
 * The worker thread in which `npm run train` trains one head. Threads share nothing, so their order changes no model.
 */

const common = { epochs: 20, decay: 2e-4, learningRate: 0.3 };
const optionsOf: Record<Head, TrainingOptions> = {
  acts: { ...common, mostFeatures: 10_000 },
  asks: { ...common, mostFeatures: 8000 },
  requests: { ...common, mostFeatures: 4000 },
  claims: { ...common, mostFeatures: 6000 },
  places: { ...common, mostFeatures: 6000 },
  polarity: { ...common, learningRate: 0.15, mostFeatures: 5000 },
  limits: { ...common, learningRate: 0.15, decay: 1e-3, mostFeatures: 12_000 },
  'open-answers': { ...common, learningRate: 0.15, mostFeatures: 6000 },
  corrections: { ...common, learningRate: 0.15, mostFeatures: 5000 },
  values: { ...common, learningRate: 0.15, decay: 1e-3, mostFeatures: 20_000 },
  boundaries: { ...common, epochs: 6, mostFeatures: 6000 },
  endings: { ...common, epochs: 6, mostFeatures: 1000 },
  reach: { ...common, decay: 1e-3, mostFeatures: 6000 },
  strangers: { ...common, decay: 1e-3, mostFeatures: 8000 },
};

/** What the thread posts. */
export interface TrainedHead {
  readonly model: StoredModel;
  readonly accuracy: HeadAccuracy;
  readonly summary: string;
  /** Recall, precision and the worst confusions of every label. */
  readonly details: string;
}

interface HeadAccuracy {
  readonly examples: number;
  readonly accuracy: number;
  readonly calibration_error: number;
  readonly labels: Readonly<Record<string, { readonly recall: number; readonly precision: number }>>;
}

/** Accuracy on examples of families unseen in training. */
function accuracyOf(judged: readonly Judged[]): HeadAccuracy {
  const labels = [...new Set(judged.map(({ label }) => label))].sort();
  const rounded = (cases: readonly Judged[]): number => Math.round(1000 * rightShare(cases)) / 1000;
  return {
    examples: judged.length,
    accuracy: rounded(judged),
    calibration_error: Math.round(1000 * calibrationError(judged)) / 1000,
    labels: Object.fromEntries(
      labels.map((wanted) => [
        wanted,
        {
          recall: rounded(judged.filter(({ label }) => label === wanted)),
          precision: rounded(judged.filter(({ guessed }) => guessed === wanted)),
        },
      ]),
    ),
  };
}

function summaryOf(examples: readonly Example[], judged: readonly Judged[]): string {
  const sure = judged.filter(({ confidence }) => confidence >= 0.6);
  return [
    `${examples.length} examples`,
    `${new Set(examples.map(({ label }) => label)).size} labels`,
    `accuracy on unseen families ${share(judged)}`,
    `of the ${Math.round((100 * sure.length) / judged.length)} % surest ${share(sure)}`,
    `calibration error ${calibrationError(judged).toFixed(3)}`,
  ].join(', ');
}

function share(judged: readonly Judged[]): string {
  return `${(100 * rightShare(judged)).toFixed(1)} %`;
}

function rightShare(judged: readonly Judged[]): number {
  return judged.filter(({ label, guessed }) => label === guessed).length / Math.max(1, judged.length);
}

/** Expected calibration error over ten bins. */
function calibrationError(judged: readonly Judged[]): number {
  const bins = Map.groupBy(judged, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  return [...bins.values()].reduce((total, bin) => {
    const claimed = bin.reduce((sum, { confidence }) => sum + confidence, 0);
    const right = bin.filter(({ label, guessed }) => label === guessed).length;
    return total + Math.abs(claimed - right) / judged.length;
  }, 0);
}

function detailsOf(judged: readonly Judged[]): string {
  const labels = [...new Set(judged.map(({ label }) => label))].sort();
  const rows = labels.map((wanted) => {
    const own = judged.filter(({ label }) => label === wanted);
    const claimed = judged.filter(({ guessed }) => guessed === wanted);
    const mistaken = Map.groupBy(
      own.filter(({ guessed }) => guessed !== wanted),
      ({ guessed }) => guessed,
    );
    const worst = [...mistaken].sort(([, a], [, b]) => b.length - a.length).slice(0, 3);
    const confusions = worst.map(([label, cases]) => `${label} ${cases.length}`).join(', ');
    const shares = `recall ${share(own).padStart(7)}  precision ${share(claimed).padStart(7)}`;
    return `  ${wanted.padEnd(28)} ${shares}  ${confusions}`;
  });
  return rows.join('\n');
}

const { head, directory, people } = z
  .object({ head: z.enum(heads), directory: z.string(), people: z.string() })
  .parse(workerData);
const replies =
  head === 'open-answers'
    ? await peopleReplies(people)
    : head === 'limits'
      ? await peopleVerdicts(people)
      : [];
const introductions = head === 'strangers' ? await peopleIntroductions(people) : [];
const peopleSay = head === 'requests' ? peopleLines : head === 'asks' ? peopleAsks : null;
const lines = (await peopleSay?.(people)) ?? [];
const corrections = head === 'corrections' ? await peopleCorrections(people) : [];
const values = head === 'values' ? await peopleValues(people) : [];
const examples = await readExamples(directory, head, { replies, introductions, lines, corrections, values });
const { judged, temperature } = crossValidate(examples, optionsOf[head]);
const trained: TrainedHead = {
  model: storedModel({ ...trainModel(examples, optionsOf[head]), temperature }),
  accuracy: accuracyOf(judged),
  summary: summaryOf(examples, judged),
  details: detailsOf(judged),
};
parentPort?.postMessage(trained);
