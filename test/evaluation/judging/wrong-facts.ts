import type { CallAnswer, CallResult } from '#shared/domain/call-result.ts';
import type { Held } from '../held.ts';
import type { AnswerState } from './answer-states.ts';
import { claimsBooking, type Grounds, groundsOf, misplaced, unfounded } from './prose-faults.ts';
import { saysSomething } from './read-result.ts';
import { namesOnTheLine, type Truth, wordsOfPerson } from './truth.ts';

/** A false statement in the result: where, and what. */
export interface WrongFact {
  readonly where: string;
  readonly what: string;
}

/** Everything in the result that would mislead a reader, each thing once. */
export function wrongFactsOf(
  held: Held,
  truths: ReadonlyMap<string, Truth>,
  states: ReadonlyMap<string, AnswerState>,
): WrongFact[] {
  const { result } = held;
  if (result === null) return [];
  const grounds = groundsOf(held);
  const answers = result.answers.flatMap((answer) =>
    wrongAnswer(answer, truths.get(answer.key), states.get(answer.key), grounds),
  );
  const others = [
    ...wrongName(held, result),
    ...wrongReference(held, result, answers),
    ...wrongObstacle(held, result, grounds),
    ...wrongEnding(held, result),
  ];
  const prose = wrongProse(held, result, { grounds, truths, states });
  // The summary is made of the answers: an error there is not a second one.
  const isNew = ({ what }: WrongFact): boolean =>
    ![...answers, ...others].some((fault) => sharesFigure(fault.what, what));
  return [...answers, ...others, ...prose.filter(isNew)];
}

function wrongAnswer(
  answer: CallAnswer,
  truth: Truth | undefined,
  state: AnswerState | undefined,
  grounds: Grounds,
): WrongFact[] {
  const where = answer.key;
  if (!saysSomething(answer)) return [];
  const reported = String(answer.value ?? answer.answer);
  if (state === 'wrong') {
    const rightly = truth === undefined ? '' : `, known ${String(truth.known.value)}`;
    return [{ where, what: `reported ${reported}${rightly}` }];
  }
  if (state === 'garbage') return [{ where, what: `reported ${reported}, which nobody answered` }];
  const faults = unfounded(
    [answer.answer ?? '', typeof answer.value === 'number' ? reported : ''].join('\n'),
    grounds,
  );
  return faults.slice(0, 1).map((what) => ({ where, what }));
}

/** The name of a person who was never on the line. */
function wrongName(held: Held, { person_name }: CallResult): WrongFact[] {
  if (person_name === null) return [];
  const wanted = wordsIn(person_name);
  const names = [...namesOnTheLine(held.casting), ...selfIntroductions(held)].map(wordsIn);
  const isKnown = names.some(
    (name) => wanted.every((word) => name.includes(word)) || name.every((word) => wanted.includes(word)),
  );
  return isKnown ? [] : [{ where: 'person_name', what: `reported ${person_name}, who was not there` }];
}

/** "This is Bill now", by a person whom the file names nowhere else. */
function selfIntroductions(held: Held): string[] {
  const forms = [
    /\b(?:this is|my name is|my name's|i am|i'm|it's|name's|name is) (\p{L}+(?: \p{Lu}\p{L}+)?)/giu,
    /(\p{L}+(?: \p{Lu}\p{L}+)?) (?:here|speaking)\b/giu,
  ];
  return wordsOfPerson(held).flatMap((words) =>
    forms.flatMap((form) => [...words.matchAll(form)].map(([, name = '']) => name)),
  );
}

function wrongReference(
  { called }: Held,
  { reference_number, answers }: CallResult,
  wrong: readonly WrongFact[],
): WrongFact[] {
  if (reference_number === null || called === null) return [];
  // Taken from an answer, it is as right as that.
  if (answers.some(({ answer, value }) => answer === reference_number || value === reference_number))
    return [];
  const reported = bare(reference_number);
  const isKnown = Object.values(called.knows).some(({ value }) => bare(String(value)) === reported);
  return isKnown || wrong.some(({ what }) => what.includes(reference_number))
    ? []
    : [{ where: 'reference_number', what: `reported ${reference_number}, which is none` }];
}

/** The obstacle must rest on words that were said, and so must the time to call again. */
function wrongObstacle(held: Held, { obstacle = null }: CallResult, grounds: Grounds): WrongFact[] {
  if (obstacle === null) return [];
  const { quote, turn, call_back_at } = obstacle;
  const line = held.transcript[turn];
  const isSaid = line?.role === 'user' && line.content.includes(quote);
  const faults = [
    ...(isSaid ? [] : [`quotes "${quote}", which was not said there`]),
    ...unfounded((call_back_at ?? '').replace('T', ' '), grounds),
  ];
  return faults.map((what) => ({ where: 'obstacle', what }));
}

/** Endings that say something certain about the person called. */
function wrongEnding({ casting, called }: Held, { ending, goal_reached }: CallResult): WrongFact[] {
  const { goal, ending: expected } = casting.person.evaluation;
  const faults: string[] = [];
  const isWrongNumber = expected === 'wrong-number' || casting.person.temper.wrong_number !== undefined;
  if (ending === 'wrong-number' && !isWrongNumber) faults.push('reports a wrong number, which it was not');
  // The figure of the endings covers where refusing ends and opting out begins.
  if (ending === 'opted-out' && expected !== 'opted-out' && expected !== 'refused')
    faults.push('reports an opt-out, which nobody wished');
  const exchanges = called?.exchanges ?? [];
  const spoken = exchanges.filter(({ says }) => says.length > 0);
  if (ending === 'voicemail' && spoken.at(-1)?.isHuman === true && expected !== 'voicemail')
    faults.push('reports a voicemail, where somebody spoke');
  if (goal_reached && goal === 'unreachable') faults.push('claims a goal that could not be reached');
  return faults.map((what) => ({ where: 'ending', what }));
}

interface Judged {
  readonly grounds: Grounds;
  readonly truths: ReadonlyMap<string, Truth>;
  readonly states: ReadonlyMap<string, AnswerState>;
}

/** Sentences about the call: the summary, the follow-up, and the task's outcome. */
function wrongProse(held: Held, result: CallResult, { grounds, truths }: Judged): WrongFact[] {
  const texts: [string, string | null][] = [
    ['summary', result.summary],
    ['follow_up', result.follow_up],
    ['task_outcome', held.taskOutcome === result.summary ? null : held.taskOutcome],
  ];
  const booked = held.called?.booked ?? null;
  const faults = texts.flatMap(([where, text]) => {
    if (text === null) return [];
    const claims =
      held.casting.taskType === 'SCHEDULE_APPOINTMENT' && booked === null && claimsBooking(text)
        ? ['says that an appointment is booked, and none is']
        : [];
    return [...claims, ...unfounded(text, grounds), ...misplaced(text, truths)].map((what) => ({
      where,
      what,
    }));
  });
  return faults.filter(({ what }, index) => faults.findIndex((fault) => fault.what === what) === index);
}

function sharesFigure(one: string, other: string): boolean {
  const figures = (text: string): string[] => [...text.matchAll(/\d[\d,.]*\d|\d/g)].map(([figure]) => figure);
  const others = new Set(figures(other));
  return (
    figures(one).some((figure) => others.has(figure)) || (one.includes('booked') && other.includes('booked'))
  );
}

function wordsIn(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '' && !['dr', 'mr', 'mrs', 'ms', 'miss'].includes(word));
}

function bare(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}
