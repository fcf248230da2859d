import type { Verdict } from './judge.ts';

/** A conversation with everything that was made of it, for somebody who wants to know what went wrong. */
export function transcriptOf({ held, outcome, wrongFacts, disclosures }: Verdict): string {
  const { casting, taskStatus, transcript, result, sandboxCall } = held;
  const lines = transcript.map(
    ({ role, content }, turn) =>
      `${String(turn).padStart(3)} ${role === 'assistant' ? 'agent ' : 'person'} ${content}`,
  );
  const answers = (result?.answers ?? []).map(
    ({ key, answer, value, turn }) =>
      `  ${key}: ${answer ?? '-'} (${JSON.stringify(value)}, turn ${turn ?? '-'})`,
  );
  const person = sandboxCall?.person ?? null;
  return `${[
    `${casting.person.id}: ${casting.person.about}`,
    `${casting.taskType}, seed ${casting.seed}, task ${taskStatus}: ${outcome}`,
    ...wrongFacts.map((fact) => `wrong fact: ${fact}`),
    ...disclosures.map((disclosure) => `disclosed: ${disclosure}`),
    '',
    ...lines,
    '',
    `ending: ${result?.ending ?? '-'}; person: ${result?.person_name ?? '-'}; summary: ${result?.summary ?? '-'}`,
    'reported:',
    ...answers,
    `told: ${person?.told.join(', ') ?? '-'}`,
    `booked: ${person?.booked === null || person === null ? '-' : `${person.booked.moment} ${person.booked.with}`}`,
    'known:',
    ...Object.entries(person?.knows ?? {}).map(([name, { value }]) => `  ${name}: ${String(value)}`),
  ].join('\n')}\n`;
}
