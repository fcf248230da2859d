import { zonesOfNumber } from '#shared/calling-hours/number-zones.ts';
import { instantOf, wallTime } from '#shared/calling-hours/zone-clock.ts';
import type { LiveGrant } from '#shared/domain/live-grant.ts';
import type { Project } from '#shared/domain/project.ts';
import { addDays } from '#shared/domain/time.ts';
import type { Table } from '#shared/table/client.ts';
import { countNumberCallItem, getNumberCalls, type NumberCalls } from '#shared/table/number-calls.ts';
import { countProjectCallItem, getProjectUsage, type ProjectUsage } from '#shared/table/project-usage.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';

/** How often one number may be called, by all projects together. */
export interface NumberLimit {
  readonly callsPerDay: number;
  /** From the end of a call to the next one. */
  readonly gapSeconds: number;
}

/** The limits that the operator sets for all numbers. */
export interface NumberLimits {
  readonly ordinary: NumberLimit;
  /** Shared lines: toll-free numbers and those that the operator's directory marks as shared. */
  readonly shared: NumberLimit;
}

/** Calls to the number and usage of the project, as read. */
export interface LiveCounts {
  readonly numberDay: string;
  readonly number: NumberCalls;
  readonly grant: LiveGrant;
  readonly projectDay: string;
  readonly usage: ProjectUsage;
}

/** Null for a project whose calls are not counted, because no real phone rings. */
export async function readLiveCounts(
  table: Table,
  { id, carrier, live_grant: grant }: Project,
  phoneNumber: string,
  now: Date,
): Promise<LiveCounts | null> {
  if (carrier === 'sandbox' || grant === null) return null;
  const numberDay = wallTime(zoneOf(phoneNumber), now).date;
  const projectDay = wallTime(grant.time_zone, now).date;
  const [number, usage] = await Promise.all([
    getNumberCalls(table, { carrier, phone_number: phoneNumber }),
    getProjectUsage(table, id, projectDay),
  ]);
  return { numberDay, number, grant, projectDay, usage };
}

/** A limit that is reached. */
export interface ReachedLimit {
  /** When that ends. */
  readonly until: Date;
  /** A sentence for the project, which does not reveal who else has called. */
  readonly reason: string;
}

/** The limit that keeps the number from being called now; null if none does. */
export function findReachedLimit(
  counts: LiveCounts,
  limit: NumberLimit,
  phoneNumber: string,
  now: Date,
): ReachedLimit | null {
  const { numberDay, number, grant, projectDay, usage } = counts;
  if (usage.calls >= grant.calls_per_day) {
    return {
      until: dayAfter(projectDay, grant.time_zone),
      reason: `The project has used its limit of ${grant.calls_per_day} calls a day.`,
    };
  }
  if (usage.talk_seconds >= grant.minutes_per_day * 60) {
    return {
      until: dayAfter(projectDay, grant.time_zone),
      reason: `The project has used its limit of ${grant.minutes_per_day} minutes of talk a day.`,
    };
  }
  if (number.day === numberDay && number.calls >= limit.callsPerDay) {
    return {
      until: dayAfter(numberDay, zoneOf(phoneNumber)),
      reason: `Numbers of this kind are called at most ${limit.callsPerDay} times a day.`,
    };
  }
  const gapEnds = new Date(Date.parse(number.last_call_at) + limit.gapSeconds * 1000);
  return gapEnds > now
    ? { until: gapEnds, reason: `${limit.gapSeconds / 60} minutes must pass between two calls to a number.` }
    : null;
}

/** Counts the claimed call, on the condition that no limit was reached since the counts were read. */
export function countCallItems(
  table: Table,
  { id, carrier }: Project,
  phoneNumber: string,
  { numberDay, number, grant, projectDay }: LiveCounts,
  now: Date,
): TransactionItem[] {
  const limit = { calls: grant.calls_per_day, talkSeconds: grant.minutes_per_day * 60 };
  return [
    countNumberCallItem(table, { carrier, phone_number: phoneNumber }, number, numberDay, now),
    countProjectCallItem(table, id, projectDay, limit, now),
  ];
}

/** The time zone in which a number's days are counted, whichever project calls it. */
function zoneOf(phoneNumber: string): string {
  return zonesOfNumber(phoneNumber)[0] ?? 'UTC';
}

function dayAfter(day: string, zone: string): Date {
  return instantOf(zone, `${addDays(day, 1)}T00:00`);
}
