import { toEntry } from '#shared/audit/access-entry.ts';
import { entriesExpired } from '#shared/audit/actions.ts';
import { firstIdAt } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
import { isTerminalTaskStatus } from '#shared/domain/task.ts';
import { dayMs } from '#shared/domain/time.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { erasePatientExport } from '#shared/patient-exports/erase-export.ts';
import { unexpiredEntries } from '#shared/table/audit-expiry.ts';
import { writeAuditEntry } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { deleteUnneededPatientItems, getPatientUse } from '#shared/table/patient.ts';
import { checkNoPatientExport } from '#shared/table/patient-export.ts';
import { checkProjectUnchanged, getProject } from '#shared/table/project.ts';
import { projectItemIds } from '#shared/table/project-items.ts';
import { deleteRetentionItem, hasRetention, putRetention } from '#shared/table/retention.ts';
import { isConflict } from '#shared/table/retry-on-conflict.ts';
import { getTask } from '#shared/table/task.ts';
import { isPatientInBatch } from '#shared/table/task-batch.ts';
import { patientTaskIds } from '#shared/table/task-list.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { eraseEach } from './erase-each.ts';
import { eraseTask } from './erase-task.ts';
import { erasedItem } from './erasure-audit.ts';
import { enqueueErasure } from './erasure-queue.ts';
import type { Delay, ErasureServices } from './erasure-services.ts';
import { legalHold } from './legal-hold.ts';

/**
 * Erases the tasks whose retention since their end is over, and the patients without tasks who were last needed long
 * enough ago, and lets audit log entries expire. The rest is left to the next run, within a day.
 */
export async function carryOutRetention(services: ErasureServices, projectId: string): Promise<void> {
  annotateLog({ project_id: projectId });
  const { table } = services;
  const project = await getProject(table, projectId, { consistently: true });
  if (project === null || !hasRetention(project)) return endRetention(table, projectId, project);
  // First, so that a crashed run does not restart every minute.
  await putRetention(table, projectId, new Date(services.now().getTime() + dayMs));
  if (project.legal_hold) {
    annotateLog({ retention: 'held' });
    return;
  }
  await eraseOldTasks(services, project);
  await eraseOldPatients(services, project);
  await expireOldEntries(services, project);
}

/** Unless one is set at the same moment, which is due at once. */
async function endRetention(table: Table, projectId: string, project: Project | null): Promise<void> {
  const isStillNone = project === null ? [] : [checkProjectUnchanged(table, project)];
  try {
    await writeTransaction(table, [...isStillNone, deleteRetentionItem(table, projectId)]);
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}

async function eraseOldTasks(services: ErasureServices, project: Project): Promise<void> {
  if (project.task_retention_days === null) return;
  const before = daysAgo(services, project.task_retention_days);
  const { id: projectId } = project;
  await eraseEach(
    services,
    projectId,
    projectItemIds(services.table, projectId, 'TASK', before),
    async (id) => {
      const task = await getTask(services.table, id);
      const isOld =
        task !== null && isTerminalTaskStatus(task.status) && Date.parse(task.updated_at) < before.getTime();
      return isOld ? eraseTask(services, id, 'retention') : null;
    },
  );
}

async function eraseOldPatients(services: ErasureServices, project: Project): Promise<void> {
  if (project.patient_retention_days === null) return;
  const before = daysAgo(services, project.patient_retention_days);
  const { id: projectId } = project;
  await eraseEach(services, projectId, projectItemIds(services.table, projectId, 'PATIENT', before), (id) =>
    erasePatientIfUnneeded(services, projectId, id, before),
  );
}

async function erasePatientIfUnneeded(
  services: ErasureServices,
  projectId: string,
  id: string,
  before: Date,
): Promise<Delay | null> {
  const { table, now } = services;
  const use = await getPatientUse(table, id);
  if (use === null || Date.parse(use.last_task_at ?? use.created_at) >= before.getTime()) return null;
  for await (const page of patientTaskIds(table, projectId, id)) if (page.length > 0) return null;
  if (await isPatientInBatch(table, projectId, id)) return null;
  const exported = await erasePatientExport(services, id);
  if (exported !== null) return exported;
  try {
    await writeTransaction(table, [
      ...deleteUnneededPatientItems(table, use),
      checkNoPatientExport(table, id),
      erasedItem(table, { projectId, type: 'patient', id, patientId: id, cause: 'retention' }, now()),
    ]);
  } catch (error) {
    // The patient has a new task or export, was renamed, or another worker was faster.
    if (!(error instanceof TransactionConditionFailed)) throw error;
  }
  return null;
}

/** Bounds a run on a busy project; another message continues it. */
const entriesAtOnce = 2000;

/**
 * Declares in the audit log which of its entries have passed their retention; the keeper then lets them expire. Does
 * not repeat an earlier declaration.
 */
async function expireOldEntries(services: ErasureServices, project: Project): Promise<void> {
  const { table, now, erasureQueue } = services;
  if (project.audit_retention_days === null) return;
  const before = daysAgo(services, project.audit_retention_days);
  let through: string | null = null;
  let found = 0;
  for await (const page of unexpiredEntries(table, project.id, { through: firstIdAt(before) })) {
    found += page.length;
    through = page.at(-1)?.id === undefined ? through : String(page.at(-1)?.id);
    if (found >= entriesAtOnce) break;
  }
  if (through === null || (await legalHold(table, project.id)) !== null) return;
  const action = entriesExpired(project.id, through);
  const doer = { actor: { kind: 'service' }, origin: null } as const;
  await writeAuditEntry(table, toEntry(doer, project.id, action, now()));
  if (found < entriesAtOnce) return;
  await enqueueErasure(erasureQueue, { kind: 'retention', project_id: project.id }, restAfterSeconds);
}

/** By then the declared entries have an expiry and others are the oldest. */
const restAfterSeconds = 300;

function daysAgo({ now }: ErasureServices, days: number): Date {
  return new Date(now().getTime() - days * dayMs);
}
