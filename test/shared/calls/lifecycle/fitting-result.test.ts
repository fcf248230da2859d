import { describe, expect, test } from 'vitest';
import { fittingResult, fittingTask } from '#shared/calls/lifecycle/fitting-result.ts';
import type { CallAnswer } from '#shared/domain/call-result.ts';
import { maxItemBytes, storedBytes } from '#shared/table/storable.ts';
import { sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

function answerOf(index: number, answer: string | null): CallAnswer {
  const key = `question_${index}`;
  return { key, question: 'Why?', answer, value: null, quote: answer, turn: null, needs_review: false };
}

const answers = Array.from({ length: 100 }, (_, index) =>
  answerOf(index, index % 2 === 0 ? 'Because.' : null),
);
const disclosures = Array.from({ length: 100 }, (_, turn) => ({ field: 'patient.name', turn }));
const result = sampleResult({ answers, disclosures });

describe('a result', () => {
  test('that fits is unchanged', () => {
    expect(fittingResult(result, storedBytes(result))).toBe(result);
  });

  test('that does not fit drops unanswered questions first', () => {
    const fitting = fittingResult(result, storedBytes(result) - 1);
    expect(fitting.answers).toEqual(answers.filter(({ answer }) => answer !== null));
    expect(fitting.disclosures).toEqual(disclosures);
  });

  test.each([500, 1_000, 2_000, 4_000, 8_000])('is never larger than %i bytes', (maxBytes) => {
    const fitting = fittingResult(result, maxBytes);
    expect(storedBytes(fitting)).toBeLessThanOrEqual(maxBytes);
    expect(answers).toEqual(expect.arrayContaining(fitting.answers));
    expect(fitting).toMatchObject({ goal_reached: true, definite: true, summary: result.summary });
  });
});

test('a task near the item limit can still end', () => {
  const task = sampleTask(sampleProject(), {
    task_data: { notes: 'n'.repeat(340_000) },
    task_outcome: 'o'.repeat(100_000),
    result: sampleResult({
      answers: Array.from({ length: 1_000 }, (_, index) => answerOf(index, 'a'.repeat(100))),
    }),
  });
  const fitting = fittingTask(task);
  expect(storedBytes(fitting)).toBeLessThanOrEqual(maxItemBytes);
  expect(fitting.result?.answers.length).toBeGreaterThan(50);
  expect(fitting.task_data).toEqual(task.task_data);
});
