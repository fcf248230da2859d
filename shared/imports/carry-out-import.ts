import { authorizeProject, type ProjectAccess } from '#shared/admin/authorize-project.ts';
import { importMessage } from '#shared/calls/call-message.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import { leaseEnd, workInSlices } from '#shared/calls/long-work.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { Import, ImportCounts, ImportRow, RowOutcome } from '#shared/domain/import.ts';
import { noCounts } from '#shared/domain/import.ts';
import { annotateLog } from '#shared/observability/log.ts';
import {
  changeImport,
  finishPartItems,
  getImport,
  getImportPart,
  type ImportName,
} from '#shared/table/import.ts';
import { TransactionConditionFailed, writeContendedTransaction } from '#shared/table/transaction.ts';
import { carryOutRow, type RowServices } from './carry-out-row.ts';

type ImportServices = Pick<CallServices, 'table' | 'queue' | 'carrier' | 'now'>;

const rowsAtOnce = 5;

/**
 * Continues an import at its first unfinished part. Messages may be duplicated, late or concurrent: a row
 * never creates anything twice, and of two workers on one part the slower one stops.
 */
export async function carryOutImport(services: ImportServices, name: ImportName): Promise<void> {
  annotateLog({ project_id: name.project_id, import_id: name.id });
  const { table, now } = services;
  const found = await getImport(table, name, now());
  if (found?.status !== 'running') return;
  const access = await accessOf(services, found);
  if (access === null) return;
  await changeImport(table, found, {}, leaseEnd(now()));
  const rowServices = { ...services, hasSandboxPhone: (await services.carrier('sandbox')) !== null };
  await workInSlices(services, importMessage(name), async () => {
    const one = await getImport(table, name, now());
    if (one?.status !== 'running') return 'over';
    if (one.next_part < one.parts) return (await carryOutPart(rowServices, access, one)) ? 'more' : 'over';
    annotateLog({ import: 'done' });
    await changeImport(table, one, { status: 'done' }, null);
    return 'over';
  });
}

/** Null for an import that may no longer run: it is stopped, with the reason. */
async function accessOf({ table }: ImportServices, one: Import): Promise<ProjectAccess | null> {
  if (one.started_by === null) return null;
  const { person, request_id, source_ip, session_id } = one.started_by;
  const session = session_id === null ? {} : { sessionId: session_id };
  const caller = { person, requestId: request_id, sourceIp: source_ip, ...session };
  try {
    return await authorizeProject(table, caller, one.project_id, 'tasks.write');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const stopped_because = `${person.email} may no longer create tasks in this project.`;
    await changeImport(table, one, { status: 'stopped', stopped_because }, null);
    return null;
  }
}

/** False when another worker finished the part; it starts over when rows were erased meanwhile. */
async function carryOutPart(services: RowServices, access: ProjectAccess, one: Import): Promise<boolean> {
  const rows = await getImportPart(services.table, one, one.next_part);
  const done: ImportRow[] = [];
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const group = rows.slice(start, start + rowsAtOnce);
    done.push(
      ...(await Promise.all(
        group.map(async (row) =>
          row.problems.length > 0 ? row : finished(row, await carryOutRow(services, access, one, row)),
        ),
      )),
    );
  }
  try {
    await writeContendedTransaction(
      services.table,
      finishPartItems(services.table, one, done, countsOf(rows, done)),
    );
    return true;
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    const now = await getImport(services.table, one, services.now());
    return now?.next_part === one.next_part;
  }
}

/** Drops the data that patient and task now hold; keeps refused rows so that the clinic can correct them. */
function finished(row: ImportRow, outcome: RowOutcome): ImportRow {
  return outcome.refusal === null
    ? { ...row, cells: [], named: undefined, patient: null, task: null, outcome }
    : { ...row, patient: null, task: null, outcome };
}

function countsOf(rows: readonly ImportRow[], done: readonly ImportRow[]): ImportCounts {
  const outcomes = done.flatMap(({ outcome }, index) =>
    // A patient whom an earlier row has added was not there before the import.
    outcome === null ? [] : [{ ...outcome, isOldPatient: rows[index]?.patient?.kind === 'existing' }],
  );
  const count = (is: (outcome: (typeof outcomes)[number]) => boolean): number => outcomes.filter(is).length;
  const isRepeated = ({ task_id, is_new_task }: RowOutcome): boolean => task_id !== null && !is_new_task;
  return {
    ...noCounts,
    patients_created: count(({ is_new_patient }) => is_new_patient),
    patients_found: count((outcome) => outcome.isOldPatient && !isRepeated(outcome)),
    tasks_created: count(({ is_new_task }) => is_new_task),
    repeated: count(isRepeated),
    refused: count(({ refusal }) => refusal !== null),
  };
}
