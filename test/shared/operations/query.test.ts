import { describe, expect, test } from 'vitest';
import { readTaskListRequest, readTaskRequest } from '#shared/http/task-requests.ts';
import { readPatientListRequest } from '#shared/http/v1-lists.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { getTask } from '#shared/operations/v1/get-task.ts';
import { listPatients } from '#shared/operations/v1/list-patients.ts';
import { listTasks } from '#shared/operations/v1/list-tasks.ts';

/** A query that records which names are read. */
class NotedQuery extends URLSearchParams {
  readonly names = new Set<string>();

  override get(name: string): string | null {
    this.names.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.names.add(name);
    return super.has(name);
  }

  override getAll(name: string): string[] {
    this.names.add(name);
    return super.getAll(name);
  }
}

type Reader = (request: { query: URLSearchParams; pathParameters: Record<string, string> }) => unknown;

describe('the description of an operation', () => {
  test.each<[string, Operation, Reader]>([
    ['GET /v1/patient', listPatients, readPatientListRequest],
    ['GET /v1/task', listTasks, readTaskListRequest],
    ['GET /v1/task/{task_id}', getTask, readTaskRequest],
  ])('%s names exactly the query parameters that it reads', (_, { query = [] }, read) => {
    const noted = new NotedQuery();
    read({ query: noted, pathParameters: { task_id: '01a1fc97-5939-7d04-b5c3-48bad54457cb' } });
    expect(query.map(({ name }) => name).sort()).toEqual([...noted.names].sort());
  });
});
