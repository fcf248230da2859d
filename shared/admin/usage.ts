import * as z from 'zod/mini';
import { invalidField } from '#shared/domain/errors.ts';
import { addDays, dayMs, utcDay } from '#shared/domain/time.ts';
import { CalendarDate } from '#shared/domain/values.ts';
import type { Table } from '#shared/table/client.ts';
import { type DayRecord, usageRecords } from '#shared/table/usage-record.ts';
import { estimateCost, pricesDate } from '#shared/usage/estimate-cost.ts';
import type { ProjectAccess } from './authorize-project.ts';

const UsageCounts = z.object({
  tasks_created: z.int(),
  tasks_completed: z.int(),
  tasks_failed: z.int(),
  tasks_cancelled: z.int(),
  /** Calls that the carrier accepted. */
  calls_placed: z.int(),
  calls_answered: z.int(),
  /** From answer to hang-up. */
  minutes: z.number(),
  /** The same, with each call rounded up to whole minutes. */
  billed_minutes: z.int(),
});
type UsageCounts = z.infer<typeof UsageCounts>;

/** US dollars. */
export const CostEstimate = z.object({ aws: z.number(), carrier: z.number() });

export const UsageTotal = z.extend(UsageCounts, { estimated_cost: CostEstimate });
export const DayUsage = z.extend(UsageTotal, { day: CalendarDate });
type DayUsage = z.infer<typeof DayUsage>;

/** A project's usage per day of a period, including days without any. */
export const UsageResource = z.object({
  from: CalendarDate,
  to: CalendarDate,
  days: z.array(DayUsage),
  total: UsageTotal,
  /** The date of the prices. */
  prices_date: CalendarDate,
});
export type UsageResource = z.infer<typeof UsageResource>;

/** `YYYY-MM-DD` in UTC, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const mostDays = 31;

/** The requested period, by default today and the 30 days before. Throws `invalid_request`. */
export function checkPeriod({ from, to }: Partial<Period>, now: Date): Period {
  const last = to ?? utcDay(now);
  const first = from ?? addDays(last, 1 - mostDays);
  if (first > last) throw invalidField('from', 'from must not be after to');
  if ((Date.parse(last) - Date.parse(first)) / dayMs >= mostDays) {
    throw invalidField('from', `from and to must not be more than ${mostDays - 1} days apart`);
  }
  return { from: first, to: last };
}

/** Reads no patient and no task, so there is nothing to audit. */
export async function readUsage(
  table: Table,
  { project }: Pick<ProjectAccess, 'project'>,
  { from, to }: Period,
): Promise<UsageResource> {
  const counts = new Map<string, UsageCounts>(daysOf({ from, to }).map((day) => [day, nothing]));
  for await (const records of usageRecords(table, project.id, { from, to })) {
    for (const record of records) {
      counts.set(record.day, sum(counts.get(record.day) ?? nothing, countsOf(record)));
    }
  }
  const withCost = (counted: UsageCounts) => ({
    ...counted,
    minutes: Math.round(counted.minutes * 100) / 100,
    estimated_cost: estimateCost(project.carrier, counted),
  });
  const days = [...counts].map(([day, counted]): DayUsage => ({ day, ...withCost(counted) }));
  const total = withCost([...counts.values()].reduce(sum, nothing));
  return { from, to, days, total, prices_date: pricesDate };
}

const nothing: UsageCounts = {
  tasks_created: 0,
  tasks_completed: 0,
  tasks_failed: 0,
  tasks_cancelled: 0,
  calls_placed: 0,
  calls_answered: 0,
  minutes: 0,
  billed_minutes: 0,
};

function countsOf({ about }: DayRecord): Partial<UsageCounts> {
  switch (about.kind) {
    case 'task-created':
      return { tasks_created: 1 };
    case 'task-ended':
      return {
        tasks_completed: about.status === 'COMPLETED' ? 1 : 0,
        tasks_failed: about.status === 'FAILED' ? 1 : 0,
        tasks_cancelled: about.status === 'CANCELLED' ? 1 : 0,
      };
    case 'call':
      return {
        calls_placed: about.is_placed ? 1 : 0,
        calls_answered: about.is_answered ? 1 : 0,
        minutes: about.talk_seconds / 60,
        billed_minutes: Math.ceil(about.talk_seconds / 60),
      };
  }
}

function sum(one: UsageCounts, other: Partial<UsageCounts>): UsageCounts {
  return {
    tasks_created: one.tasks_created + (other.tasks_created ?? 0),
    tasks_completed: one.tasks_completed + (other.tasks_completed ?? 0),
    tasks_failed: one.tasks_failed + (other.tasks_failed ?? 0),
    tasks_cancelled: one.tasks_cancelled + (other.tasks_cancelled ?? 0),
    calls_placed: one.calls_placed + (other.calls_placed ?? 0),
    calls_answered: one.calls_answered + (other.calls_answered ?? 0),
    minutes: one.minutes + (other.minutes ?? 0),
    billed_minutes: one.billed_minutes + (other.billed_minutes ?? 0),
  };
}

function daysOf({ from, to }: Period): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}
