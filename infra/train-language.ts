import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type Head, heads } from '#shared/voice-agent/understanding/examples.ts';
import { runCommand, type Values } from './command.ts';
import type { TrainedHead } from './train-head.ts';

const usage = `Trains the built-in agent's linear models from the examples in shared/voice-agent/language/en-US and the
words of the people in test/evaluation/people/train-*. Writes them beside the examples, with their accuracy on
families of examples unseen in training. The same examples give the same files.

Usage: npm run train [-- options]

  --report   also print recall, precision and the worst confusions of every label
  --check    write nothing; exit with 1 if the stored files differ from what the examples give
  --help     show this text`;

const directory = fileURLToPath(new URL('../shared/voice-agent/language/en-US/', import.meta.url));
const people = fileURLToPath(new URL('../test/evaluation/people/', import.meta.url));
const modelsFile = `${directory}models.json`;
const accuracyFile = `${directory}accuracy.json`;

/** The slowest heads start first, so that no processor waits for one at the end. */
const longestFirst: ReadonlySet<Head> = new Set<Head>(['claims', 'acts', 'asks', 'boundaries', ...heads]);

const options = { report: { type: 'boolean' }, check: { type: 'boolean' } } as const;

async function main(values: Values<typeof options>): Promise<number> {
  const trained = await trainHeads();
  for (const [head, { summary, details }] of trained) {
    process.stdout.write(`${head}: ${summary}\n`);
    if (values.report === true) process.stdout.write(`${details}\n`);
  }
  const models = Object.fromEntries(trained.map(([head, { model }]) => [head, model]));
  const accuracies = Object.fromEntries(trained.map(([head, { accuracy }]) => [head, accuracy]));
  const files = [
    { path: modelsFile, text: `${JSON.stringify(models)}\n` },
    { path: accuracyFile, text: `${JSON.stringify(accuracies, null, 2)}\n` },
  ];
  for (const { path, text } of files)
    process.stdout.write(`${basename(path)} ${Math.round(text.length / 1024)} KB\n`);
  if (values.check === true) return (await Promise.all(files.map(isStored))).every(Boolean) ? 0 : 1;
  await Promise.all(files.map(({ path, text }) => writeFile(path, text)));
  return 0;
}

/** Trains every head, one per processor at a time, in threads. */
async function trainHeads(): Promise<(readonly [Head, TrainedHead])[]> {
  const waiting = [...longestFirst];
  const trained = new Map<Head, TrainedHead>();
  const trainOn = async (): Promise<void> => {
    for (let head = waiting.shift(); head !== undefined; head = waiting.shift()) {
      const worker = new Worker(new URL('./train-head.ts', import.meta.url), {
        name: head,
        workerData: { head, directory, people },
      });
      const [message]: TrainedHead[] = await once(worker, 'message');
      if (message !== undefined) trained.set(head, message);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, trainOn));
  return heads.flatMap((head) => {
    const one = trained.get(head);
    return one === undefined ? [] : [[head, one] as const];
  });
}

async function isStored({ path, text }: { path: string; text: string }): Promise<boolean> {
  return (await readFile(path, 'utf8').catch(() => null)) === text;
}

await runCommand('train', 'The models were not trained', { help: usage, options }, main);
