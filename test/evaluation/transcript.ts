import type { CallAnswer } from '#shared/domain/call-result.ts';
import type { Held, Line } from './held.ts';
import type { Verdict } from './judging/judge.ts';
import { needsReview } from './judging/read-result.ts';

/** A conversation with all its results, for finding out what went wrong. */
export function transcriptOf({ held, outcome, isUsable }: Verdict, faults: readonly string[]): string {
  const { casting, taskStatus, transcript } = held;
  return `${[
    `${casting.person.id}: ${casting.person.about}`,
    `${casting.taskType}, seed ${casting.seed}, task ${taskStatus}: ${outcome}; ${isUsable ? 'usable' : 'not usable'}`,
    `task: ${casting.task}`,
    ...faults,
    '',
    ...transcript.map(lineOf),
    '',
    ...resultLines(held),
    ...truthLines(held),
  ].join('\n')}\n`;
}

function lineOf({ role, content, said }: Line, turn: number): string {
  const meant = said === undefined ? '' : `   [said: ${said}]`;
  return `${String(turn).padStart(3)} ${role === 'assistant' ? 'agent ' : 'person'} ${content}${meant}`;
}

function resultLines({ result }: Held): string[] {
  if (result === null) return ['no result'];
  const { obstacle = null } = result;
  return [
    `ending: ${result.ending ?? '-'}; goal: ${result.goal_reached}; ` +
      `person: ${result.person_name ?? '-'}; reference: ${result.reference_number ?? '-'}`,
    `summary: ${result.summary}`,
    `follow-up: ${result.follow_up ?? '-'}`,
    ...(obstacle === null
      ? []
      : [`obstacle: ${obstacle.reason}, "${obstacle.quote}", call back at ${obstacle.call_back_at ?? '-'}`]),
    'reported:',
    ...result.answers.map(answerLine),
  ];
}

function answerLine(answer: CallAnswer): string {
  const { key, value, turn } = answer;
  const review = needsReview(answer) ? ', for review' : '';
  return `  ${key}: ${answer.answer ?? '-'} (${JSON.stringify(value)}, turn ${turn ?? '-'}${review})`;
}

function truthLines({ called }: Held): string[] {
  if (called === null) return ['nobody was reached'];
  const { booked, told, knows } = called;
  return [
    `told: ${told.join(', ')}`,
    `booked: ${booked === null ? '-' : `${booked.moment} ${booked.with}`}`,
    'known:',
    ...Object.entries(knows).map(([name, { value }]) => `  ${name}: ${String(value)}`),
  ];
}
