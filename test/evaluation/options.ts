import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parsed, UsageError, wholeNumber } from '../../infra/command.ts';
import { type ModelName, modelNames } from './model-under-test.ts';
import type { Prices } from './model-usage.ts';
import { callerNumbers } from './usual-tasks.ts';

const mostTrials = 20;

export const usage = `Lets the voice agent talk with every simulated person about every task that fits them, several
times, and compares what it reports with what they knew.

Usage: npm run evaluate [-- options]

  --in-process        without the stack: the same people, the same agent and the same rules in this process, at least
                      20 conversations a second; time passes on the clock of the simulated call
  --stack URL         on a deployed stack, whose REST API is at this address, with the AWS credentials of your
                      environment: projects for the evaluation are created there, and people of your own put at its
                      sandbox phone
  --outputs FILE      only with --stack: the outputs of the stack, as \`cdk deploy --outputs-file FILE\` wrote them,
                      or the stack.env of a local stack
  --model NAME        only with --in-process: who holds the conversations: built-in (the default), or a language model:
                      bedrock (your AWS credentials, AWS_REGION, BEDROCK_MODEL_ID) or openai (OPENAI_BASE_URL,
                      OPENAI_MODEL, OPENAI_API_KEY)
  --trials N          only with --in-process: how often every conversation is held (default 1, at most ${mostTrials});
                      pass^k is over all of them
  --price-in DOLLARS  what a million tokens cost that the language model reads, and
  --price-out DOLLARS those that it writes: gives the cost of a call
  --split NAME        whom to call: repository (test/evaluation/people and the people of the sandbox phone, the
                      default), train (people/train-*, from whose replies npm run train learns), dev (people/dev-*), all
                      three, or blind (people/blind to blind-3: strangers, never read while the agent is worked on)
  --people DIR        your own people (one JSON file each) instead of those of the scoreboard
  --only ID[,ID...]   these people only
  --seeds N           conversations per person and task, each in other words
                      (default 3, at most ${callerNumbers.length})
  --conversations N   at most so many: everybody in the first words, then in the second, and so on (default 204 on the
                      stack, all of them in this process)
  --at-a-time N       conversations at the same time on the stack or with a language model (default 3); on the stack the
                      time to the first text is measured afterwards, one by one, because a machine plays the whole
                      telephone network as well
  --noise LEVEL       0 to 1, only with --in-process: what the agent hears is what speech recognition makes of a bad
                      line (words lost, misheard, without punctuation, numbers in words); its figures stand beside
                      those of a clear line
  --now ISO           only with --in-process: the instant at which the calls are made, such as 2026-11-22T02:00:00Z
  --transcripts DIR   where conversations that went wrong are written (default .local/evaluation)
  --all-transcripts   write all conversations there
  --json FILE         write every figure there, under names that stay
  --help              show this text

What is counted
  goals reached       judged from transcript, result and truth, not by what the agent says of itself: the appointment is
                      really booked with the person and reported rightly; every required question is answered rightly,
                      or reported as open where the person did not know it, or marked for review
  endings right       of calls without a goal to reach: no goal claimed, and ended as the person's file says
  facts               what the person told and the task wanted, and how much of it is reported rightly
  wrong facts         what the result says anywhere (values, texts, names, numbers, follow-up, summary) and is not so
  disclosures         told without need, or to somebody who has no business with it
  usable              goal or ending right, and nothing wrong in the result
  conduct             sentences said three times, questions ignored, people who never heard that a machine calls and
                      records, conversations more than 2.5 times as long as such conversations are
  pass^k              people with whom all conversations went right

Exits with 0 only if the bar is reached. Repository: at least 95 % of the reachable goals, no wrong fact, no
disclosure, the first text within 30 ms of a prompt (p95); as a whole also at least 200 conversations with at least 40
people, on the stack in at most 120 s. Train, dev, blind and people of your own: at least 90 % usable, at most 1 wrong
fact in 100 conversations, at least 92 % of the facts, at least 90 % of the endings, no disclosure, no sentence said
three times.
`;

export const splits = ['repository', 'train', 'dev', 'blind', 'all'] as const;
export type Split = (typeof splits)[number];

export interface Options {
  readonly inProcess: boolean;
  /** A running stack; null to start one. */
  readonly stack: { readonly baseUrl: string; readonly outputsFile: string } | null;
  readonly model: ModelName;
  readonly trials: number;
  readonly prices: Prices | null;
  readonly split: Split;
  readonly peopleDirectory: string | null;
  readonly only: readonly string[] | null;
  readonly seeds: number;
  readonly atATime: number;
  readonly conversations: number;
  readonly noise: number;
  readonly now: Date | null;
  readonly transcriptDirectory: string;
  readonly allTranscripts: boolean;
  readonly jsonFile: string | null;
}

/** @throws UsageError for invalid options */
export function readOptions(args: string[]): Options | 'help' {
  const { values } = parsed(() => parse(args));
  if (values.help) return 'help';
  const inProcess = values['in-process'];
  const only = (option: string, value: string | undefined): string | undefined => {
    if (value !== undefined && !inProcess) throw new UsageError(`--${option} needs --in-process`);
    return value;
  };
  if (values.people !== undefined && values.split !== undefined)
    throw new UsageError('--people and --split name different people; give one of them');
  return {
    inProcess,
    stack: stackOf(values.stack, values.outputs, inProcess),
    model: oneOf('model', modelNames, only('model', values.model) ?? 'built-in'),
    trials: wholeNumber('trials', only('trials', values.trials) ?? '1', 1, mostTrials),
    prices: pricesOf(values['price-in'], values['price-out']),
    split: oneOf('split', splits, values.split ?? 'repository'),
    peopleDirectory: values.people === undefined ? null : resolve(values.people),
    only: values.only?.split(',') ?? null,
    seeds: wholeNumber('seeds', values.seeds, 1, callerNumbers.length),
    conversations: wholeNumber(
      'conversations',
      values.conversations ?? (inProcess ? '100000' : '204'),
      1,
      100_000,
    ),
    atATime: wholeNumber('at-a-time', values['at-a-time'], 1, 32),
    noise: levelOf(only('noise', values.noise) ?? '0'),
    now: instantOf(only('now', values.now)),
    transcriptDirectory: resolve(values.transcripts),
    allTranscripts: values['all-transcripts'],
    jsonFile: values.json === undefined ? null : resolve(values.json),
  };
}

function parse(args: string[]) {
  return parseArgs({
    args,
    options: {
      'in-process': { type: 'boolean', default: false },
      stack: { type: 'string' },
      outputs: { type: 'string' },
      model: { type: 'string' },
      trials: { type: 'string' },
      'price-in': { type: 'string' },
      'price-out': { type: 'string' },
      split: { type: 'string' },
      people: { type: 'string' },
      only: { type: 'string' },
      seeds: { type: 'string', default: '3' },
      conversations: { type: 'string' },
      'at-a-time': { type: 'string', default: '3' },
      noise: { type: 'string' },
      now: { type: 'string' },
      transcripts: { type: 'string', default: join('.local', 'evaluation') },
      'all-transcripts': { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
}

function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const name = names.find((known) => known === given);
  if (name === undefined)
    throw new UsageError(`--${option} must be one of ${names.join(', ')}, not "${given}"`);
  return name;
}

function stackOf(url: string | undefined, outputs: string | undefined, inProcess: boolean): Options['stack'] {
  if (url === undefined && outputs === undefined) return null;
  if (url === undefined || outputs === undefined)
    throw new UsageError('--stack and --outputs are given together');
  if (inProcess) throw new UsageError('--stack and --in-process exclude each other');
  if (!URL.canParse(url)) throw new UsageError(`--stack must be an address, not "${url}"`);
  return { baseUrl: url.replace(/\/+$/, ''), outputsFile: resolve(outputs) };
}

function pricesOf(given: string | undefined, other: string | undefined): Prices | null {
  if (given === undefined && other === undefined) return null;
  const prices = { in: Number(given ?? Number.NaN), out: Number(other ?? Number.NaN) };
  if (!(prices.in >= 0 && prices.out >= 0))
    throw new UsageError('--price-in and --price-out are given together, in dollars for a million tokens');
  return prices;
}

function levelOf(text: string): number {
  const level = Number(text);
  if (text === '' || !(level >= 0 && level <= 1))
    throw new UsageError(`--noise must be a number from 0 to 1, not "${text}"`);
  return level;
}

function instantOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw new UsageError(`--now must be an instant, not "${text}"`);
  return at;
}
