import type { Table } from '#shared/table/client.ts';
import type { Page, PageRequest } from '#shared/table/newest-first.ts';
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
const itemsPerPage = 250;

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
  const [tasks, calls] = await Promise.all([
    readBackTo(from, tasksAtMost, (page) => listTaskProgress(table, project.id, page)),
    readBackTo(from, callsAtMost, (page) => listCallProgress(table, project.id, page)),
  ]);
  return {
    from,
    hasTasks: tasks.items.length > 0,
    summary: summarise(tasks.items, calls.items, { from, to: now, timeZone }),
    tasks: { onlySince: tasks.onlySince },
    calls: { onlySince: calls.onlySince },
  };
}

interface NewestItems<Item> extends Coverage {
  /** Those of the time asked for, and perhaps some that are older. */
  readonly items: readonly Item[];
}

/** Reads page by page until everything since `from` is there, or so many items. */
async function readBackTo<Item extends { readonly created_at: string }>(
  from: Date,
  atMost: number,
  read: (page: PageRequest) => Promise<Page<Item>>,
): Promise<NewestItems<Item>> {
  const items: Item[] = [];
  let before: string | null = null;
  // Counted in pages, because pages of large items are short.
  for (let pages = 0; pages < atMost / itemsPerPage; pages += 1) {
    const page: Page<Item> = await read({ limit: itemsPerPage, before });
    items.push(...page.items);
    before = page.next;
    if (before === null || isOlderThan(from, items.at(-1))) return { items, onlySince: null };
  }
  // So many in the period may be all that there are, with older ones behind them.
  const { items: further, next } = await read({ limit: 1, before });
  const isWhole = further.length === 0 ? next === null : isOlderThan(from, further[0]);
  return { items, onlySince: isWhole ? null : (items.at(-1)?.created_at ?? null) };
}

function isOlderThan(from: Date, item: { readonly created_at: string } | undefined): boolean {
  return item !== undefined && Date.parse(item.created_at) < from.getTime();
}
