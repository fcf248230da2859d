import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { NamedPerson } from './named-person.ts';
import { Person } from './person.ts';
import { Timestamp } from './values.ts';

/** Limits of one file. */
export const importLimits = { rows: 5000, fileBytes: 3 * 1024 * 1024, rowBytes: 60_000 } as const;

/** A problem and its column; null if it concerns the whole row. */
export const RowProblem = z.object({ column: z.nullable(z.string()), problem: z.string() });
export type RowProblem = z.infer<typeof RowProblem>;

/** Why a row about an erased patient is not imported. */
export const patientErased = 'The patient was erased';

/** The result of a row. */
export const RowOutcome = z.object({
  patient_id: z.nullable(Uuid),
  is_new_patient: z.boolean(),
  task_id: z.nullable(Uuid),
  /** False when an earlier import of the same row created the task. */
  is_new_task: z.boolean(),
  /** Why nothing, or only the patient, was created. */
  refusal: z.nullable(z.string()),
});
export type RowOutcome = z.infer<typeof RowOutcome>;

/** One row of a file: its text, what it creates, and its result. */
export const ImportRow = z.object({
  /** Counted as in a spreadsheet: the heading is row 1. */
  number: z.int(),
  /** Emptied once the row is imported: from then on patient and task have the data. */
  cells: z.array(z.string()),
  problems: z.array(RowProblem),
  /** The person named in the cells; absent without cells, and in rows of earlier versions. */
  named: z.optional(NamedPerson),
  /** The task's patient: an existing one or the body of a new one. Null for a row with problems. */
  patient: z.nullable(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('existing'), id: Uuid }),
      /** @param key equal for all rows about the same person */
      z.object({ kind: z.literal('new'), key: z.string(), body: z.record(z.string(), z.unknown()) }),
    ]),
  ),
  /** Body of the task, without its patient; null for a row with only a patient. */
  task: z.nullable(z.object({ key: z.string(), body: z.record(z.string(), z.unknown()) })),
  outcome: z.nullable(RowOutcome),
});
export type ImportRow = z.infer<typeof ImportRow>;

export const ImportCounts = z.object({
  patients_created: z.int(),
  patients_found: z.int(),
  tasks_created: z.int(),
  /** Rows whose task an earlier import or row created. */
  repeated: z.int(),
  refused: z.int(),
});
export type ImportCounts = z.infer<typeof ImportCounts>;

/** A file of patients and tasks: checked first, then imported part by part in the background. */
export const Import = z.object({
  id: Uuid,
  project_id: Uuid,
  file_name: z.string(),
  status: z.enum(['ready', 'running', 'stopped', 'done']),
  /** Why it stopped on its own. */
  stopped_because: z.nullable(z.string()),
  /** The headings of the file. */
  columns: z.array(z.string()),
  /** Headings unknown to the import. */
  ignored_columns: z.array(z.string()),
  rows: z.int(),
  /** Rows with problems, which are skipped. */
  bad_rows: z.int(),
  /** Expected results of the other rows, from the check. */
  expected: ImportCounts,
  /** The results so far. */
  counts: ImportCounts,
  rows_done: z.int(),
  parts: z.int(),
  /** The first part that has not been imported yet. */
  next_part: z.int(),
  /** How often rows were erased: who read rows before must not write them. */
  erasures: z._default(z.int(), 0),
  created_by: z.string(),
  created_at: Timestamp,
  /** Who started it, and the audit actor of all it creates; null before the start. */
  started_by: z.nullable(
    z.object({
      person: Person,
      request_id: z.string(),
      source_ip: z.nullable(z.string()),
      session_id: z.nullable(z.string()),
    }),
  ),
  expires_at_seconds: z.int(),
});
export type Import = z.infer<typeof Import>;

export const noCounts: ImportCounts = {
  patients_created: 0,
  patients_found: 0,
  tasks_created: 0,
  repeated: 0,
  refused: 0,
};
