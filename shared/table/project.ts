import { type CarrierName, Project } from '#shared/domain/project.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { EncryptedDataKey } from '#shared/encryption/kms-data-key.ts';
import type { Table } from './client.ts';
import { dataKeyKey } from './data-key.ts';
import { getItem } from './get-item.ts';
import { indexNames } from './indexes.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryAll, queryPages } from './query-pages.ts';
import type { TransactionItem } from './transaction.ts';
import { isNew, itemCheck, itemPut, when } from './transaction-items.ts';
import { wholeItems } from './whole-items.ts';

export function projectKey(projectId: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: 'PROJECT' };
}

/** All projects share one partition of the index: they are few, and only administration lists them. */
const allProjectsPartition = 'PROJECTS';

export function putProject(table: Table, project: Project): TransactionItem {
  return itemPut(table, projectItem(project), isNew);
}

/** Holds while the project has no data key: replacing one would make what it sealed unreadable. */
export function createDataKeyItem(table: Table, dataKey: EncryptedDataKey): TransactionItem {
  return itemPut(table, { ...dataKeyKey(dataKey.project_id), type: 'data-key', ...dataKey }, isNew);
}

/** Replaces the project, on the condition that it is unchanged since it was read. */
export function replaceProjectItem(table: Table, previous: Project, next: Project): TransactionItem {
  return itemPut(table, projectItem(next), when('updated_at = :read', { read: previous.updated_at }));
}

function projectItem(project: Project): Record<string, unknown> {
  return {
    ...projectKey(project.id),
    type: 'project',
    project_pk: allProjectsPartition,
    project_sk: project.id,
    ...project,
  };
}

/**
 * Requires that the project has the task type enabled and may call every number, like a sandbox project without
 * countries.
 */
export function checkMayCallAnyone(table: Table, projectId: string, taskType: TaskType): TransactionItem {
  return itemCheck(
    table,
    projectKey(projectId),
    when(
      'contains(enabled_task_types, :task_type) AND carrier = :sandbox ' +
        'AND (attribute_not_exists(allowed_countries) OR allowed_countries = :null)',
      { task_type: taskType, sandbox: 'sandbox', null: null },
    ),
  );
}

/** Requires that the project is unchanged since it was read. */
export function checkProjectUnchanged(table: Table, project: Project): TransactionItem {
  return itemCheck(table, projectKey(project.id), when('updated_at = :read', { read: project.updated_at }));
}

/** Requires that the project is under no legal hold. */
export function checkNoLegalHold(table: Table, projectId: string): TransactionItem {
  return itemCheck(
    table,
    projectKey(projectId), // A project of an earlier version has no such attribute.
    when('attribute_not_exists(legal_hold) OR legal_hold = :off', { off: false }),
  );
}

/** The IDs of all projects, a page at a time. */
export async function* projectIds(table: Table): AsyncGenerator<string[]> {
  const pages = queryPages(table, {
    IndexName: indexNames.rows,
    KeyConditionExpression: 'project_pk = :all',
    ExpressionAttributeValues: { ':all': allProjectsPartition },
    ProjectionExpression: 'project_sk',
  });
  for await (const items of pages) yield items.map(({ project_sk }) => String(project_sk));
}

/** A carrier's projects that call from a number, oldest first. */
export async function findProjectsCallingFrom(
  table: Table,
  carrier: CarrierName,
  callerNumber: string,
): Promise<Project[]> {
  const rows = await queryAll(table, {
    IndexName: indexNames.rows,
    KeyConditionExpression: 'project_pk = :all',
    ExpressionAttributeValues: { ':all': allProjectsPartition },
    ProjectionExpression: 'pk, sk',
  });
  const projects = (await wholeItems(table, rows)).map((item) => Project.parse(item));
  return projects.filter((one) => one.carrier === carrier && one.caller_number === callerNumber);
}

/** @param consistently whether recent writes must be visible, at twice the cost */
export async function getProject(
  table: Table,
  projectId: string,
  { consistently }: { readonly consistently: boolean } = { consistently: false },
): Promise<Project | null> {
  return getItem(table, projectKey(projectId), Project.parse, { consistently });
}
