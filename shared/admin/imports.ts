import type { AuditAction } from '#shared/audit/access-entry.ts';
import { leaseEnd } from '#shared/calls/long-work.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { type Import, type ImportRow, noCounts } from '#shared/domain/import.ts';
import { readKnownPatients } from '#shared/imports/known-patients.ts';
import type { Table } from '#shared/table/client.ts';
import {
  changeImport,
  getImport,
  importRows,
  listImports,
  putImport,
  putImportPart,
} from '#shared/table/import.ts';
import { groupBySize } from '#shared/table/size-groups.ts';
import { storedBytes } from '#shared/table/storable.ts';
import { expiresIn } from '#shared/table/time-to-live.ts';
import { auditAction } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';
import { ProjectPatientBody } from './patients.ts';

/** A checked file, stored until its import is started. */
export interface CheckedFile extends Pick<Import, 'file_name' | 'columns' | 'ignored_columns' | 'expected'> {
  readonly rows: readonly ImportRow[];
}

/** Rows and results of an import expire after this time. */
export const importKeptDays = 7;
const keptSeconds = importKeptDays * 24 * 60 * 60;
/** Limited by the item size, including results, and by what one slice of work can do. */
const part = { items: 25, bytes: 250_000 } as const;
const writesAtOnce = 20;

/** Stores a checked file. Nothing is imported until the import is started. */
export async function keepImport(
  table: Table,
  { project, caller }: ProjectAccess,
  { rows, ...file }: CheckedFile,
  now: Date = new Date(),
): Promise<Import> {
  const parts = groupBySize(rows, part, storedBytes);
  const one: Import = {
    ...file,
    id: uuidv7(now.getTime()),
    project_id: project.id,
    status: 'ready',
    stopped_because: null,
    rows: rows.length,
    bad_rows: rows.filter(({ problems }) => problems.length > 0).length,
    counts: noCounts,
    rows_done: 0,
    parts: parts.length,
    next_part: 0,
    erasures: 0,
    created_by: caller.person.email,
    created_at: now.toISOString(),
    started_by: null,
    ...expiresIn(keptSeconds, now.getTime()),
  };
  for (let start = 0; start < parts.length; start += writesAtOnce) {
    const group = parts.slice(start, start + writesAtOnce);
    await Promise.all(group.map((rowsOfPart, at) => putImportPart(table, one, start + at, rowsOfPart)));
  }
  await putImport(table, one);
  return one;
}

/** Throws `not_found` for another project's import and for an expired one. */
export async function readImport(table: Table, { project }: ProjectAccess, id: string): Promise<Import> {
  const one = await getImport(table, { project_id: project.id, id }, new Date());
  if (one === null) throw new ServiceError('not_found', 'Import not found');
  return one;
}

export function readImports(table: Table, { project }: ProjectAccess): Promise<Import[]> {
  return listImports(table, project.id, new Date());
}

/** Whether the clinic needs to fix the row. */
export function isWrong({ problems, outcome }: ImportRow): boolean {
  return problems.length > 0 || (outcome !== null && outcome.refusal !== null);
}

/**
 * The first rows that the clinic needs to fix. Not audited, because pages show only row numbers and problems, not the
 * rows' content.
 */
export async function readWrongRows(
  table: Table,
  { id, bad_rows, counts }: Import,
  limit: number,
): Promise<ImportRow[]> {
  const wanted = Math.min(limit, bad_rows + counts.refused);
  const wrong: ImportRow[] = [];
  if (wanted === 0) return wrong;
  for await (const rows of importRows(table, { id })) {
    wrong.push(...rows.filter(isWrong));
    if (wrong.length >= wanted) break;
  }
  return wrong.slice(0, wanted);
}

/**
 * The first patients that an import of a checked file would add, with what was understood of them. Not audited: they
 * are not patients yet.
 */
export async function readFirstPatients(
  table: Table,
  { id, status, expected }: Import,
  limit: number,
): Promise<ProjectPatientBody[]> {
  const wanted = status === 'ready' ? Math.min(limit, expected.patients_created) : 0;
  const found = new Map<string, ProjectPatientBody>();
  if (wanted === 0) return [];
  for await (const rows of importRows(table, { id })) {
    for (const { patient } of rows) {
      if (patient?.kind !== 'new' || found.size >= wanted) continue;
      const body = ProjectPatientBody.safeParse(patient.body);
      if (body.success) found.set(patient.key, body.data);
    }
    if (found.size >= wanted) break;
  }
  return [...found.values()];
}

/** So that an entry fits the item limit. */
const patientsInEntry = 100;

/** The rows for a download; their patients are audited as seen by the caller. */
export async function exportImportRows(
  table: Table,
  access: ProjectAccess,
  one: Import,
  isWanted: (row: ImportRow) => boolean = () => true,
): Promise<ImportRow[]> {
  const rows: ImportRow[] = [];
  for await (const page of importRows(table, one)) rows.push(...page.filter(isWanted));
  const seen = [...(await patientsOf(table, one.project_id, rows))];
  for (let start = 0; start < seen.length || start === 0; start += patientsInEntry) {
    const patientIds = seen.slice(start, start + patientsInEntry);
    await auditAction(table, access, { ...importAction('import.exported', one), patientIds });
  }
  return rows;
}

/** The patients that rows link to or name, including rows that were not imported. */
async function patientsOf(
  table: Table,
  projectId: string,
  rows: readonly ImportRow[],
): Promise<ReadonlySet<string>> {
  const linkOf = ({ outcome, patient }: ImportRow) =>
    outcome?.patient_id ?? (patient?.kind === 'existing' ? patient.id : null);
  const linked = rows.flatMap((row) => linkOf(row) ?? []);
  const named = rows.flatMap((row) => (linkOf(row) === null ? (row.named ?? []) : []));
  if (named.length === 0) return new Set(linked);
  const externalIds = named.flatMap(({ external_id }) => external_id ?? []);
  const known = await readKnownPatients(table, projectId, externalIds);
  const meant = named.flatMap(({ external_id, name, date_of_birth }) => {
    const id = known.byExternalId.get(external_id ?? '');
    if (id !== undefined) return [id];
    const isPerson = name !== null && date_of_birth !== null;
    return isPerson ? known.samePerson(`${date_of_birth} ${name}`, external_id ?? '') : [];
  });
  return new Set([...linked, ...meant]);
}

/** Starts or resumes an import on behalf of the caller. Throws `conflict` while it is running. */
export async function startImport(table: Table, access: ProjectAccess, one: Import): Promise<void> {
  const now = new Date();
  if (one.status === 'running' || one.status === 'done') {
    throw new ServiceError('conflict', `The import is already ${one.status}`);
  }
  const { person, requestId, sourceIp = null, sessionId = null } = access.caller;
  const started_by = { person, request_id: requestId, source_ip: sourceIp, session_id: sessionId };
  await auditAction(table, access, importAction('import.started', one), now);
  await changed(
    changeImport(table, one, { status: 'running', started_by, stopped_because: null }, leaseEnd(now)),
  );
}

/** Stops an import after the rows in progress. Throws `conflict` unless it is running. */
export async function stopImport(table: Table, access: ProjectAccess, one: Import): Promise<void> {
  if (one.status !== 'running') throw new ServiceError('conflict', 'The import is not running');
  await auditAction(table, access, importAction('import.stopped', one));
  await changed(changeImport(table, one, { status: 'stopped', stopped_because: null }, null));
}

async function changed(write: Promise<boolean>): Promise<void> {
  if (!(await write)) throw new ServiceError('conflict', 'Someone else changed the import; reload it');
}

/** Counts only: file name and rows may hold health information. */
function importAction(action: AuditAction['action'], { id, rows, bad_rows }: Import): AuditAction {
  return { action, target: { type: 'import', id }, after: { rows, bad_rows } };
}
