import type { Sentence } from '../language/text.ts';
import { quoteOf } from '../language/text.ts';
import { signalsIn } from './line-signals.ts';

/*
 * Which sentences of a reply carry the answer. People wrap it: "Sure, no problem. We close at five. Anything else?"
 */

const politeness =
  "(?:sure(?: thing)?|exactly|precisely|correct|indeed|that's (?:right|correct|it)|that is (?:right|correct)|okay|ok|of course|certainly|absolutely|no problem|not a problem|great(?: question)?|good question|perfect|all right|alright|right|thank you(?: so much| very much)?|thanks|you're welcome|got it|i see|yes|yeah|yep|hi|hello|good (?:morning|afternoon|evening|day)|happy to help|glad to help|my pleasure|understood|let me see|let's see|oh|um+|uh+|hmm+|well|so|fine|that's fine|sounds good|go ahead|here we go|there we go|one moment|just a moment|one second|hold on|please|sorry|i'm sorry|i apologize|excuse me|and)";
const onlyPolite = new RegExp(`^(?:${politeness}[\\s,.!;:-]*)+$`);

/** The sentences that state something: no questions, no politeness, nothing about the call itself. */
export function statementsOf(sentences: readonly Sentence[]): Sentence[] {
  return sentences.filter((sentence) => {
    const { plain } = sentence;
    if (sentence.isQuestion) return false;
    if (onlyPolite.test(plain)) return false;
    const signals = signalsIn(plain);
    const hasContent = /\d/.test(plain);
    if (signals.has('repeat') && !hasContent && plain.length < 70) return false;
    if (signals.has('hold') && !hasContent && plain.length < 70) return false;
    if (signals.has('offer-to-help') && plain.length < 90) return false;
    if (signals.has('anything-else') || signals.has('goodbye')) return hasContent && plain.length > 60;
    return !(signals.has('thanks') && !hasContent && plain.length < 40);
  });
}

/** A run of neighbouring statements from the first on, as one piece of verbatim text. */
export function firstRun(
  said: string,
  sentences: readonly Sentence[],
  statements: readonly Sentence[],
): string {
  const [first] = statements;
  if (first === undefined) return '';
  const run: Sentence[] = [];
  for (let index = sentences.indexOf(first); index < sentences.length; index += 1) {
    const sentence = sentences[index];
    if (sentence === undefined || !statements.includes(sentence)) break;
    const last = run.at(-1);
    // Words that were left out before stand between.
    const between = last === undefined ? '' : said.slice(last.start + last.text.length, sentence.start);
    if (/[\p{L}\p{N}]/u.test(between)) break;
    run.push(sentence);
  }
  return quoteOf(said, run);
}

/**
 * The clause of a sentence in which a pattern occurs, verbatim: "We paid $400, but the itemized bill is missing." is about
 * the bill only from "the" on. The whole sentence when the clause would be a fragment.
 */
export function clauseWith(sentence: Sentence, pattern: RegExp): string {
  const boundary = /[;:,] (?:(?:but|and|so|while|however|though|yet) )?| (?:but|however) /g;
  const starts = [0, ...[...sentence.text.matchAll(boundary)].map((match) => match.index + match[0].length)];
  const clauses = starts.map((start, index) => {
    const next = starts[index + 1];
    const raw = sentence.text.slice(start, next);
    return raw.replace(/(?:[;:,] (?:(?:but|and|so|while|however|though|yet) )?| (?:but|however) )$/, '');
  });
  const found = clauses.findIndex((clause) => pattern.test(clause.toLowerCase()));
  if (found === -1) return sentence.text;
  // What follows may belong to it ("we need the bill, the notes and the referral"), so only what stands before is cut.
  const rest = sentence.text.slice(starts[found]);
  return rest.split(' ').length >= 3 ? rest : sentence.text;
}

const stopWords = new Set(
  'a an the is are was were be been do does did has have had can could will would should may might must i you he she it we they them their his her its our your my me us this that these those there here what which who whom whose when where why how and or but if so of to in on at by for with from about into over after before under any some much many more most other another all each every no not only own same too very just also please tell know need want like get got give take make see say'.split(
    ' ',
  ),
);

/** Words that carry meaning, cut to their stems so that "accepts" and "accepting" meet. */
export function contentWords(plain: string): string[] {
  return (plain.match(/[a-z0-9][a-z0-9'-]*/g) ?? [])
    .filter((word) => !stopWords.has(word) && word.length > 2)
    .map((word) =>
      word.length > 5 ? word.replace(/(?:ing|ed|es|s|ly|ment|tion)$/, '') : word.replace(/s$/, ''),
    );
}
