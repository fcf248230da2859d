import { firstIdAt } from '#shared/domain/identifiers.ts';
import type { Table } from '#shared/table/client.ts';
import type { Page } from '#shared/table/newest-first.ts';
import { listCallProgress, listTaskProgress } from '#shared/table/progress-list.ts';
import { type ProjectSummary, summarise } from './project-summary.ts';

/** How many days an overview may tell of. */
export type OverviewDays = 7 | 30;

export interface ProjectOverview {
  readonly from: Date;
  /** False before the project's very first task in any period. */
  readonly hasTasks: boolean;
  readonly summary: ProjectSummary;
  readonly tasks: Coverage;
  readonly calls: Coverage;
}

/** How much of the period was counted. */
export interface Coverage {
  /** Since when everything was counted; null when that is the whole period. */
  readonly onlySince: string | null;
}

/**
 * The most tasks and calls counted, newest first, so that the page of a busy project costs little more than
 * that of a quiet one, and takes a small part of the half minute that its function has.
 */
export const tasksAtMost = 1_000;
export const callsAtMost = 2_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * What became of a project's tasks and calls in the last days. Only states and times are read of them, nothing of any
 * patient, so that nobody is written down in the audit log to have seen one.
 */
export async function readProjectOverview(
  table: Table,
  project: { readonly id: string },
  { days, timeZone }: { readonly days: OverviewDays; readonly timeZone: string },
  now: Date = new Date(),
): Promise<ProjectOverview> {
  const from = new Date(now.getTime() - days * dayMs);
  const pageOf = (limit: number) => ({ limit, before: null, until: firstIdAt(from) });
  const [tasks, calls] = await Promise.all([
    listTaskProgress(table, project.id, pageOf(tasksAtMost)),
    listCallProgress(table, project.id, pageOf(callsAtMost)),
  ]);
  return {
    from,
    hasTasks: tasks.items.length > 0 || (await hasOlderTasks(table, project.id)),
    summary: summarise(tasks.items, calls.items, { from, to: now, timeZone }),
    tasks: coverageOf(tasks),
    calls: coverageOf(calls),
  };
}

async function hasOlderTasks(table: Table, projectId: string): Promise<boolean> {
  const { items } = await listTaskProgress(table, projectId, { limit: 1, before: null });
  return items.length > 0;
}

function coverageOf({ items, next }: Page<{ readonly created_at: string }>): Coverage {
  return { onlySince: next === null ? null : (items.at(-1)?.created_at ?? null) };
}
