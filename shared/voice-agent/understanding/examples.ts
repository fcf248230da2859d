import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Token, tokenize } from '../entities/tokens.ts';
import { featuresOf } from './features.ts';
import { openAnswerFeatures } from './open-answer-features.ts';
import { polarityFeatures } from './polarity-features.ts';
import { reachFeatures } from './reach-features.ts';
import { gapFeatures, isGap } from './segments.ts';
import type { Example } from './train-linear-model.ts';
import {
  type CorrectionFamily,
  CorrectionFile,
  correctionExamples,
  type ValueFamily,
  ValueFile,
  valueExamples,
} from './value-examples.ts';

/* The training examples in `language/en-US/`. */

const Family = z.object({
  voice: z.string(),
  after: z.optional(z.nullable(z.string())),
  says: z.array(z.string()),
});
type Family = z.infer<typeof Family>;
const ActFile = z.object({ act: z.string(), families: z.array(Family) });
const TopicFile = z.object({ topic: z.string(), families: z.array(Family) });
const ClaimFile = z.object({
  slot: z.string(),
  families: z.optional(z.array(Family)),
  values: z.optional(z.record(z.string(), z.array(Family))),
});
const PlacesFile = z.object({ roles: z.record(z.string(), z.array(Family)) });
const ReachFile = z.object({ replies: z.record(z.string(), z.array(Family)) });
/** One voice's replies to questions: each question with its reply. */
const ReplyFamily = z.object({
  voice: z.string(),
  label: z.string(),
  pairs: z.array(z.tuple([z.string(), z.string()])),
});
export type ReplyFamily = z.infer<typeof ReplyFamily>;
const ReplyFile = z.object({ families: z.array(ReplyFamily) });
export const heads = [
  'acts',
  'asks',
  'requests',
  'claims',
  'places',
  'polarity',
  'limits',
  'open-answers',
  'corrections',
  'values',
  'boundaries',
  'endings',
  'reach',
  'strangers',
] as const;
export type Head = (typeof heads)[number];

/** One sentence spoken by a persona. */
export interface LabelledLine {
  readonly label: string;
  /** Who says it. */
  readonly family: string;
  readonly text: string;
}

/** How one voice says that we have reached the right party. */
export type Introductions = Pick<Family, 'voice' | 'says'>;

/** Examples beside those of the files. */
export interface MoreExamples {
  /** Replies to questions. */
  readonly replies?: readonly ReplyFamily[];
  /** Replies to "Have I reached …?" that say yes. */
  readonly introductions?: readonly Introductions[];
  /** Single sentences: requests for a fact, by topic or all alike, and others. */
  readonly lines?: readonly LabelledLine[];
  /** Replies that correct an earlier answer, and others. */
  readonly corrections?: readonly CorrectionFamily[];
  /** Replies with the value that was asked for, and others. */
  readonly values?: readonly ValueFamily[];
}

/** The examples of a head, in a fixed order. */
export async function readExamples(
  directory: string,
  head: Head,
  { replies = [], introductions = [], lines = [], corrections = [], values = [] }: MoreExamples = {},
): Promise<Example[]> {
  switch (head) {
    case 'acts':
      return labelled(await readActs(directory), true);
    case 'asks': {
      const topics = await readAll(join(directory, 'asks'), TopicFile);
      const asks = topics.map(({ topic, families }) => [topic, families] as const);
      return labelled([...asks, ...notAsking(await readActs(directory)), ...groupsOf(lines)], false);
    }
    case 'requests':
      return lines.map(({ label, family, text }) => ({
        label,
        family,
        features: featuresOf(tokenize(text), { seesQuestionMark: false }),
      }));
    case 'claims':
      return labelled(await readClaims(directory), false);
    case 'places': {
      const { roles } = PlacesFile.parse(await readJson(join(directory, 'places.json')));
      return labelled(Object.entries(roles), false);
    }
    case 'polarity':
      return replyExamples(await readReplies(directory, head), polarityFeatures);
    case 'limits':
      return replyExamples([...(await readReplies(directory, head)), ...replies], polarityFeatures);
    case 'open-answers':
      return replyExamples([...(await readReplies(directory, head)), ...replies], openAnswerFeatures);
    case 'corrections': {
      const files = await readAll(join(directory, head), CorrectionFile);
      return correctionExamples([...files.flatMap(({ families }) => families), ...corrections]);
    }
    case 'values': {
      const files = await readAll(join(directory, head), ValueFile);
      return [...files.flatMap(({ families }) => families), ...values].flatMap(valueExamples);
    }
    case 'boundaries':
      return boundaryExamples([...(await readActs(directory)), ...(await readClaims(directory))]);
    case 'endings':
      return endingExamples([...(await readActs(directory)), ...(await readClaims(directory))]);
    case 'reach':
      return reachExamples(await readReach(directory), 0);
    case 'strangers': {
      const files = await readAll(join(directory, head), ReachFile);
      const groups = files.map(({ replies }) => Object.entries(replies));
      return [await readReach(directory), ...groups, [['confirms', introductions] as const]].flatMap(
        reachExamples,
      );
    }
  }
}

/** Of each person one family for each label. */
function groupsOf(lines: readonly LabelledLine[]): Groups {
  return [...Map.groupBy(lines, ({ label }) => label)].map(([label, ofLabel]) => [
    label,
    [...Map.groupBy(ofLabel, ({ family }) => family)].map(([voice, own]) => ({
      voice,
      says: own.map(({ text }) => text),
    })),
  ]);
}

/** Families of lines by meaning. */
type Groups = readonly (readonly [label: string, families: readonly Family[]])[];

async function readActs(directory: string): Promise<Groups> {
  const files = await readAll(join(directory, 'acts'), ActFile);
  return files.map(({ act, families }) => [act, families]);
}

async function readClaims(directory: string): Promise<Groups> {
  const files = await readAll(join(directory, 'claims'), ClaimFile);
  return files.flatMap(({ slot, families, values }) => [
    ...(families === undefined ? [] : [[slot, families] as const]),
    ...Object.entries(values ?? {}).map(([value, ofValue]) => [`${slot}=${value}`, ofValue] as const),
  ]);
}

async function readReach(directory: string): Promise<Groups> {
  const { replies } = ReachFile.parse(await readJson(join(directory, 'reach-replies.json')));
  return Object.entries(replies);
}

async function readReplies(directory: string, head: Head): Promise<ReplyFamily[]> {
  const files = await readAll(join(directory, head), ReplyFile);
  return files.flatMap(({ families }) => families);
}

/** Each pair with its features for a head. */
function replyExamples(
  families: readonly ReplyFamily[],
  featuresOfReply: (question: string, reply: readonly Token[]) => Map<string, number>,
): Example[] {
  return families.flatMap(({ voice, label, pairs }, family) =>
    pairs.map(([question, answer]) => ({
      label,
      family: `${voice} ${family}`,
      features: featuresOfReply(question, tokenize(answer)),
    })),
  );
}

/** Acts whose lines request no fact; every third family of them suffices. */
const asking: ReadonlySet<string> = new Set(['asks-fact', 'asks-open', 'asks-machine', 'asks-spell']);

function notAsking(acts: Groups): [string, Family[]][] {
  return acts
    .filter(([act]) => !asking.has(act))
    .map(([, families]) => ['none', families.filter((_, at) => at % 3 === 0)]);
}

async function readAll<Content>(directory: string, schema: z.ZodMiniType<Content>): Promise<Content[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(names.map(async (name) => schema.parse(await readJson(join(directory, name)))));
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

/** Each line as written, and without punctuation, as from some recognizers. */
function labelled(groups: Groups, knowsContext: boolean): Example[] {
  return groups.flatMap(([label, families]) =>
    families.flatMap(({ voice, after, says }, at) =>
      says.flatMap((text) => {
        const tokens = tokenize(text);
        const family = `${label} ${voice} ${at}`;
        const context = knowsContext ? { after: after ?? null } : {};
        const written = { label, family, features: featuresOf(tokens, context) };
        return text.includes('?')
          ? [written, { label, family, features: featuresOf(tokens, { seesQuestionMark: false }) }]
          : [written];
      }),
    ),
  );
}

/** Only the mark distinguishes "Yes?" from "yes"; a longer question is one without its mark, too. */
const longEnough = 4;

function reachExamples(groups: Groups, file: number): Example[] {
  return groups.flatMap(([label, families]) =>
    families.flatMap(({ says }, at) => {
      const family = `${label} ${ideaOf(families, at)}${file === 0 ? '' : ` of ${file}`}`;
      return says.flatMap((text) =>
        formsOf(tokenize(text)).map((form) => ({ label, family, features: reachFeatures(form) })),
      );
    }),
  );
}

/** A family of plain recognition repeats the previous one: they are one, for evaluation on unseen families. */
function ideaOf(families: readonly Family[], at: number): number {
  return families.slice(0, at + 1).filter(({ voice }) => voice !== 'asr-plain').length;
}

function formsOf(tokens: Token[]): Token[][] {
  const unmarked = tokens.filter(isUnmarked);
  return unmarked.length < longEnough || unmarked.length === tokens.length ? [tokens] : [tokens, unmarked];
}

type Keeps = (token: Token) => boolean;

function isAny(): boolean {
  return true;
}

function isUnmarked({ kind }: Token): boolean {
  return kind !== 'question' && kind !== 'stop' && kind !== 'comma';
}

const joints = ['. ', '? ', ', ', ' ', ' ', ', and ', ' and ', ' '] as const;

interface Line {
  readonly label: string;
  readonly text: string;
  readonly family: string;
}

function linesOf(groups: Groups): Line[] {
  return groups.flatMap(([label, families]) =>
    families.flatMap(({ voice, says }, at) =>
      says.map((text) => ({ label, text, family: `${label} ${voice} ${at}` })),
    ),
  );
}

/** Joined lines teach where a move ends, without annotation. */
function boundaryExamples(groups: Groups): Example[] {
  const lines = linesOf(groups);
  return lines.flatMap(({ text, family }, at) => {
    // A fixed permutation of the lines, so that neighbors come from other labels.
    const other = lines[(at * 389 + 17) % lines.length];
    if (other === undefined) return [];
    const joint = joints[at % joints.length] ?? ' ';
    const first = withoutMark(text);
    const second = joint === '. ' || joint === '? ' ? other.text : lowered(other.text);
    return gapsOf(`${first}${joint}`, second, family);
  });
}

/** Typical ends of replies, after any words and without marks, where they are hard to separate. */
function endingExamples(groups: Groups): Example[] {
  const lines = linesOf(groups);
  const endings = lines.filter(({ label }) => label === 'invites-more');
  return lines.flatMap(({ label, text, family }, at) => {
    const last = endings[(at * 7) % endings.length]?.text;
    if (last === undefined || label === 'invites-more') return [];
    return gapsOf(`${withoutMark(text)} `, lowered(last), family, isUnmarked);
  });
}

function withoutMark(text: string): string {
  return '.!?,'.includes(text.at(-1) ?? ' ') ? withoutMark(text.slice(0, -1)) : text;
}

function lowered(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function gapsOf(first: string, second: string, family: string, keeps: Keeps = isAny): Example[] {
  const tokens = tokenize(first + second).filter(keeps);
  return tokens.flatMap((token: Token, at) => {
    if (!isGap(tokens, at)) return [];
    const isJoint =
      token.start === first.trimEnd().length - lengthOfAnd(first) || token.start === first.length;
    const isAnd = lengthOfAnd(first) > 0 && token.start === first.length;
    if (isAnd) return [];
    return [{ label: isJoint ? 'yes' : 'no', family, features: gapFeatures(tokens, at) }];
  });
}

/** A move joined by "and" starts with it. */
function lengthOfAnd(first: string): number {
  return first.endsWith(' and ') ? 3 : 0;
}
