import { expect, test } from 'vitest';
import { linksBelow } from '#shared/dashboard/links.ts';
import { ImportPage } from '#shared/dashboard/pages/import-page.tsx';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Import, ImportRow } from '#shared/domain/import.ts';
import { sampleProject, sampleTime } from '../../../support/sample-tasks.ts';

const project = sampleProject();

function pageOf(
  status: Import['status'],
  count: number,
  changes: Partial<Import> = {},
  rows: ImportRow[] = [],
) {
  const counts = {
    patients_created: count,
    patients_found: count,
    tasks_created: count,
    repeated: count,
    refused: count,
  };
  const one = {
    id: uuidv7(),
    project_id: project.id,
    file_name: 'day.csv',
    status,
    stopped_because: null,
    columns: [],
    ignored_columns: [],
    rows: 10,
    bad_rows: count,
    expected: { ...counts, refused: 0 },
    counts,
    rows_done: 10,
    parts: 1,
    next_part: 1,
    erasures: 0,
    created_by: 'staff@clinic.example.com',
    created_at: sampleTime,
    started_by: null,
    expires_at_seconds: 0,
    ...changes,
  };
  const view = {
    links: linksBelow('https://api.example.test'),
    session: {
      person: { subject: 's', email: 'staff@clinic.example.com', name: null },
      id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
      formToken: 'token',
      secondsLeft: 900,
    },
    timeZone: 'UTC',
    project,
    role: 'staff' as const,
    sendsMail: false,
  };
  return String(
    ImportPage({ view, one, firstPatients: [], wrongRows: rows, version: '', done: undefined, errors: {} }),
  ).replace(/^.*<main/s, '');
}

function linesOf(status: Import['status'], count: number): string {
  const page = pageOf(status, count);
  return (page.match(/<li>.*?<\/li>/g) ?? []).join(' ').replace(/<[^>]*>/g, '');
}

test('an import counts one or several of each', () => {
  expect(linesOf('ready', 1)).toBe(
    '1 task will be created; its calls start as soon as calling hours allow ' +
      '1 patient will be added 1 patient already exists and does not change ' +
      '1 row was already imported or repeats an earlier row, and creates nothing ' +
      '1 row with problems will be skipped',
  );
  expect(linesOf('done', 1)).toBe(
    '1 task was created 1 patient was added 1 row is for a patient who already existed ' +
      '1 row was already imported and created nothing 1 row was refused, as listed below ' +
      '1 row with problems is skipped',
  );
  expect(linesOf('done', 2)).toBe(
    '2 tasks were created 2 patients were added 2 rows are for patients who already existed ' +
      '2 rows were already imported and created nothing 2 rows were refused, as listed below ' +
      '2 rows with problems are skipped',
  );
});

test('names once the columns that rows lack and the file does not have', () => {
  const problems = [
    { column: 'DOB', problem: 'Enter a date of birth' },
    { column: 'Patient phone number', problem: 'Enter a phone number' },
  ];
  const row = { cells: [], patient: null, task: null, outcome: null, problems };
  const rows = [2, 3].map((number) => ({ ...row, number }));
  const page = pageOf('ready', 2, { columns: ['First name', 'DOB'] }, rows);
  expect(page).toContain('<p>Patient phone number. If the file has them, give them these headings.</p>');
});
