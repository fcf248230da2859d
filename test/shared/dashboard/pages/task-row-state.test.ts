import { describe, expect, test } from 'vitest';
import { RowState } from '#shared/dashboard/pages/task-row-state.tsx';
import { type FollowUp, newFollowUp } from '#shared/domain/follow-up.ts';
import type { Task } from '#shared/domain/task.ts';
import { toTaskRow } from '#shared/table/task-rows.ts';
import { sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

const project = sampleProject();

function stateOf(changes: Partial<Task>, today = '2026-11-30'): string {
  const row = toTaskRow(sampleTask(project, { status: 'FAILED', ...changes }));
  return String(RowState({ row, today })).replaceAll('\u00a0', ' ');
}

describe('an open follow-up', () => {
  const dueOn = (due: string, changes: Partial<FollowUp> = {}): string =>
    stateOf({
      result: sampleResult({ follow_up: 'Call the office.' }),
      follow_up_work: { ...newFollowUp, due, ...changes },
    });
  const shown = (kind: string, words: string, due: string, text: string) =>
    `<span class="state ${kind}">${words}<time datetime="${due}">${text}</time></span>`;

  test.each([
    ['2026-11-28', shown('warn', 'Overdue since ', '2026-11-28', 'Nov 28')],
    ['2020-01-01', shown('warn', 'Overdue since ', '2020-01-01', 'Jan 1, 2020')],
    ['2026-11-30', shown('plain', 'Due ', '2026-11-30', 'Nov 30')],
    ['2027-01-04', shown('plain', 'Due ', '2027-01-04', 'Jan 4, 2027')],
  ])('due %s is shown', (due, state) => {
    expect(dueOn(due)).toContain(state);
  });

  test('names its assignee first', () => {
    const state = dueOn('2026-11-28', { assignee: 'kim@clinic.example.com' });
    expect(state).toContain(shown('warn', 'kim, overdue since ', '2026-11-28', 'Nov 28'));
  });
});

test('a phone number in an outcome is written as elsewhere', () => {
  expect(stateOf({ task_outcome: 'Needs review before +12025550167 is called again.' })).toContain(
    'before +1 (202) 555-0167 is called',
  );
});
