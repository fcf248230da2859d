import * as z from 'zod/mini';
import { Call } from '#shared/domain/call.ts';
import { CallResult } from '#shared/domain/call-result.ts';
import { Task } from '#shared/domain/task.ts';
import type { Table } from './client.ts';
import { indexNames, projectPartitions } from './indexes.ts';
import { type IndexedItems, type Page, type PageRequest, readNewestFirst } from './newest-first.ts';
import { nullsOf } from './null-members.ts';

/** How far a task has come, and nothing of whom it is for or what it is about. */
export const TaskProgress = z.extend(
  z.pick(Task, {
    id: true,
    status: true,
    task_type: true,
    current_call_id: true,
    waiting_for_line_since: true,
    created_at: true,
    updated_at: true,
  }),
  {
    needs_review: z._default(z.boolean(), false),
    needs_follow_up: z._default(z.boolean(), false),
    /** Null before the first conversation. */
    result: z._default(z.nullable(z.pick(CallResult, { goal_reached: true, ending: true })), null),
  },
);
export type TaskProgress = z.infer<typeof TaskProgress>;

/** How a call went, and nothing of whom it reached or what was said. */
export const CallProgress = z.pick(Call, {
  id: true,
  status: true,
  submission: true,
  carrier_progress: true,
  session_status: true,
  talk_seconds: true,
  created_at: true,
});
export type CallProgress = z.infer<typeof CallProgress>;

const absentOfCall = nullsOf(CallProgress);

/** How far the tasks of a project have come, the newest first. Eventually consistent. */
export function listTaskProgress(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<TaskProgress>> {
  const source = sourceOf(projectId, 'TASK', [
    ...Object.keys(TaskProgress.shape).filter((name) => name !== 'result'),
    'result.goal_reached',
    'result.ending',
  ]);
  return readNewestFirst(table, source, page, (item) => TaskProgress.parse(item));
}

/** How the calls of a project went, the newest first, whichever task they were made for. Eventually consistent. */
export function listCallProgress(
  table: Table,
  projectId: string,
  page: PageRequest,
): Promise<Page<CallProgress>> {
  const source = sourceOf(projectId, 'CALL', Object.keys(CallProgress.shape));
  return readNewestFirst(table, source, page, (item) => CallProgress.parse({ ...absentOfCall, ...item }));
}

const CallTalk = z.pick(Call, { task_id: true, talk_seconds: true });

/** Talk time of a project's newest calls, with their tasks. Eventually consistent. */
export async function listCallTalk(
  table: Table,
  projectId: string,
  limit: number,
): Promise<z.infer<typeof CallTalk>[]> {
  const source = sourceOf(projectId, 'CALL', Object.keys(CallTalk.shape));
  const page = await readNewestFirst(table, source, { limit, before: null }, (item) =>
    CallTalk.parse({ talk_seconds: null, ...item }),
  );
  return page.items;
}

function sourceOf(projectId: string, type: 'TASK' | 'CALL', attributes: readonly string[]): IndexedItems {
  return {
    index: indexNames.project,
    partitionKey: 'project_pk',
    sortKey: 'project_sk',
    partitions: projectPartitions(projectId, type),
    attributes,
  };
}
