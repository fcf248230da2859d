import * as z from 'zod/mini';
import type { ProjectAccess } from '#shared/admin/authorize-project.ts';
import { ProjectPatientBody, registerPatient } from '#shared/admin/patients.ts';
import { createProjectTask, projectTaskBodies } from '#shared/admin/tasks.ts';
import type { CallServices } from '#shared/calls/call-services.ts';
import type { Created } from '#shared/domain/created.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { type Import, type ImportRow, patientErased, type RowOutcome } from '#shared/domain/import.ts';
import { RequestedTaskType } from '#shared/domain/task-type.ts';
import type { Table } from '#shared/table/client.ts';
import { getErasure } from '#shared/table/erasure.ts';
import { getIdempotencyRecords } from '#shared/table/idempotency.ts';
import { getPatient } from '#shared/table/patient.ts';
import { performOnce, rememberedBody } from '#shared/table/perform-once.ts';
import type { Alongside } from '#shared/table/transaction.ts';
import { checkNewTask } from '#shared/tasks/check-new-task.ts';
import { checkSandboxPhone } from '#shared/tasks/check-sandbox-phone.ts';
import { enqueueDial } from '#shared/tasks/enqueue-dial.ts';
import { importedKey, importedKeys, rememberedSeconds, rowKey } from './row-keys.ts';

/** What a row created, and which row of which import it was. */
const MadeByRow = z.object({ id: Uuid, import_id: Uuid, row: z.int() });
type MadeByRow = z.infer<typeof MadeByRow>;

/** What a row creates, and its idempotency key. */
interface RowToMake {
  readonly projectId: string;
  readonly importId: string;
  readonly row: number;
  /** Made by `rowKey`. */
  readonly key: string;
}

/** What importing rows needs besides the project and the person. */
export interface RowServices extends Pick<CallServices, 'table' | 'queue' | 'now'> {
  readonly hasSandboxPhone: boolean;
}

const nothing: RowOutcome = {
  patient_id: null,
  is_new_patient: false,
  task_id: null,
  is_new_task: false,
  refusal: null,
};

/**
 * Creates the patient and the task of a row. Idempotent, even when run concurrently. A refusal is the row's
 * result; other errors are thrown so that the part is retried.
 */
export async function carryOutRow(
  services: RowServices,
  access: ProjectAccess,
  { id: importId, project_id: projectId }: Pick<Import, 'id' | 'project_id'>,
  { number: row, patient, task }: ImportRow,
): Promise<RowOutcome> {
  const { table, now } = services;
  if (patient === null) return nothing;
  const place = { projectId, importId, row };
  let outcome = nothing;
  try {
    const earlier = task === null ? null : await findMade(table, { projectId, key: task.key }, now());
    if (earlier !== null && !isOwn(earlier, place)) return { ...nothing, task_id: earlier.id };
    if (patient.kind === 'existing') outcome = { ...outcome, patient_id: patient.id };
    else {
      const made = await madePatient(services, access, { ...place, key: patient.key }, patient.body);
      outcome = { ...outcome, patient_id: made.id, is_new_patient: isOwn(made, place) };
    }
    if (task === null || outcome.patient_id === null) return outcome;
    const body = { ...task.body, patient_id: outcome.patient_id };
    const made = earlier ?? (await makeTask(services, access, { ...place, key: task.key }, body));
    return { ...outcome, task_id: made.id, is_new_task: isOwn(made, place) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...outcome, refusal: `${error.detail}.` };
  }
}

function isOwn(made: MadeByRow, { importId, row }: Pick<RowToMake, 'importId' | 'row'>): boolean {
  return made.import_id === importId && made.row === row;
}

async function madePatient(
  services: RowServices,
  access: ProjectAccess,
  place: RowToMake,
  body: Record<string, unknown>,
): Promise<MadeByRow> {
  const { table, now } = services;
  const made =
    (await findMade(table, place, now())) ??
    (await makeOnce(table, place, now(), (remember) =>
      registerPatient(table, access, ProjectPatientBody.parse(body), remember),
    ));
  if (isOwn(made, place) || (await getPatient(table, made.id)) !== null) return made;
  // An earlier row or import created the patient, who has been erased since. Until that is done, this row is
  // about to be emptied.
  if ((await getErasure(table, made.id))?.status === 'PENDING') {
    throw new ServiceError('conflict', patientErased);
  }
  return madePatient(services, access, { ...place, key: rowKey('patient', [place.key, made.id]) }, body);
}

async function makeTask(
  { table, queue, now, hasSandboxPhone }: RowServices,
  access: ProjectAccess,
  place: RowToMake,
  body: Record<string, unknown>,
): Promise<MadeByRow> {
  const newTask = projectTaskBodies[RequestedTaskType.parse(body.task_type)].parse(body);
  await checkNewTask(newTask);
  checkSandboxPhone(access.project, hasSandboxPhone);
  return makeOnce(table, place, now(), async (remember) => {
    const task = await createProjectTask(table, access, newTask, remember);
    await enqueueDial(queue, task);
    return task;
  });
}

/** Creates something unless a row created it under the same key in the last 30 days. Throws what `make` throws. */
async function makeOnce(
  table: Table,
  { projectId, importId, row, key }: RowToMake,
  now: Date,
  make: (remember: Alongside<Created>) => Promise<Created>,
): Promise<MadeByRow> {
  const madeByRow = ({ id }: Created): MadeByRow => ({ id, import_id: importId, row });
  // The key is derived from the row itself, so no other request can have it.
  const request = {
    key: await importedKey(table, projectId, key),
    requestHash: key,
    body: MadeByRow,
    now,
    lifetimeSeconds: rememberedSeconds,
  };
  const { body } = await performOnce(table, request, async (remember) =>
    madeByRow(await make((made) => remember(madeByRow(made)))),
  );
  return body;
}

/** What a row created under the key in the last 30 days, also by an earlier version. */
async function findMade(
  table: Table,
  { projectId, key }: Pick<RowToMake, 'projectId' | 'key'>,
  now: Date,
): Promise<MadeByRow | null> {
  const records = await getIdempotencyRecords(table, await importedKeys(table, projectId, key), now);
  const [record] = records.values();
  return record === undefined ? null : rememberedBody(record, key, MadeByRow);
}
