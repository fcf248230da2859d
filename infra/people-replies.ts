import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import {
  type KnownPerson,
  type KnownSentence,
  type KnownTopic,
  knownPerson,
} from '#shared/sandbox-phone/personas/known-sentences.ts';
import { readPersonas } from '#shared/sandbox-phone/personas/own-personas.ts';
import { standardItemsOf } from '#shared/voice-agent/call-plan/items.ts';
import { kindOfQuestion } from '#shared/voice-agent/call-plan/question-kind.ts';
import type { Introductions, ReplyFamily } from '#shared/voice-agent/understanding/examples.ts';
import type { CorrectionFamily, ValueFamily } from '#shared/voice-agent/understanding/value-examples.ts';

/*
 * The people of the training splits answer our questions, and their files tell which sentence holds the answer: the
 * one with the fact. Their other sentences are no answers.
 */

interface Reply {
  readonly label: 'answers' | 'none' | 'unknown';
  readonly question: string;
  readonly reply: string;
}

/** Everyone in `train-*`, by split, in a stable order. */
export async function readTrainSplits(directory: string): Promise<(readonly PersonaFile[])[]> {
  const splits = (await readdir(directory)).filter((name) => name.startsWith('train-')).sort();
  return Promise.all(splits.map((split) => readPersonas(join(directory, split))));
}

/** Replies of everyone in `train-*` to open questions, in a stable order. */
export async function peopleReplies(directory: string): Promise<ReplyFamily[]> {
  const groups = await readTrainSplits(directory);
  const seen = new Set<string>();
  const isNew = ({ question, reply }: Reply): boolean => {
    const before = seen.size;
    return seen.add(`${question}\n${reply}`).size > before;
  };
  return groups.flatMap((group) =>
    group.flatMap((file) => {
      const replies = Map.groupBy(repliesOf(file, group).filter(isNew), ({ label }) => label);
      return [...replies].map(([label, ofLabel]) => ({
        voice: file.id,
        label,
        pairs: ofLabel.map(({ question, reply }): [string, string] => [question, reply]),
      }));
    }),
  );
}

/** How those in `train-*` who are the right party say so, alone and before a request, in a stable order. */
export async function peopleIntroductions(directory: string): Promise<Introductions[]> {
  const groups = await readTrainSplits(directory);
  return groups.flatMap((group) =>
    group
      .filter(({ evaluation }) => evaluation.goal === 'reachable')
      .map((file): Introductions => {
        const { introductions, requests } = knownPerson(file, group);
        const [request] = requests;
        const asking = request === undefined ? [] : introductions.map((text) => `${text} ${request.text}`);
        return { voice: file.id, says: [...introductions, ...asking] };
      }),
  );
}

/** What everyone in `train-*` says to yes-or-no questions, in a stable order. */
export async function peopleVerdicts(directory: string): Promise<ReplyFamily[]> {
  const groups = await readTrainSplits(directory);
  return groups.flatMap((group) => group.flatMap((file) => verdictsOf(file, group)));
}

function verdictsOf(file: PersonaFile, group: readonly PersonaFile[]): ReplyFamily[] {
  const { desks, spoken } = knownPerson(file, group);
  return desks.flat().flatMap(({ clientQuestion, answeredBy, says }): ReplyFamily[] => {
    const verdict = answeredBy === null ? undefined : spoken.get(answeredBy);
    if (clientQuestion === null || (verdict !== 'yes' && verdict !== 'no')) return [];
    if (kindOfQuestion(clientQuestion) !== 'yes-no') return [];
    return [
      {
        voice: file.id,
        label: verdict,
        pairs: says.map((sentences) => [clientQuestion, wordsOf(sentences)]),
      },
    ];
  });
}

/** What everyone in `train-*` tells with several values, of which one is what was asked, in a stable order. */
export async function peopleValues(directory: string): Promise<ValueFamily[]> {
  const groups = await readTrainSplits(directory);
  return groups.flatMap((group) => group.flatMap((file) => valuesOf(file, group)));
}

function valuesOf(file: PersonaFile, group: readonly PersonaFile[]): ValueFamily[] {
  const { desks, spoken, slip } = knownPerson(file, group);
  const { in_network = 'in_network' } = file.evaluation.reports;
  const isOutside = spoken.get(in_network) === 'no';
  return desks.flat().flatMap((topic) =>
    topic.says.flatMap((sentences, at) =>
      sentences
        .flatMap(({ facts }) => facts)
        .flatMap(({ name, type }): ValueFamily[] => {
          const [question] = questionsFor(file, topic, name);
          const value = spoken.get(name);
          if (question === undefined || value === undefined || valueTypes[type] === undefined) return [];
          const told = [
            wordsOf(sentences),
            ...(slip?.fact === name && at === 0 ? slip.atOnce.slice(0, mostAtOnce) : []),
          ];
          const replies = told.map((reply) => ({ reply, values: { [value]: 'answer' as const } }));
          return [{ voice: file.id, question, is_outside: isOutside, replies }];
        }),
    ),
  );
}

/** How everyone in `train-*` corrects an earlier answer, and what else they tell after one, in a stable order. */
export async function peopleCorrections(directory: string): Promise<CorrectionFamily[]> {
  const groups = await readTrainSplits(directory);
  return groups.flatMap((group) => group.flatMap((file) => correctionsOf(file, group)));
}

function correctionsOf(file: PersonaFile, group: readonly PersonaFile[]): CorrectionFamily[] {
  const { desks, spoken, slip, asides, reproaches, returns } = knownPerson(file, group);
  const before = [...asides, ...reproaches, ...returns].map(({ text }) => text);
  const topics = desks.flat().flatMap((topic) => {
    const [fact] = topic.says.flat().flatMap(({ facts }) => facts);
    const [question] = fact === undefined ? [] : questionsFor(file, topic, fact.name);
    return fact === undefined || question === undefined ? [] : [{ topic, fact, question }];
  });
  return topics.flatMap(({ topic, fact, question }) => {
    const types = valueTypes[fact.type];
    const value = spoken.get(fact.name);
    if (types === undefined || value === undefined) return [];
    const others = topics.filter((other) => other.topic !== topic && !tells(other.topic, fact.name));
    const after = others
      .flatMap((other) =>
        [...other.topic.says.map(wordsOf), ...(other.fact.name === slip?.fact ? slip.atOnce : [])].map(
          (reply) => ({ asked: other.question, reply }),
        ),
      )
      .toSorted((one, other) => chance(question + one.reply) - chance(question + other.reply));
    const corrections = slip?.fact === fact.name ? slip.corrections : [];
    const cases = [
      ...after.slice(0, mostAfter).map(({ asked, reply }) => {
        const lead =
          chance(reply + question) < shareLed ? before[Math.floor(chance(reply) * before.length)] : null;
        return { asked, reply: lead == null ? reply : `${lead} ${reply}`, value, corrected: null };
      }),
      ...corrections.flatMap((correction) =>
        after.slice(0, mostCorrected).map(({ asked, reply }) => ({
          value: slip?.wrong ?? value,
          asked,
          reply: `${correction} ${reply}`,
          corrected: slip?.right ?? value,
        })),
      ),
    ];
    return cases.length === 0 ? [] : [{ voice: file.id, known: question, types, cases }];
  });
}

function wordsOf(sentences: readonly KnownSentence[]): string {
  return sentences.map(({ text }) => text).join(' ');
}

/** The values that answer a question about a fact of a type. */
const valueTypes: Readonly<Record<string, string[]>> = {
  money: ['money'],
  percent: ['percent'],
  number: ['quantity', 'number', 'percent'],
  date: ['date', 'moment'],
  identifier: ['identifier'],
  phone: ['phone'],
};
const mostAtOnce = 6;
const mostAfter = 6;
/** What people say before an answer corrects nothing. */
const shareLed = 0.5;
const mostCorrected = 3;

function repliesOf(file: PersonaFile, group: readonly PersonaFile[]): Reply[] {
  const { desks, asides, doNotKnow, reproaches } = knownPerson(file, group);
  return desks.flatMap((topics) =>
    topics.flatMap((topic) => [
      ...toTheirTopic(file, topic, topics, asides),
      ...withoutAnswer(file, topic, { doNotKnow, reproaches }),
    ]),
  );
}

/** Facts stated in words; any number might answer as well as the requested one. */
const inWords: ReadonlySet<string> = new Set(['text', 'phone']);

function toTheirTopic(
  file: PersonaFile,
  topic: KnownTopic,
  topics: readonly KnownTopic[],
  asides: readonly KnownSentence[],
): Reply[] {
  return topic.says.flatMap((sentences) =>
    sentences.flatMap((sentence) => {
      const [fact, ...more] = sentence.facts;
      if (fact === undefined || more.length > 0 || fact.type === 'yes') return [];
      const answers = questionsFor(file, topic, fact.name).map((question): Reply[] => {
        const answer: Reply = { label: 'answers', question, reply: sentence.text };
        if (!inWords.has(fact.type)) return isChosen(answer, shareOfValues) ? [answer] : [];
        const beside = sentences.filter((other) => other !== sentence && other.facts.length === 0);
        const around = beside.length > 0 ? beside : asides;
        return [
          answer,
          ...oneOf(elsewhere(topics, topic, fact.name), answer, shareElsewhere),
          ...oneOf(around, answer, shareBeside),
        ];
      });
      return answers.flat();
    }),
  );
}

/** Their replies to other questions, without the numbers. */
function elsewhere(topics: readonly KnownTopic[], topic: KnownTopic, fact: string): KnownSentence[] {
  return topics
    .filter((other) => other !== topic && !tells(other, fact))
    .flatMap(({ says }) => says.flat())
    .filter(({ facts }) => facts.every(({ type }) => type === 'text'));
}

function tells({ says }: KnownTopic, fact: string): boolean {
  return says.flat().some(({ facts }) => facts.some(({ name }) => name === fact));
}

function withoutAnswer(
  file: PersonaFile,
  topic: KnownTopic,
  { doNotKnow, reproaches }: Pick<KnownPerson, 'doNotKnow' | 'reproaches'>,
): Reply[] {
  const told = topic.says.flat().flatMap(({ facts }) => facts);
  const fact = told.find(({ type }) => type !== 'yes');
  const [question] = fact === undefined ? [] : questionsFor(file, topic, fact.name);
  if (question === undefined) return [];
  return [
    ...topic.vaguely.map(({ text }): Reply => ({ label: 'unknown', question, reply: text })),
    ...oneOf(doNotKnow, { label: 'unknown', question, reply: '' }, shareUnknown),
    ...oneOf(reproaches, { label: 'none', question, reply: '' }, shareReproached),
  ];
}

/** The questions a fact answers: the client's own, or those of the item it is reported as. */
function questionsFor(
  { evaluation }: PersonaFile,
  { clientQuestion, answeredBy }: KnownTopic,
  fact: string,
): string[] {
  const own = answeredBy === fact && clientQuestion !== null ? [clientQuestion] : [];
  const [item = fact] = Object.entries(evaluation.reports).find(([, reported]) => reported === fact) ?? [];
  return [...own, ...(itemQuestions.get(item) ?? [])].slice(0, mostQuestions);
}

const itemQuestions = new Map(
  (['VERIFY_INSURANCE', 'REIMBURSEMENT', 'SCHEDULE_APPOINTMENT'] as const)
    .flatMap((type) => standardItemsOf(type))
    .map(({ key, question, rephrase }) => [
      key,
      [question, rephrase].map((asking) => asking.replace('{service}', 'physical therapy')),
    ]),
);

/** Takes a sentence that is no answer, in this share of cases. */
function oneOf(
  sentences: readonly KnownSentence[],
  { label, question, reply }: Reply,
  share: number,
): Reply[] {
  const other: Reply = {
    label: label === 'answers' ? 'none' : label,
    question,
    reply: sentences[Math.floor(chance(reply + question) * sentences.length)]?.text ?? '',
  };
  return other.reply !== '' && isChosen(other, share) ? [other] : [];
}

function isChosen({ question, reply }: Reply, share: number): boolean {
  return chance(question + reply) < share;
}

/** 0 to 1, always the same for the same words. */
export function chance(words: string): number {
  return createHash('sha256').update(words).digest().readUInt32BE(0) / 2 ** 32;
}

const mostQuestions = 2;
const shareOfValues = 0.5;
const shareElsewhere = 0.7;
const shareBeside = 0.6;
const shareUnknown = 0.2;
const shareReproached = 0.3;
