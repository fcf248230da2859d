import { Created } from '#shared/domain/created.ts';
import { idempotencyKeyReused, ServiceError } from '#shared/domain/errors.ts';
import type { NewTask } from '#shared/domain/new-task.ts';
import type { Project } from '#shared/domain/project.ts';
import { type BatchItem, batchTaskId, type ItemKey, type TaskBatch } from '#shared/domain/task-batch.ts';
import { nameTaken } from '#shared/projects/external-ids.ts';
import type { Table } from '#shared/table/client.ts';
import { findExternalIds, taskName } from '#shared/table/external-id.ts';
import { getIdempotencyRecords, type IdempotencyRecord } from '#shared/table/idempotency.ts';
import { findPatientsOf } from '#shared/table/patient.ts';
import { rememberedBody } from '#shared/table/perform-once.ts';
import { getProject } from '#shared/table/project.ts';
import { findTasks } from '#shared/table/task.ts';
import { checkSandboxPhone } from '../check-sandbox-phone.ts';
import { checkOwnProject, checkProjectAllows, patientNotFound } from '../creation-rules.ts';
import { toItemError } from './item-error.ts';

/** An item of a request: a task with its optional idempotency key, or why it is invalid. */
export type AskedItem =
  | { readonly newTask: NewTask; readonly key: ItemKey | null }
  | { readonly refusal: ServiceError };

/** Data for judging the items, read once for all of them. */
interface Facts {
  readonly project: Project | null;
  readonly hasSandboxPhone: boolean;
  /** The project's patients among the named ones. */
  readonly patients: ReadonlySet<string>;
  /** The tasks that already have a requested external ID. */
  readonly owners: Map<string, string>;
  readonly records: ReadonlyMap<string, IdempotencyRecord>;
}

/**
 * Judges each item in order as if it were a request of its own. An accepted item is PENDING and has the ID of its
 * future task.
 */
export async function judgeItems(
  table: Table,
  batch: TaskBatch,
  asked: readonly AskedItem[],
  { hasSandboxPhone }: Pick<Facts, 'hasSandboxPhone'>,
): Promise<BatchItem[]> {
  const facts = { ...(await readFacts(table, batch, asked)), hasSandboxPhone };
  const earlier = new Map<string, BatchItem>();
  const items: BatchItem[] = [];
  for (const [index, one] of asked.entries()) {
    const item = await judge(batch, index, one, facts, earlier);
    items.push(item);
    // Only accepted items use up their key.
    if ('key' in one && one.key !== null && item.status === 'PENDING') earlier.set(one.key.key_hash, item);
  }
  return items;
}

async function readFacts(
  table: Table,
  { project_id: projectId, created_at }: TaskBatch,
  asked: readonly AskedItem[],
): Promise<Omit<Facts, 'hasSandboxPhone'>> {
  const tasks = asked.flatMap((one) => ('newTask' in one ? [one] : []));
  const keys = tasks.flatMap(({ key }) => (key === null ? [] : [{ projectId, keyHash: key.key_hash }]));
  const [project, patients, owners, records] = await Promise.all([
    getProject(table, projectId, { consistently: true }),
    findPatientsOf(
      table,
      projectId,
      tasks.map(({ newTask }) => newTask.patient_id),
    ),
    findOwners(table, projectId, tasks),
    getIdempotencyRecords(table, keys, new Date(created_at)),
  ]);
  return { project, patients, owners, records };
}

/** The external ID of a deleted task may be used again. */
async function findOwners(
  table: Table,
  projectId: string,
  tasks: readonly { readonly newTask: NewTask }[],
): Promise<Map<string, string>> {
  const names = tasks.flatMap(({ newTask }) => taskName({ ...newTask, project_id: projectId }) ?? []);
  const owners = await findExternalIds(table, names);
  const there = await findTasks(table, [...owners.values()]);
  return new Map([...owners].filter(([, owner]) => there.has(owner)));
}

async function judge(
  batch: TaskBatch,
  index: number,
  asked: AskedItem,
  facts: Facts,
  earlier: ReadonlyMap<string, BatchItem>,
): Promise<BatchItem> {
  const common = { batch_id: batch.id, project_id: batch.project_id, index, error: null };
  try {
    if ('refusal' in asked) throw asked.refusal;
    const { newTask, key } = asked;
    const replayed = key === null ? null : findReplayed(key, facts.records, earlier);
    if (replayed !== null) return { ...common, status: 'REPLAYED', task_id: replayed };
    const id = batchTaskId(batch.id, index);
    await checkTask(batch, newTask, facts);
    if (newTask.external_id !== undefined) facts.owners.set(newTask.external_id, id);
    const kept = key === null ? {} : { key };
    return { ...common, status: 'PENDING', task_id: id, new_task: newTask, ...kept };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { ...common, status: 'REJECTED', task_id: null, error: toItemError(error) };
  }
}

/** The task already created under the key. Throws when the key belongs to another request or is in use. */
function findReplayed(
  key: ItemKey,
  records: Facts['records'],
  earlier: ReadonlyMap<string, BatchItem>,
): string | null {
  const record = records.get(key.key_hash);
  if (record !== undefined) return createdTaskId(record, key);
  const same = earlier.get(key.key_hash);
  if (same === undefined) return null;
  if (same.key?.request_hash !== key.request_hash) throw idempotencyKeyReused();
  return same.task_id;
}

/** The task created by an earlier request with the key. Throws as `rememberedBody` does. */
export function createdTaskId(record: IdempotencyRecord, { request_hash }: ItemKey): string {
  return rememberedBody(record, request_hash, Created).id;
}

async function checkTask(batch: TaskBatch, newTask: NewTask, facts: Facts): Promise<void> {
  const { project, hasSandboxPhone, patients, owners } = facts;
  if (project !== null) checkSandboxPhone(project, hasSandboxPhone);
  checkOwnProject(newTask, batch.project_id);
  await checkProjectAllows(project, { ...newTask, created_at: batch.created_at });
  if (!patients.has(newTask.patient_id)) throw patientNotFound();
  const owner = newTask.external_id === undefined ? undefined : owners.get(newTask.external_id);
  if (owner !== undefined) throw nameTaken({ kind: 'TASK' }, owner);
}
