import * as z from 'zod/mini';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import { expiresIn } from './time-to-live.ts';
import type { TransactionItem } from './transaction.ts';
import { itemUpdate } from './transaction-items.ts';

/** What a live project has used of its limits on one day. */
const ProjectUsage = z.object({
  calls: z._default(z.int(), 0),
  talk_seconds: z._default(z.number(), 0),
});
export type ProjectUsage = z.infer<typeof ProjectUsage>;

/** The limits of one day. */
export interface UsageLimit {
  readonly calls: number;
  readonly talkSeconds: number;
}

/** For billing questions. */
const keptSeconds = 100 * 24 * 60 * 60;

/** @param day `YYYY-MM-DD` in the project's time zone */
function projectUsageKey(projectId: string, day: string): PrimaryKey {
  return { pk: `PROJECT#${projectId}`, sk: `USAGE#${day}` };
}

/** Strongly consistent: the caller decides by it whether to dial. */
export async function getProjectUsage(table: Table, projectId: string, day: string): Promise<ProjectUsage> {
  const usage = await getItem(table, projectUsageKey(projectId, day), ProjectUsage.parse);
  return usage ?? ProjectUsage.parse({});
}

/** Counts a call, on the condition that the day's limit is not reached. */
export function countProjectCallItem(
  table: Table,
  projectId: string,
  day: string,
  limit: UsageLimit,
  now: Date,
): TransactionItem {
  return itemUpdate(table, projectUsageKey(projectId, day), {
    change: 'ADD calls :one SET #type = :type, expires_at_seconds = :end',
    condition:
      '(attribute_not_exists(calls) OR calls < :calls) ' +
      'AND (attribute_not_exists(talk_seconds) OR talk_seconds < :talk)',
    values: {
      one: 1,
      type: 'project-usage',
      end: expiresIn(keptSeconds, now.getTime()).expires_at_seconds,
      calls: limit.calls,
      talk: limit.talkSeconds,
    },
  });
}

/** Reverts the count of a call that was never placed. */
export function uncountProjectCallItem(table: Table, projectId: string, day: string): TransactionItem {
  return addItem(table, projectId, day, 'calls', -1);
}

export function countTalkItem(
  table: Table,
  projectId: string,
  day: string,
  seconds: number,
): TransactionItem {
  return addItem(table, projectId, day, 'talk_seconds', seconds);
}

function addItem(
  table: Table,
  projectId: string,
  day: string,
  attribute: keyof ProjectUsage,
  value: number,
): TransactionItem {
  return itemUpdate(table, projectUsageKey(projectId, day), {
    change: `ADD ${attribute} :value`,
    values: { value },
  });
}
