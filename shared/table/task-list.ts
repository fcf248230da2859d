import * as z from 'zod/mini';
import { Task, type TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from './client.ts';
import { indexNames, listedTaskAttributes, patientPartition, projectPartitions } from './indexes.ts';
import {
  type IndexedItems,
  type ItemCondition,
  type Page,
  type PageRequest,
  readNewestFirst,
} from './newest-first.ts';
import { queryPages } from './query-pages.ts';
import { conditionsOf, type RecordFilter, rangeOf } from './record-filter.ts';
import { metadataCheck, wholeItems } from './whole-items.ts';

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
  const ofPatient = patientId !== null && conditionsOf(projectId, filter).every(inPatientIndex);
  const source: IndexedItems = {
    ...(ofPatient ? tasksOfPatient(projectId, patientId) : tasksOfProject(projectId)),
    attributes: listedTaskAttributes,
    only: [
      ...(status === null ? [] : [{ attribute: 'status', value: status }]),
      ...(taskType === null ? [] : [{ attribute: 'task_type', value: taskType }]),
      ...(patientId === null || ofPatient ? [] : [{ attribute: 'patient_id', value: patientId }]),
      ...conditionsOf(projectId, filter),
    ],
    check: metadataCheck(table, filter.metadata),
  };
  const { items, next } = await readNewestFirst(table, source, rangeOf(filter, request), (row) => row);
  return { items: await toSummaries(table, items), next };
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

/** Client attachments of tasks, which no index has. */
const clientAttributes = ['external_id', 'metadata', 'call_after', 'call_before'] as const;
const ClientMembers = z.pick(Task, {
  id: true,
  external_id: true,
  metadata: true,
  call_after: true,
  call_before: true,
});

function inPatientIndex({ attribute }: ItemCondition): boolean {
  return listedTaskAttributes.some((name) => name === attribute);
}

/** Of a page of rows. Their states are those that the filter saw. */
async function toSummaries(table: Table, rows: readonly Record<string, unknown>[]): Promise<TaskSummary[]> {
  const items = await wholeItems(table, rows, ['id', ...clientAttributes]);
  const members = new Map(items.map((item) => ClientMembers.parse(item)).map((one) => [one.id, one]));
  return rows.flatMap((row) => {
    const own = members.get(String(row.id));
    return own === undefined ? [] : [TaskSummary.parse({ ...row, ...own })];
  });
}

function tasksOfProject(projectId: string): IndexedItems {
  return {
    index: indexNames.rows,
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
