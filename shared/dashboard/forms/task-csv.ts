import type { PatientName } from '#shared/admin/task-search.ts';
import { obstacleSentences } from '#shared/domain/obstacle-sentences.ts';
import type { TaskRow } from '#shared/table/task-rows.ts';
import { csvText } from './csv.ts';

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

/** Task rows as CSV. */
export function taskCsv(rows: readonly TaskRow[], names: ReadonlyMap<string, PatientName>): string {
  return csvText([columns, ...rows.map((row) => cellsOf(row, names.get(row.patient_id)))]);
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
