import { expect, test } from 'vitest';
import { taskCsv } from '#shared/dashboard/forms/task-csv.ts';
import { needsOf } from '#shared/table/task-needs.ts';
import { TaskRow } from '#shared/table/task-rows.ts';
import { sampleProject, sampleResult, sampleTask } from '../../../support/sample-tasks.ts';

test('exported tasks are valid in a spreadsheet, without formulas', () => {
  const task = sampleTask(sampleProject(), {
    status: 'COMPLETED',
    task: '=HYPERLINK("https://example.com")',
    task_outcome: 'Booked for Wednesday,\nten o’clock.',
    result: sampleResult({ follow_up: '-Bring the card', reference_number: 'RF95722' }),
  });
  const maya = { id: task.patient_id, first_name: 'Maya', last_name: 'Rivera', date_of_birth: '1984-07-12' };
  const file = taskCsv([TaskRow.parse({ ...task, ...needsOf(task) })], new Map([[maya.id, maya]]));
  const [heading, ...rest] = file.split('\r\n');
  expect(heading).toMatch(/^\ufeffTask ID,Created \(UTC\),Patient,/);
  const line = rest.join('\r\n');
  for (const cell of [
    ',Maya Rivera,1984-07-12,',
    `,"'=HYPERLINK(""https://example.com"")",`,
    ',+12025550103,',
    ',"Booked for Wednesday,\nten o’clock.",',
    `,'-Bring the card,RF95722,`,
  ]) {
    expect(line).toContain(cell);
  }
  expect(file.endsWith('\r\n')).toBe(true);
});
