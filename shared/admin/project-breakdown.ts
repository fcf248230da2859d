import { wallTime } from '#shared/calling-hours/zone-clock.ts';
import { wasAnswered } from '#shared/domain/call.ts';
import { operatorDirectory } from '#shared/domain/directory-entry.ts';
import type { CarrierName } from '#shared/domain/project.ts';
import type { Table } from '#shared/table/client.ts';
import { findDirectoryEntries } from '#shared/table/directory.ts';
import {
  type CallProgress,
  listCallProgress,
  listTaskFigures,
  type TaskFigures,
} from '#shared/table/progress-list.ts';
import { estimateCost } from '#shared/usage/estimate-cost.ts';
import { type OverviewDays, type OverviewItems, readOverviewItems } from './project-overview.ts';
import { completionTimes, countResults, type ResultCounts, sumOf } from './project-summary.ts';

/** How the overview groups its figures. */
export const breakdownKinds = ['type', 'destination', 'day'] as const;
export type BreakdownKind = (typeof breakdownKinds)[number];

/** Outcomes of some tasks, and of their calls in the period. */
export interface Figures extends ResultCounts {
  /** Median from creation to completion; null without completed tasks. */
  readonly medianMs: number | null;
  readonly calls: number;
  /** From answer to hang-up. */
  readonly talkSeconds: number;
  /** Of these, on hold. */
  readonly holdSeconds: number;
  /** US dollars: AWS and the carrier. */
  readonly cost: number;
}

export interface BreakdownRow extends Figures {
  /** Task type, E.164 number, or day (`YYYY-MM-DD`); null in the row of all others. */
  readonly key: string | null;
  /** The destination's name, if a directory has one. */
  readonly name: string | null;
  /** A task of the row, for linking to the tasks with its number; null without one. */
  readonly taskId: string | null;
}

export interface Breakdown extends Omit<OverviewItems<TaskFigures>, 'taskItems' | 'callItems'> {
  readonly rows: readonly BreakdownRow[];
  /** The sum of the rows. */
  readonly total: Figures;
}

/** Up to this many destinations have rows of their own, those with the most calls. */
export const destinationsAtMost = 15;

/**
 * The overview's figures, grouped. Reads states, times and, by destination, the numbers called, but no patient data,
 * so the audit log records no access.
 */
export async function readBreakdown(
  table: Table,
  project: { readonly id: string; readonly carrier: CarrierName },
  { by, ...options }: { readonly by: BreakdownKind; readonly days: OverviewDays; readonly timeZone: string },
  now: Date = new Date(),
): Promise<Breakdown> {
  const numbers = by === 'destination' ? 'with-numbers' : 'without-numbers';
  const { taskItems, callItems, ...read } = await readOverviewItems(
    options,
    {
      tasks: (page) => listTaskFigures(table, project.id, page, numbers),
      calls: (page) => listCallProgress(table, project.id, page, numbers),
    },
    now,
  );
  const groups = groupsOf(taskItems, callItems, keysOf(by, taskItems, options.timeZone));
  const rows = [...groups.entries()].map(([key, group]) => rowOf(key, group, project.carrier));
  const sorted = by === 'destination' ? mostCalled(rows, groups, project.carrier) : sortedByKey(rows);
  const named = by === 'destination' ? await withNames(table, project.id, sorted) : sorted;
  return {
    ...read,
    rows: named,
    total: figuresOf({ tasks: taskItems, calls: callItems }, project.carrier),
  };
}

interface Group {
  readonly tasks: readonly TaskFigures[];
  readonly calls: readonly CallProgress[];
}

interface Keys {
  readonly ofTask: (task: TaskFigures) => string | null;
  readonly ofCall: (call: CallProgress) => string | null;
}

function keysOf(by: BreakdownKind, tasks: readonly TaskFigures[], timeZone: string): Keys {
  switch (by) {
    case 'type': {
      const types = new Map(tasks.map(({ id, task_type }) => [id, task_type]));
      return {
        ofTask: ({ task_type }) => task_type,
        // A call's task may be older than the period.
        ofCall: ({ task_id }) => types.get(task_id) ?? null,
      };
    }
    case 'destination':
      return {
        ofTask: ({ phone_number }) => phone_number ?? null,
        ofCall: ({ phone_number }) => phone_number ?? null,
      };
    case 'day': {
      const dayOf = ({ created_at }: { readonly created_at: string }) =>
        wallTime(timeZone, new Date(created_at)).date;
      return { ofTask: dayOf, ofCall: dayOf };
    }
  }
}

function groupsOf(
  tasks: readonly TaskFigures[],
  calls: readonly CallProgress[],
  { ofTask, ofCall }: Keys,
): Map<string | null, Group> {
  const groups = new Map<string | null, { tasks: TaskFigures[]; calls: CallProgress[] }>();
  const groupOf = (key: string | null) => {
    const group = groups.get(key) ?? { tasks: [], calls: [] };
    groups.set(key, group);
    return group;
  };
  for (const task of tasks) groupOf(ofTask(task)).tasks.push(task);
  for (const call of calls) groupOf(ofCall(call)).calls.push(call);
  return groups;
}

function rowOf(key: string | null, group: Group, carrier: CarrierName): BreakdownRow {
  const taskId = group.tasks[0]?.id ?? group.calls[0]?.task_id ?? null;
  return { key, name: null, taskId, ...figuresOf(group, carrier) };
}

function figuresOf({ tasks, calls }: Group, carrier: CarrierName): Figures {
  const secondsOf = ({ talk_seconds }: CallProgress): number => talk_seconds ?? 0;
  const talkSeconds = sumOf(calls, secondsOf);
  const placed = calls.filter(({ submission }) => submission === 'submitted' || submission === 'adopted');
  const cost = estimateCost(carrier, {
    calls_placed: placed.length,
    calls_answered: calls.filter(wasAnswered).length,
    minutes: talkSeconds / 60,
    billed_minutes: sumOf(calls, (call) => Math.ceil(secondsOf(call) / 60)),
  });
  return {
    ...countResults(tasks),
    medianMs: completionTimes(tasks).medianMs,
    calls: calls.length,
    talkSeconds,
    holdSeconds: sumOf(calls, ({ hold_seconds }) => hold_seconds ?? 0),
    cost: cost.aws + cost.carrier,
  };
}

/** By key, descending, such as newest day first; the row without a key comes last. */
function sortedByKey(rows: readonly BreakdownRow[]): BreakdownRow[] {
  return rows.toSorted((one, other) => (other.key ?? '').localeCompare(one.key ?? ''));
}

/** The destinations with the most calls, and one row for all others. */
function mostCalled(
  rows: readonly BreakdownRow[],
  groups: ReadonlyMap<string | null, Group>,
  carrier: CarrierName,
): BreakdownRow[] {
  const sorted = rows.toSorted((one, other) => other.calls - one.calls || other.created - one.created);
  const others = sorted.slice(destinationsAtMost).flatMap(({ key }) => groups.get(key) ?? []);
  return [
    ...sorted.slice(0, destinationsAtMost),
    ...(others.length === 0
      ? []
      : [
          {
            key: null,
            name: null,
            taskId: null,
            ...figuresOf(
              {
                tasks: others.flatMap(({ tasks }) => tasks),
                calls: others.flatMap(({ calls }) => calls),
              },
              carrier,
            ),
          },
        ]),
  ];
}

/** The project's name for a destination, or else the operator's. */
async function withNames(
  table: Table,
  projectId: string,
  rows: readonly BreakdownRow[],
): Promise<BreakdownRow[]> {
  const numbers = rows.flatMap(({ key }) => key ?? []);
  const directories = await Promise.all(
    [projectId, operatorDirectory].map((owner) => findDirectoryEntries(table, owner, numbers)),
  );
  const nameOf = (number: string) =>
    directories.flatMap((entries) => entries.get(number)?.name ?? []).at(0) ?? null;
  return rows.map((row) => (row.key === null ? row : { ...row, name: nameOf(row.key) }));
}
