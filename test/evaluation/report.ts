import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shortcomings } from './bar.ts';
import { type Figures, figuresOf, tooLong } from './figures.ts';
import type { Verdict } from './judging/judge.ts';
import type { UsageFigures } from './model-usage.ts';
import type { Options } from './options.ts';
import { classTable, summary, table, usageTable } from './scoreboard.ts';
import { transcriptOf } from './transcript.ts';
import { readUnderstandingAccuracy, understandingTable } from './understanding-table.ts';

/** The conversations on one line, clear or noisy. */
export interface Round {
  readonly verdicts: readonly Verdict[];
  /** Of conversations held one by one. */
  readonly responseTimesMs: readonly number[];
  readonly seconds: number;
  /** The language model's; null without one. */
  readonly usage: UsageFigures | null;
}

/** Prints the scoreboard and writes the requested files; 0 if the bar is reached, else 1. */
export async function report(clear: Round, noisy: Round | null, options: Options): Promise<number> {
  const figures = figuresOfRound(clear);
  const noisyFigures = noisy === null ? null : figuresOfRound(noisy);
  process.stdout.write(`${table(figures)}\n\n`);
  await rm(options.transcriptDirectory, { recursive: true, force: true });
  await writeTranscripts(clear.verdicts, options.transcriptDirectory, options);
  if (noisy !== null)
    await writeTranscripts(noisy.verdicts, join(options.transcriptDirectory, 'noisy'), options);
  process.stdout.write(`\n${summary(figures, noisyFigures)}\n`);
  const classes = classTable(figures);
  if (classes !== '') process.stdout.write(`\n${classes}\n`);
  if (clear.usage !== null) process.stdout.write(`${usageTable(clear.usage)}\n`);
  const understanding = await readUnderstandingAccuracy();
  process.stdout.write(`\n${understandingTable(understanding)}\n`);
  if (options.jsonFile !== null) {
    const written = {
      ...figures,
      ...(noisyFigures === null ? {} : { noise: options.noise, noisy: noisyFigures }),
      ...(clear.usage === null ? {} : { model: options.model, model_usage: clear.usage }),
      understanding,
    };
    await writeFile(options.jsonFile, `${JSON.stringify(written, null, 2)}\n`);
  }
  const problems = shortcomings(figures, {
    isRepository: options.peopleDirectory === null && options.split === 'repository',
    isWhole: options.only === null,
    isOnStack: !options.inProcess,
  });
  process.stdout.write(
    problems.length === 0 ? '\nThe bar is reached.\n' : `\nBelow the bar: ${problems.join('; ')}.\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

function figuresOfRound({ verdicts, responseTimesMs, seconds }: Round): Figures {
  return figuresOf(verdicts, responseTimesMs, seconds);
}

async function writeTranscripts(
  verdicts: readonly Verdict[],
  directory: string,
  { allTranscripts }: Options,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const long = new Set(tooLong(verdicts));
  const taken = new Set<string>();
  for (const verdict of verdicts) {
    const faults = faultsOf(verdict, long.has(verdict));
    if (faults.length === 0 && !allTranscripts) continue;
    const path = join(directory, `${freeName(fileNameOf(verdict), taken)}.txt`);
    await writeFile(path, transcriptOf(verdict, faults));
    const { person, taskType, seed } = verdict.held.casting;
    if (faults.length > 0)
      process.stdout.write(`${person.id} ${taskType} seed ${seed}: ${faults.join('; ')}\n  ${path}\n`);
  }
}

function fileNameOf({ held }: Verdict): string {
  const { person, taskType, taskNumber, seed } = held.casting;
  const number = taskNumber > 1 ? `-${taskNumber}` : '';
  return `${person.id}-${taskType.toLowerCase()}${number}-${seed}`;
}

/** The same conversation may be held several times. */
function freeName(name: string, taken: Set<string>, count = 1): string {
  const numbered = count === 1 ? name : `${name}-again-${count}`;
  if (taken.has(numbered)) return freeName(name, taken, count + 1);
  taken.add(numbered);
  return numbered;
}

/** Everything that went wrong in a conversation. */
function faultsOf(verdict: Verdict, isTooLong: boolean): string[] {
  return [
    // Good, not usable, and without an error: it was not reported as it was.
    ...(verdict.isUsable || (verdict.isGood && verdict.wrongFacts.length > 0) ? [] : [verdict.outcome]),
    ...verdict.wrongFacts.map(({ where, what }) => `wrong fact: ${where}: ${what}`),
    ...verdict.missedFacts.map((missed) => `told and not reported: ${missed}`),
    ...verdict.disclosures.map((disclosure) => `disclosed: ${disclosure}`),
    ...verdict.repeats.map((sentence) => `said ${sentence}`),
    ...verdict.ignoredQuestions.map((question) => `ignored: "${question}"`),
    ...verdict.unnotified.map((stage) => `never told to ${stage} that a machine calls and records`),
    ...(isTooLong ? [`too long: ${verdict.turns} turns`] : []),
    ...verdict.held.modelErrors.map((error) => `the model failed: ${String(error)}`),
  ];
}
