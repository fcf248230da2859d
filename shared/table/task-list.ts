import * as z from 'zod/mini';
import { Task, type TaskStatus } from '#shared/domain/task.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { Table } from './client.ts';
import { indexNames, listedTaskAttributes, patientPartition, projectPartitions } from './indexes.ts';
import { type IndexedItems, type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import { queryPages } from './query-pages.ts';

/** A task without what would make lists of tasks large. */
export const TaskSummary = z.pick(Task, {
  id: true,
  project_id: true,
  patient_id: true,
  status: true,
  task_type: true,
  task: true,
  task_outcome: true,
  next_attempt_at: true,
  next_attempt_reason: true,
  waiting_for_line_since: true,
  created_at: true,
  updated_at: true,
});
export type TaskSummary = z.infer<typeof TaskSummary>;

/** Which tasks of a project; null takes all. */
export interface TaskFilter {
  readonly status: TaskStatus | null;
  readonly taskType: TaskType | null;
  readonly patientId: string | null;
}

/** Tasks of a project, newest first. Eventually consistent. */
export function listTaskSummaries(
  table: Table,
  projectId: string,
  { status, taskType, patientId }: TaskFilter,
  page: PageRequest,
): Promise<Page<TaskSummary>> {
  const source: IndexedItems = {
    ...(patientId === null ? tasksOfProject(projectId) : tasksOfPatient(projectId, patientId)),
    attributes: listedTaskAttributes,
    only: [
      ...(status === null ? [] : [{ attribute: 'status', value: status }]),
      ...(taskType === null ? [] : [{ attribute: 'task_type', value: taskType }]),
    ],
  };
  return readNewestFirst(table, source, page, (item) => TaskSummary.parse(item));
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
