import type { Erasure } from '#shared/domain/erasure.ts';
import { deleteProjectKeys } from '#shared/table/api-key.ts';
import { getDataKey } from '#shared/table/data-key.ts';
import { deleteImportRows, listImports } from '#shared/table/import.ts';
import { deleteProjectAccess, deleteProjectPartition, projectItemIds } from '#shared/table/project-items.ts';
import { deleteRetentionItem } from '#shared/table/retention.ts';
import { deleteProjectBatches } from '#shared/table/task-batch.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { deleteUsageRecords } from '#shared/table/usage-record.ts';
import { deleteEndpointDeliveries } from '#shared/table/webhook-delivery.ts';
import { webhookIdsWithDeliveries } from '#shared/table/webhook-endpoint.ts';
import { eraseEach } from './erase-each.ts';
import { erasePatient, lastSearch } from './erase-patient.ts';
import { eraseTask } from './erase-task.ts';
import type { Delay, ErasureServices } from './erasure-services.ts';
import { legalHold } from './legal-hold.ts';

/**
 * Erases a project: its API keys and batches first, then its tasks and patients, then its members, who could stop it
 * until now. When a late enough search finds nothing that was added meanwhile, its webhooks; then the key that sealed
 * its data, so that no backup can be read; last the project. Its audit log and receipts stay. Returns what blocks it,
 * or null when nothing is left.
 */
export async function eraseProject(
  services: ErasureServices,
  { id, requested_by: cause, requested_at, closed_at }: Erasure,
): Promise<Delay | null> {
  const { table } = services;
  const since = new Date(requested_at);
  await deleteProjectKeys(table, id);
  await deleteProjectBatches(table, id);
  const tasks = await eraseEach(services, id, projectItemIds(table, id, 'TASK'), (taskId) =>
    eraseTask(services, taskId, cause),
  );
  const patients = await eraseEach(services, id, projectItemIds(table, id, 'PATIENT'), (patientId) =>
    erasePatient(services, { id: patientId, projectId: id, cause, since }),
  );
  const delay = tasks.delay ?? patients.delay ?? (await legalHold(table, id));
  if (delay !== null) return delay;
  const closedAt = closed_at === undefined ? await endAccess(services, id) : new Date(closed_at);
  // Outlasts requests in progress, also those with an API key that an instance has cached.
  const wait = lastSearch(services.now(), closedAt, tasks.found + patients.found);
  if (wait !== null) return { ...wait, closedAt };
  for (const webhookId of await webhookIdsWithDeliveries(table, id)) {
    await deleteEndpointDeliveries(table, webhookId);
  }
  for (const one of await listImports(table, id, services.now())) await deleteImportRows(table, one.id);
  await deleteUsageRecords(table, id);
  await writeTransaction(table, [deleteRetentionItem(table, id)]);
  const dataKey = await getDataKey(table, id);
  if (dataKey !== null) await services.keys.delete(dataKey.kms_key_arn);
  await deleteProjectPartition(table, id);
  return null;
}

async function endAccess({ table, now }: ErasureServices, projectId: string): Promise<Date> {
  await deleteProjectAccess(table, projectId);
  // Again, because members create keys.
  await deleteProjectKeys(table, projectId);
  return now();
}
