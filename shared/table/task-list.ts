import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Task, type TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from './client.ts';
import { indexNames, listedTaskAttributes, patientPartition, projectPartitions } from './indexes.ts';
import { type IndexedItems, type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import { queryPages } from './query-pages.ts';
import { conditionsOf, type RecordFilter, rangeOf } from './record-filter.ts';
import { taskKey } from './task-key.ts';

/** A task without its large members. */
export const TaskSummary = z.pick(Task, {
  id: true,
  project_id: true,
  patient_id: true,
  status: true,
  task_type: true,
  task: true,
  task_outcome: true,
  external_id: true,
  metadata: true,
  call_after: true,
  call_before: true,
  next_attempt_at: true,
  next_attempt_reason: true,
  waiting_for_line_since: true,
  created_at: true,
  updated_at: true,
});
export type TaskSummary = z.infer<typeof TaskSummary>;

/** Filters of a project's tasks; null matches all. */
export interface TaskFilter extends RecordFilter {
  readonly status: TaskStatus | null;
  readonly taskType: TaskType | null;
  readonly patientId: string | null;
}

/** Tasks of a project, newest first. Eventually consistent. */
export async function listTaskSummaries(
  table: Table,
  projectId: string,
  filter: TaskFilter,
  request: PageRequest,
): Promise<Page<TaskSummary>> {
  const { status, taskType, patientId } = filter;
  const conditions = conditionsOf(projectId, filter);
  const inPatientIndex = conditions.every(({ attribute }) => patientIndexHas(attribute));
  const ofPatient = patientId !== null && inPatientIndex;
  const source: IndexedItems = {
    ...(ofPatient ? tasksOfPatient(projectId, patientId) : tasksOfProject(projectId)),
    attributes: ofPatient ? listedTaskAttributes : [...listedTaskAttributes, ...clientAttributes],
    only: [
      ...(status === null ? [] : [{ attribute: 'status', value: status }]),
      ...(taskType === null ? [] : [{ attribute: 'task_type', value: taskType }]),
      ...(patientId === null || ofPatient ? [] : [{ attribute: 'patient_id', value: patientId }]),
      ...conditions,
    ],
  };
  const found = await readNewestFirst(table, source, rangeOf(filter, request), (item) =>
    TaskSummary.parse(item),
  );
  return ofPatient ? { ...found, items: await withClientMembers(table, found.items) } : found;
}

/** The identifiers of all tasks of a patient, a page at a time. Eventually consistent. */
export async function* patientTaskIds(
  table: Table,
  projectId: string,
  patientId: string,
): AsyncGenerator<string[]> {
  const pages = queryPages(table, {
    IndexName: indexNames.patient,
    KeyConditionExpression: 'patient_pk = :pk',
    ExpressionAttributeValues: { ':pk': patientPartition(projectId, patientId) },
    ProjectionExpression: 'patient_sk',
  });
  for await (const page of pages) yield page.map(({ patient_sk }) => String(patient_sk));
}

/** Client attachments of tasks, which the index of a patient's tasks lacks. */
const clientAttributes = ['external_id', 'metadata', 'call_after', 'call_before'] as const;
const ClientMembers = z.pick(Task, {
  id: true,
  external_id: true,
  metadata: true,
  call_after: true,
  call_before: true,
});

function patientIndexHas(attribute: string): boolean {
  return listedTaskAttributes.some((name) => name === attribute);
}

/** The tasks of a page, at most 100, the limit of one request. */
async function withClientMembers(table: Table, tasks: readonly TaskSummary[]): Promise<TaskSummary[]> {
  const members = new Map<string, z.infer<typeof ClientMembers>>();
  let keys: Record<string, unknown>[] = tasks.map(({ id }) => taskKey(id));
  for (let tries = 0; keys.length > 0 && tries < maxReads; tries += 1) {
    const projection = ['id', ...clientAttributes].join(', ');
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: keys, ProjectionExpression: projection } },
      }),
    );
    for (const item of Responses?.[table.name] ?? []) {
      const found = ClientMembers.parse(item);
      members.set(found.id, found);
    }
    keys = UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return tasks.map((task) => ({ ...task, ...members.get(task.id) }));
}

/** Keys that did not fit into the response are retried. */
const maxReads = 5;

function tasksOfProject(projectId: string): IndexedItems {
  return {
    index: indexNames.project,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: projectPartitions(projectId, 'TASK'),
  };
}

function tasksOfPatient(projectId: string, patientId: string): IndexedItems {
  return {
    index: indexNames.patient,
    partitionKey: 'patient_pk',
    sortKey: 'patient_sk',
    partitions: [patientPartition(projectId, patientId)],
  };
}
