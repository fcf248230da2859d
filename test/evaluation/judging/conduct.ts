import type { Held } from '../held.ts';
import { asksTheCaller, type Exchange } from './exchanges.ts';

/** What it was like to be called. */
export interface Conduct {
  /** Our sentences said three times or more to the same person, each with its count. */
  readonly repeats: readonly string[];
  /** Questions of the person that our next words ignored. */
  readonly ignoredQuestions: readonly string[];
  /** Where on the line a person spoke with us without having heard that a machine calls and records. */
  readonly unnotified: readonly string[];
}

export function conductOf(held: Held): Conduct {
  return {
    repeats: repeatsIn(held),
    ignoredQuestions: ignoredQuestionsIn(held),
    unnotified: unnotifiedIn(held),
  };
}

const mostOften = 2;
/** Shorter ones are what everyone says again and again: "Thank you.", "All right." */
const leastWords = 4;

/** What nobody heard does not count as said, and what they asked to hear again is not a repetition of ours. */
function repeatsIn({ called }: Held): string[] {
  const byStage = Map.groupBy(called?.exchanges ?? [], ({ stage }) => stage);
  return [...byStage.values()].flatMap((exchanges) => {
    const counts = new Map<string, number>();
    for (const [index, { heard }] of exchanges.entries()) {
      for (const sentence of sentencesOf(heard ?? '')) {
        const isOrdinary =
          sentence.words.split(' ').length < leastWords || mereAcknowledgement.test(sentence.words);
        if (!isOrdinary && !isWanted(sentence, exchanges[index - 1]))
          counts.set(sentence.words, (counts.get(sentence.words) ?? 0) + 1);
      }
    }
    return [...counts]
      .filter(([, count]) => count > mostOften)
      .map(([sentence, count]) => `${count} times "${sentence}"`);
  });
}

/** Whether the person had just asked for this, or to hear it again. */
function isWanted({ isQuestion }: Sentence, before: Exchange | undefined): boolean {
  if (before === undefined) return false;
  if (before.about.some((occasion) => /^(?:asks to repeat|say again)$/.test(occasion))) return true;
  return !isQuestion && asksTheCaller(before);
}

interface Sentence {
  /** In lower case and without punctuation, so that equal words are equal sentences. */
  readonly words: string;
  readonly isQuestion: boolean;
}

function sentencesOf(content: string): Sentence[] {
  return content
    .split(/(?<!\b(?:Dr|Mr|Mrs|Ms|St|[A-Z]))(?<=[.!?:])\s+/)
    .map((sentence) => ({
      words: sentence
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
      isQuestion: /\?["')]*$/.test(sentence.trim()),
    }))
    .filter(({ words }) => words !== '');
}

function ignoredQuestionsIn({ called }: Held): string[] {
  const exchanges = called?.exchanges ?? [];
  return exchanges.flatMap((exchange, index) => {
    if (!asksTheCaller(exchange)) return [];
    const next = exchanges.slice(index + 1).find(({ heard }) => heard !== null);
    // Nothing more was heard, or only a beginning.
    if (next === undefined || next.heard === null || next.wasCut || next.stage !== exchange.stage) return [];
    return goesIntoIt(next.heard) ? [] : [exchange.says.at(-1) ?? ''];
  });
}

/** An acknowledgement and a question of our own answer nothing. */
function goesIntoIt(words: string): boolean {
  if (putsOff.test(words)) return true;
  const statements = words
    .split(/(?<!\b(?:Dr|Mr|Mrs|Ms|St|[A-Z]))(?<=[.!?])\s+/)
    .filter((sentence) => !/\?["')]*$/.test(sentence.trim()));
  return statements.some((sentence) => sentence.trim() !== '' && !mereAcknowledgement.test(sentence.trim()));
}

/** A person who first needs to know whom they speak with, and says so, ignores nothing. */
const putsOff = /\b(?:first,|before (?:i|we|that)\b|in a moment)/i;

const courtesies =
  'all right|alright|okay|ok|sure|great|perfect|understood|i see|got it|thanks|thank you|hello|hi|sorry|' +
  'good morning|good afternoon|good evening';
const mereAcknowledgement = new RegExp(
  `^(?:${courtesies})\\b(?:,? (?:so much|very much|again|there|you|thank you|thanks|\\p{Lu}\\p{L}+))*[.!,]*$`,
  'iu',
);

const tellsMachine = /\b(?:automated|artificial|virtual|ai|a\.i\.|robot|bot|machine|computer|digital) ?/i;
const tellsRecording = /\brecord(?:ed|ing|s)?\b/i;

function unnotifiedIn({ called }: Held): string[] {
  const exchanges = (called?.exchanges ?? []).filter(({ isHuman }) => isHuman);
  const stages = [...new Set(exchanges.map(({ stage }) => stage))];
  return stages.filter((stage) => {
    const heard = exchanges.flatMap((exchange) =>
      exchange.stage === stage && exchange.heard !== null ? [exchange] : [],
    );
    // A person who kept interrupting, or heard nothing at all, cannot have been told.
    if (!heard.some(({ wasCut }) => !wasCut)) return false;
    const words = heard.map((exchange) => exchange.heard).join(' ');
    return !tellsMachine.test(words) || !tellsRecording.test(words);
  });
}
