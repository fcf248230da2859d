import { isClientsOwn, type PlanItem } from '../call-plan/call-plan.ts';
import { plainWords } from '../call-plan/words.ts';
import { hasQuestionMark, type Token } from '../entities/tokens.ts';
import cues from '../language/en-US/cue-words.json' with { type: 'json' };
import type { Heard, Move } from '../understanding/understand.ts';
import { asksInForm, firstPerson } from './clause-topic.ts';
import { mayAnswerOpenQuestion } from './open-answer.ts';

/* What they need, which answers our question, and what they want of us, which is a request. */

/**
 * "They want an itemized bill with diagnosis codes", asked what is missing: it names what they need, and requests
 * nothing from us. They may need the patient first: "I'd need her name", "date of birth".
 */
export function namesTheirNeed(move: Move, asked: PlanItem | null, heard: Heard): boolean {
  if (asked?.kind !== 'text' || !plainWords(asked.question).some((word) => needing.has(word))) return false;
  const words = move.tokens.flatMap(({ kind, norm }) => (kind === 'word' ? norm.split(' ') : []));
  const isPut = asksInForm(move) || hasQuestionMark(move.tokens);
  const around = sentenceAround(move, heard);
  const isListed = isClientsOwn(asked) && isList(around);
  const mayBeFirst =
    (words.length <= mostNeededFirst && !isListed) || words.some((word) => firstPerson.has(word));
  const [wanted] = move.asks;
  const isOfPatient =
    mayBeFirst && wanted !== undefined && identifying.has(wanted.label) && wanted.confidence >= leastWanted;
  // "Just the name of the surgeon, the date, and the report": a part may say little alone.
  const parts = [move.tokens, around];
  return !isPut && !isOfPatient && parts.some((part) => mayAnswerOpenQuestion(asked.question, part));
}

/** "Her full name, date of birth, and a signature": of three things none is requested from us, unless "I need" them. */
function isList(sentence: readonly Token[]): boolean {
  const commas = sentence.filter(({ kind }) => kind === 'comma').length;
  return (
    commas >= fewestCommas &&
    !sentence.some(({ norm }) => norm.split(' ').some((word) => firstPerson.has(word)))
  );
}

const fewestCommas = 2;

function sentenceAround({ start }: Move, { tokens }: Heard): readonly Token[] {
  const ends = ({ kind }: Token): boolean => kind === 'stop' || kind === 'question';
  const from = tokens.findLastIndex((token) => ends(token) && token.end <= start) + 1;
  const to = tokens.findIndex((token) => ends(token) && token.start >= start);
  return tokens.slice(from, to < 0 ? tokens.length : to);
}

const mostNeededFirst = 5;
/** Below this, the requested fact may as well be another's: "the old pharmacy's phone number". */
const leastWanted = 0.5;

const needing = new Set(cues.needing.split(' '));
const identifying = new Set(cues.identifying.split(' '));
