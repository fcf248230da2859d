import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Head, heads, readExamples } from '#shared/voice-agent/understanding/examples.ts';
import { type StoredModel, storedModel } from '#shared/voice-agent/understanding/linear-model.ts';
import {
  crossValidate,
  type Example,
  type Judged,
  type TrainingOptions,
  trainModel,
} from '#shared/voice-agent/understanding/train-linear-model.ts';
import { runCommand } from './command.ts';

const usage = `Trains the linear models with which the built-in agent understands, from the examples in
shared/voice-agent/language/en-US, and writes them beside the examples, with their accuracy on families of examples
that they have not seen. The same examples give the same files.

Usage: npm run train [-- options]

  --report   also print recall, precision and the worst confusions of every label
  --check    write nothing; exit with 1 if the stored files are not what the examples give
  --help     show this text`;

const directory = fileURLToPath(new URL('../shared/voice-agent/language/en-US/', import.meta.url));
const modelsFile = `${directory}models.json`;
const accuracyFile = `${directory}accuracy.json`;

const common = { epochs: 20, decay: 2e-4, learningRate: 0.3 };
const optionsOf: Record<Head, TrainingOptions> = {
  acts: { ...common, mostFeatures: 10_000 },
  asks: { ...common, mostFeatures: 6500 },
  claims: { ...common, mostFeatures: 6000 },
  places: { ...common, mostFeatures: 6000 },
  polarity: { ...common, learningRate: 0.15, mostFeatures: 5000 },
  'open-answers': { ...common, learningRate: 0.15, mostFeatures: 4000 },
  boundaries: { ...common, epochs: 6, mostFeatures: 6000 },
  reach: { ...common, decay: 1e-3, mostFeatures: 6000 },
};

interface HeadAccuracy {
  readonly examples: number;
  readonly accuracy: number;
  readonly calibration_error: number;
  readonly labels: Readonly<Record<string, { readonly recall: number; readonly precision: number }>>;
}

async function main(args: string[]): Promise<string | number> {
  const { values } = parseArgs({
    args,
    options: { report: { type: 'boolean' }, check: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return usage;
  const examples = await readExamples(directory);
  const models: Partial<Record<Head, StoredModel>> = {};
  const accuracy: Partial<Record<Head, HeadAccuracy>> = {};
  for (const head of heads) {
    const { judged, temperature } = crossValidate(examples[head], optionsOf[head]);
    models[head] = storedModel({ ...trainModel(examples[head], optionsOf[head]), temperature });
    accuracy[head] = accuracyOf(judged);
    process.stdout.write(`${head}: ${summaryOf(examples[head], judged)}\n`);
    if (values.report === true) process.stdout.write(`${detailsOf(judged)}\n`);
  }
  const files = [
    { path: modelsFile, text: `${JSON.stringify(models)}\n` },
    { path: accuracyFile, text: `${JSON.stringify(accuracy, null, 2)}\n` },
  ];
  for (const { path, text } of files)
    process.stdout.write(`${basename(path)} ${Math.round(text.length / 1024)} KB\n`);
  if (values.check === true) return (await Promise.all(files.map(isStored))).every(Boolean) ? 0 : 1;
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
  return 0;
}

async function isStored({ path, text }: { path: string; text: string }): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => null)) === text;
}

/** How well examples of families that the training has not seen are judged. */
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
    return `  ${wanted.padEnd(28)} recall ${share(own).padStart(7)}  precision ${share(claimed).padStart(7)}  ${confusions}`;
  });
  return rows.join('\n');
}

await runCommand('train', 'The models were not trained', main);
