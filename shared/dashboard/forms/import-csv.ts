import type { Import, ImportRow } from '#shared/domain/import.ts';
import { csvText } from './csv.ts';
import { addedHeadings, isAddedHeading } from './import-columns.ts';

/** The rows of an import as CSV files. */
export const importRowsCsv = {
  /** Rows as the clinic wrote them, with their problems, to correct and import again. */
  wrong({ columns }: Pick<Import, 'columns'>, rows: readonly ImportRow[]): string {
    const own = columns
      .map((heading, at) => ({ heading, at }))
      .filter(({ heading }) => !isAddedHeading(heading));
    return csvText([
      [addedHeadings.row, addedHeadings.problem, ...own.map(({ heading }) => heading)],
      ...rows.map((row) => [
        String(row.number),
        problemText(row),
        ...own.map(({ at }) => row.cells[at] ?? ''),
      ]),
    ]);
  },
  /** The result of every row, by number. */
  results(rows: readonly ImportRow[]): string {
    return csvText([
      [addedHeadings.row, 'Result', 'Patient ID', 'Task ID', addedHeadings.problem],
      ...rows.map((row) => [
        String(row.number),
        resultText(row),
        row.outcome?.patient_id ?? '',
        row.outcome?.task_id ?? '',
        problemText(row),
      ]),
    ]);
  },
};

/** A row's problems, with the headings of their columns. */
export function problemText({ problems, outcome }: ImportRow): string {
  const found = problems.map(({ column, problem }) => (column === null ? problem : `${column}: ${problem}`));
  return [...found, ...(outcome?.refusal == null ? [] : [outcome.refusal])].join('; ');
}

function resultText({ problems, outcome }: ImportRow): string {
  if (problems.length > 0) return 'Skipped';
  if (outcome === null) return 'Not imported yet';
  const { refusal, is_new_patient, task_id, is_new_task } = outcome;
  if (refusal !== null) return is_new_patient ? 'Patient added, task refused' : 'Refused';
  if (task_id === null) return is_new_patient ? 'Patient added' : 'Patient already existed';
  if (!is_new_task) return 'Already imported';
  return is_new_patient ? 'Patient added, task created' : 'Task created';
}
