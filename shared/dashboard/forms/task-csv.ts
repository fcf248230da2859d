import type { PatientName } from '#shared/admin/task-search.ts';
import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import type { TaskRow } from '#shared/table/task-rows.ts';

const columns = [
  'Task ID',
  'Created (UTC)',
  'Patient',
  'Date of birth',
  'Type',
  'Goal',
  'Number called',
  'Status',
  'Outcome',
  'Obstacle',
  'Follow-up',
  'Confirmation number',
  'Needs review',
  'Assignee',
  'Due',
  'Next attempt (UTC)',
] as const;

/** Rows of tasks as a file for a spreadsheet (RFC 4180), with the byte order mark by which Excel knows UTF-8. */
export function taskCsv(rows: readonly TaskRow[], names: ReadonlyMap<string, PatientName>): string {
  const lines = [columns, ...rows.map((row) => cellsOf(row, names.get(row.patient_id)))];
  return `\ufeff${lines.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
}

function cellsOf(row: TaskRow, patient: PatientName | undefined): readonly string[] {
  const { follow_up = null, obstacle = null, reference_number = null } = row.listed.result ?? {};
  return [
    row.id,
    row.created_at,
    patient === undefined ? '' : `${patient.first_name} ${patient.last_name}`,
    patient?.date_of_birth ?? '',
    row.task_type,
    row.task,
    row.phone_number,
    row.status,
    row.task_outcome ?? '',
    obstacle === null ? '' : obstacleSentences[obstacle.reason],
    follow_up ?? '',
    reference_number ?? '',
    row.needs_review ? 'yes' : '',
    row.listed.follow_up_work?.assignee ?? '',
    row.listed.follow_up_work?.due ?? '',
    row.next_attempt_at ?? '',
  ];
}

/** Spreadsheets carry out what begins like a formula; a phone number is none, and stays one that can be dialed. */
const formula = /^[=+\-@\t\r]/;
const phoneNumber = /^\+\d+$/;

function cellText(text: string): string {
  const safe = formula.test(text) && !phoneNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
