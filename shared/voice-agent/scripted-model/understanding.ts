import { correctionStart, isUnknownToThem, isWithheld, polarityOf, takesBack } from '../language/polarity.ts';
import type { Sentence } from '../language/text.ts';
import { greetingIn, isHelpOffered, isStalling, saidToOthers } from './answers/chatter.ts';
import { type Reply, replyOf } from './answers/reply.ts';
import { type AskedQuestion, findAskedQuestions, isOffer } from './fact-questions.ts';
import { type LineSignal, signalsIn } from './line-signals.ts';
import { statementsOf } from './statements.ts';

/** What a person's words mean for the conversation, before anybody knows what to do about it. */
export interface Heard {
  readonly said: string;
  readonly turn: number;
  readonly reply: Reply;
  readonly sentences: readonly Sentence[];
  readonly statements: readonly Sentence[];
  readonly signals: ReadonlySet<LineSignal>;
  /** Facts that we are asked for. */
  readonly questions: readonly AskedQuestion[];
  /** Questions that are for nothing that we have a name for. */
  readonly otherQuestions: readonly Sentence[];
  readonly offers: readonly Sentence[];
  readonly polarity: 'yes' | 'no' | null;
  /** They want us to wait, and said nothing after it. */
  readonly endsInHold: boolean;
  /** They do not know, or will not tell. */
  readonly doesNotTell: boolean;
  readonly isCorrection: boolean;
}

/** They were away for a moment and are here again. */
const isBack =
  /^(?:(?:okay|ok|all right|alright|so|and|great)[,. ]+)*(?:got it|i'm back|here we go|there we go|there (?:she|he|it|they) (?:is|are)|i found (?:it|her|him|them|the)|found (?:it|her|him|them)|i(?:'ve| have) (?:got )?(?:it|her|him|them|the)|thanks? (?:you )?for (?:waiting|holding|your patience))\b/;

/** "…, okay?": asks for no more than attention. */
const isTag =
  /^(?:(?:and|so|then|oh|well)[, ]+)*(?:okay|ok|right|yes|yeah|no|huh|really|see|you know|what|hm+|oh|all right|alright|good|(?:are )?we good|all good|is that good|got it|got that|did you get (?:that|it|all that))[?]*$/;

/** "Sundays? No, we're closed.": tells the hours, and wants nobody to call at another time. */
function tellsClosedDays(sentences: readonly Sentence[]): boolean {
  return (
    sentences.some(({ plain }) => /\b(?:closed|not open)\b/.test(plain)) &&
    sentences.some(({ plain }) =>
      /\b(?:\w+days|weekends?|holidays?|evenings|nights|lunchtimes?)\b/.test(plain),
    ) &&
    !sentences.some(({ plain }) =>
      /\b(?:call|try|ring)\b|\b(?:right now|currently|today|at the moment)\b/.test(plain),
    )
  );
}

export function understand(said: string, turn: number, today: string): Heard {
  const whole = replyOf(said, today);
  const others = saidToOthers(whole.sentences);
  const reply =
    others.length === 0
      ? whole
      : { ...whole, sentences: whole.sentences.filter((one) => !others.includes(one)) };
  const { sentences } = reply;
  const each = sentences.map((sentence) => ({ sentence, signals: signalsIn(sentence.plain) }));
  const signals = new Set(each.flatMap((entry) => [...entry.signals]));
  if (tellsClosedDays(sentences)) signals.delete('call-again');
  const questions = findAskedQuestions(sentences);
  const greeting = greetingIn(sentences);
  const statements = statementsOf(sentences).filter(
    (sentence) => !greeting.includes(sentence) && !isStalling(sentence),
  );
  const lastMeaningful = each.findLast(
    ({ sentence, signals: own }) =>
      own.has('hold') ||
      isStalling(sentence) ||
      isBack.test(sentence.plain) ||
      statements.includes(sentence) ||
      sentence.isQuestion,
  );
  const otherQuestions = each
    .filter(
      ({ sentence, signals: own }) =>
        sentence.isQuestion &&
        !questions.some((question) => question.sentence === sentence) &&
        !isOffer(sentence.plain) &&
        !isHelpOffered(sentence.plain) &&
        [...own].every(
          (signal) =>
            signal === 'thanks' ||
            signal === 'no-openings' ||
            signal === 'takes-nobody' ||
            signal === 'check-back',
        ) &&
        !isTag.test(sentence.plain) &&
        // "You want to fax it? 202-555-0177.": who answers themselves asks nothing of us.
        !statements.some((statement) => statement.start > sentence.start),
    )
    .map(({ sentence }) => sentence);
  return {
    said,
    turn,
    reply,
    sentences,
    statements,
    signals,
    questions,
    otherQuestions,
    offers: sentences.filter(({ isQuestion, plain }) => isQuestion && isOffer(plain)),
    polarity: polarityOf(sentences)?.polarity ?? null,
    endsInHold:
      lastMeaningful !== undefined &&
      (lastMeaningful.signals.has('hold') || isStalling(lastMeaningful.sentence)) &&
      (!lastMeaningful.sentence.isQuestion ||
        /\b(?:hold|wait|moment|minute|second|sec)\b/.test(lastMeaningful.sentence.plain)) &&
      !/\d/.test(
        lastMeaningful.sentence.plain.replaceAll(
          /\b(?:1|2|\d+) (?:moments?|seconds?|secs?|minutes?|mins?)\b/g,
          '',
        ),
      ),
    doesNotTell: sentences.some(({ plain }) => isUnknownToThem(plain) || isWithheld(plain)),
    isCorrection: sentences.some(({ plain }) => correctionStart(plain) !== null || takesBack(plain)),
  };
}
