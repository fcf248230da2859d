import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundledDirectory } from '#shared/sandbox-phone/people/directory.ts';
import { readPeople } from '#shared/sandbox-phone/people/own-people.ts';
import { parsed, UsageError, wholeNumber } from '../../infra/command.ts';
import { type Casting, castEverybody } from './cast.ts';
import { holdConversation, type Venue } from './hold-conversation.ts';
import { judge, type Verdict } from './judge.ts';
import { score, shortcomings, summary, table } from './scoreboard.ts';
import { mostSeeds, openStage } from './stage.ts';
import { transcriptOf } from './transcript.ts';

const usage = `Lets the voice agent talk with every simulated person about every task that fits them, several times, through
the real local stack, and compares what it reports with what they knew.

Usage: npm run evaluate [-- options]

  --people DIR        your own people (one JSON file each) instead of those of the scoreboard
  --only ID[,ID...]   these people only
  --seeds N           conversations per person and task, each in other words (default 3)
  --conversations N   at most so many: everybody in the first words, then in the second, and so on (default 204)
  --at-a-time N       conversations at the same time (default 3); the time to the first text is measured afterwards, in
                      conversations one by one, because here a machine plays the whole telephone network as well
  --transcripts DIR   where conversations that went wrong are written (default .local/evaluation)
  --all-transcripts   write all conversations there
  --help              show this text

Exits with 0 only if the bar is reached: at least 95 % of the reachable goals, no wrong fact, no disclosure outside the
plan, and the first text within 30 ms of a prompt (p95); for the whole set also at least 200 conversations with at least
40 people in at most 120 s.
`;

interface Options {
  readonly peopleDirectory: string | null;
  readonly only: readonly string[] | null;
  readonly seeds: number;
  readonly atATime: number;
  readonly conversations: number;
  readonly transcriptDirectory: string;
  readonly allTranscripts: boolean;
}

function readOptions(args: string[]): Options | 'help' {
  const { values } = parsed(() => parse(args));
  if (values.help) return 'help';
  return {
    peopleDirectory: values.people === undefined ? null : resolve(values.people),
    only: values.only?.split(',') ?? null,
    seeds: wholeNumber('seeds', values.seeds, 1, mostSeeds),
    conversations: wholeNumber('conversations', values.conversations, 1, 10_000),
    atATime: wholeNumber('at-a-time', values['at-a-time'], 1, 32),
    transcriptDirectory: resolve(values.transcripts),
    allTranscripts: values['all-transcripts'],
  };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      people: { type: 'string' },
      only: { type: 'string' },
      seeds: { type: 'string', default: '3' },
      conversations: { type: 'string', default: '204' },
      'at-a-time': { type: 'string', default: '3' },
      transcripts: { type: 'string', default: join('.local', 'evaluation') },
      'all-transcripts': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** So that there are enough functions, and they run warm. */
const warmUp = { conversations: 6, atATime: 3 };
const timedConversations = 14;

const scoreboardPeople = fileURLToPath(new URL('people', import.meta.url));

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const started = performance.now();
  const own = await readPeople(options.peopleDirectory ?? scoreboardPeople);
  const everybody = [...bundledDirectory().people, ...own];
  const cast = castEverybody(options.peopleDirectory === null ? everybody : own, everybody, options.seeds)
    .filter(({ person }) => options.only?.includes(person.id) ?? true)
    .slice(0, options.conversations);
  if (cast.length === 0) throw new UsageError('nobody of that name, or nobody that a task fits');

  const stage = await openStage(own, options.seeds);
  const stopOnSignal = (): void => void stage.close().then(() => process.exit(130));
  process.once('SIGINT', stopOnSignal).once('SIGTERM', stopOnSignal);
  try {
    // What is only being started, or runs for the first time, would be measured with the first ones.
    await holdAll(cast.slice(0, warmUp.conversations), stage.venueFor, warmUp.atATime);
    const verdicts = await holdAll(cast, stage.venueFor, options.atATime);
    const alone = await holdAll(chooseForTiming(cast), stage.venueFor, 1);
    const responseTimesMs = alone.flatMap((verdict) => verdict.responseTimesMs);
    const seconds = (performance.now() - started) / 1000;
    const isWholeSet = options.peopleDirectory === null && options.only === null;
    return await report(verdicts, responseTimesMs, seconds, isWholeSet, options);
  } finally {
    await stage.close();
  }
}

/** Some of those who talk with us, from all over the set. */
function chooseForTiming(cast: readonly Casting[]): Casting[] {
  const talking = cast.filter(
    ({ person, seed }) =>
      seed === 0 && person.evaluation.goal === 'reachable' && !Array.isArray(person.reach),
  );
  const step = Math.max(1, Math.floor(talking.length / timedConversations));
  return talking.filter((_, index) => index % step === 0).slice(0, timedConversations);
}

/** Holds the conversations, some at a time, and shows how far it is. */
async function holdAll(
  cast: readonly Casting[],
  venueFor: (casting: Casting) => Venue,
  atATime: number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const waiting = [...cast];
  const work = async (): Promise<void> => {
    for (let casting = waiting.shift(); casting !== undefined; casting = waiting.shift()) {
      verdicts.push(judge(await holdConversation(venueFor(casting), casting)));
      showProgress(verdicts.length, cast.length);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  const order = new Map(cast.map((casting, index) => [casting, index]));
  return verdicts.sort((a, b) => (order.get(a.held.casting) ?? 0) - (order.get(b.held.casting) ?? 0));
}

function showProgress(done: number, all: number): void {
  if (process.stdout.isTTY)
    process.stdout.write(`\r${done} of ${all} conversations${done === all ? '\n\n' : ''}`);
  else if (done % 50 === 0 || done === all) process.stdout.write(`${done} of ${all} conversations\n`);
}

async function report(
  verdicts: readonly Verdict[],
  responseTimesMs: readonly number[],
  seconds: number,
  isWholeSet: boolean,
  { transcriptDirectory, allTranscripts }: Options,
): Promise<number> {
  process.stdout.write(`${table(verdicts)}\n\n`);
  const failed = verdicts.filter(isFailure);
  await rm(transcriptDirectory, { recursive: true, force: true });
  await mkdir(transcriptDirectory, { recursive: true });
  for (const verdict of allTranscripts ? verdicts : failed) {
    const { person, taskType, seed } = verdict.held.casting;
    const path = join(transcriptDirectory, `${person.id}-${taskType.toLowerCase()}-${seed}.txt`);
    await writeFile(path, transcriptOf(verdict));
    if (isFailure(verdict)) process.stdout.write(`${failureLine(verdict)}\n  ${path}\n`);
  }
  const total = score(verdicts, responseTimesMs, seconds);
  process.stdout.write(`\n${summary(total)}\n`);
  const problems = shortcomings(total, isWholeSet);
  process.stdout.write(
    problems.length === 0 ? '\nThe bar is reached.\n' : `\nBelow the bar: ${problems.join('; ')}.\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

function isFailure({ isGood, wrongFacts, disclosures }: Verdict): boolean {
  return !isGood || wrongFacts.length > 0 || disclosures.length > 0;
}

function failureLine({ held, isGood, outcome, wrongFacts, disclosures }: Verdict): string {
  const { person, taskType, seed } = held.casting;
  const faults = [
    ...(isGood ? [] : [outcome]),
    ...wrongFacts.map((fact) => `wrong fact ${fact}`),
    ...disclosures.map((disclosure) => `disclosed ${disclosure}`),
  ];
  return `${person.id} ${taskType} seed ${seed}: ${faults.join('; ')}`;
}

main().then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      process.exit(2);
    }
    process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
