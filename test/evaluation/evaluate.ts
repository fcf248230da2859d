import { UsageError } from '../../infra/command.ts';
import type { Casting } from './cast.ts';
import { type CastGroup, castGroups } from './cast-groups.ts';
import type { Held } from './held.ts';
import { holdInProcess } from './in-process/hold-in-process.ts';
import { judge, type Verdict } from './judging/judge.ts';
import { openModelUnderTest } from './model-under-test.ts';
import { ModelUsage } from './model-usage.ts';
import { type Options, readOptions, usage } from './options.ts';
import { type Round, report } from './report.ts';

/** So that there are enough functions, and they are warm. */
const warmUp = { conversations: 6, atATime: 3 };
const timedConversations = 14;

type Hold = (casting: Casting) => Promise<Held>;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  const groups = await castGroups(options);
  if (!options.inProcess) return report(await onTheStack(groups, options), null, options);
  const clear = await inThisProcess(groups, options, 0);
  const noisy = options.noise === 0 ? null : await inThisProcess(groups, options, options.noise);
  return report(clear, noisy, options);
}

async function inThisProcess(groups: readonly CastGroup[], options: Options, noise: number): Promise<Round> {
  const usage = new ModelUsage();
  const model = openModelUnderTest(options.model, usage.report);
  const studios = groups.map(({ everybody, cast }) => ({
    cast,
    hold: (casting: Casting) => holdInProcess({ model, people: everybody, at: options.now, noise }, casting),
  }));
  // First runs would slow the first measurements; a language model is measured as it is.
  if (model.isImmediate)
    for (const { cast, hold } of studios) await holdAll(cast.slice(0, warmUp.conversations), hold, 1);
  const started = performance.now();
  const verdicts: Verdict[] = [];
  for (const { cast, hold } of studios) {
    const trials = cast.flatMap((casting) => Array.from({ length: options.trials }, () => casting));
    verdicts.push(...(await holdAll(trials, hold, model.isImmediate ? 1 : options.atATime)));
  }
  const responseTimesMs = verdicts.flatMap((verdict) => verdict.responseTimesMs);
  const used = usage.figures(verdicts.length, options.prices);
  return { verdicts, responseTimesMs, seconds: secondsSince(started), usage: used };
}

async function onTheStack(groups: readonly CastGroup[], options: Options): Promise<Round> {
  // Loaded only if needed: it takes longer than a hundred conversations without it.
  const [{ openStage }, { holdConversation }] = await Promise.all([
    import('./stage.ts'),
    import('./hold-conversation.ts'),
  ]);
  const started = performance.now();
  const verdicts: Verdict[] = [];
  const responseTimesMs: number[] = [];
  for (const { own, cast } of groups) {
    const stage = await openStage(own, options);
    const stopOnSignal = (): void => void stage.close().then(() => process.exit(130));
    process.once('SIGINT', stopOnSignal).once('SIGTERM', stopOnSignal);
    const hold: Hold = (casting) => holdConversation(stage.venueFor(casting), casting);
    try {
      // Starts and first runs would slow the first measurements.
      await holdAll(cast.slice(0, warmUp.conversations), hold, warmUp.atATime);
      verdicts.push(...(await holdAll(cast, hold, options.atATime)));
      const alone = await holdAll(chooseForTiming(cast), hold, 1);
      responseTimesMs.push(...alone.flatMap((verdict) => verdict.responseTimesMs));
    } finally {
      process.off('SIGINT', stopOnSignal).off('SIGTERM', stopOnSignal);
      await stage.close();
    }
  }
  return { verdicts, responseTimesMs, seconds: secondsSince(started), usage: null };
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}

/** Some of the people, from all over the set. */
function chooseForTiming(cast: readonly Casting[]): Casting[] {
  const talking = cast.filter(
    ({ person, seed }) =>
      seed === 0 && person.evaluation.goal === 'reachable' && !Array.isArray(person.reach),
  );
  const step = Math.max(1, Math.floor(talking.length / timedConversations));
  return talking.filter((_, index) => index % step === 0).slice(0, timedConversations);
}

/** Holds the conversations, several at a time, and shows the progress. */
async function holdAll(cast: readonly Casting[], hold: Hold, atATime: number): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const waiting = [...cast];
  const work = async (): Promise<void> => {
    for (let casting = waiting.shift(); casting !== undefined; casting = waiting.shift()) {
      verdicts.push(judge(await hold(casting)));
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
