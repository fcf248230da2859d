import { instantOf, wallTime } from '#shared/calling-hours/zone-clock.ts';
import { slotsOf } from '#shared/calls/capacity/capacity.ts';
import { firstIdAt } from '#shared/domain/identifiers.ts';
import type { Project } from '#shared/domain/project.ts';
import { addDays } from '#shared/domain/time.ts';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import type { Table } from '#shared/table/client.ts';
import type { Page, PageRequest } from '#shared/table/newest-first.ts';
import {
  type CallProgress,
  listCallProgress,
  listTaskProgress,
  type TaskFigures,
} from '#shared/table/progress-list.ts';
import { isWithin, type ProjectSummary, summarize } from './project-summary.ts';

/** Days in an overview; the last one is today. */
export type OverviewDays = 1 | 7 | 30;

export interface ProjectOverview {
  readonly from: Date;
  /** The same as a date, `YYYY-MM-DD`. */
  readonly fromDay: string;
  /** False before the project's very first task in any period. */
  readonly hasTasks: boolean;
  readonly summary: ProjectSummary;
  readonly tasks: Coverage;
  readonly calls: Coverage;
}

/** How much of the period was counted. */
export interface Coverage {
  /** Since when everything was counted; null for the whole period. */
  readonly onlySince: string | null;
}

/**
 * The most tasks and calls counted, newest first: bounds the cost of a busy project's page well within the function's
 * half minute.
 */
export const tasksAtMost = 1_000;
export const callsAtMost = 1_000;

/**
 * Outcomes of a project's tasks and calls in the last days. Reads only states and times, no patient data, so the audit
 * log records no access.
 */
export async function readProjectOverview(
  table: Table,
  project: Pick<Project, 'id' | 'carrier'>,
  { days, timeZone }: { readonly days: OverviewDays; readonly timeZone: string },
  now: Date = new Date(),
): Promise<ProjectOverview> {
  const [{ taskItems, callItems, ...read }, capacity] = await Promise.all([
    readOverviewItems(
      { days, timeZone },
      {
        tasks: (page) => listTaskProgress(table, project.id, page),
        calls: (page) => listCallProgress(table, project.id, page, 'without-numbers'),
      },
      now,
    ),
    getCallCapacity(table, project.carrier),
  ]);
  return {
    ...read,
    hasTasks: taskItems.length > 0 || (await hasOlderTasks(table, project.id)),
    summary: summarize(
      taskItems,
      callItems,
      { from: read.from, to: now, timeZone },
      slotsOf(capacity, project.id),
    ),
  };
}

/** The data behind a period's figures. */
export interface OverviewItems<Item> extends Pick<ProjectOverview, 'from' | 'fromDay' | 'tasks' | 'calls'> {
  /** Created in the period, newest first. */
  readonly taskItems: readonly Item[];
  readonly callItems: readonly CallProgress[];
}

/** Today and the days before it, by the time zone's calendar, with bounds for lists. */
export async function readOverviewItems<Item extends TaskFigures>(
  { days, timeZone }: { readonly days: OverviewDays; readonly timeZone: string },
  read: {
    readonly tasks: (page: PageRequest) => Promise<Page<Item>>;
    readonly calls: (page: PageRequest) => Promise<Page<CallProgress>>;
  },
  now: Date,
): Promise<OverviewItems<Item>> {
  const today = wallTime(timeZone, now).date;
  const fromDay = addDays(today, 1 - days);
  const from = instantOf(timeZone, `${fromDay}T00:00`);
  const pageOf = (limit: number) => ({ limit, before: null, until: firstIdAt(from) });
  const [tasks, calls] = await Promise.all([
    read.tasks(pageOf(tasksAtMost)),
    read.calls(pageOf(callsAtMost)),
  ]);
  return {
    from,
    fromDay,
    tasks: coverageOf(tasks),
    calls: coverageOf(calls),
    taskItems: tasks.items.filter((task) => isWithin(task, { from, to: now })),
    callItems: calls.items.filter((call) => isWithin(call, { from, to: now })),
  };
}

async function hasOlderTasks(table: Table, projectId: string): Promise<boolean> {
  const { items } = await listTaskProgress(table, projectId, { limit: 1, before: null });
  return items.length > 0;
}

function coverageOf({ items, next }: Page<{ readonly created_at: string }>): Coverage {
  return { onlySince: next === null ? null : (items.at(-1)?.created_at ?? null) };
}
