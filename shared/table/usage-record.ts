import * as z from 'zod/mini';
import { TaskStatus } from '#shared/domain/task.ts';
import type { Table } from './client.ts';
import { putItem } from './create-item.ts';
import { deletePartition } from './delete-items.ts';
import type { PrimaryKey } from './primary-key.ts';
import { queryPages } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';

const About = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task-created') }),
  z.object({ kind: z.literal('task-ended'), status: TaskStatus }),
  z.object({
    kind: z.literal('call'),
    /** Whether the carrier accepted it. */
    is_placed: z.boolean(),
    is_answered: z.boolean(),
    talk_seconds: z.number(),
  }),
]);

/** A unit of usage: identifiers and figures only, so that it may outlive erased tasks. */
export interface UsageRecord {
  readonly project_id: string;
  /** Identifier of the task or call. */
  readonly id: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly about: z.infer<typeof About>;
}

const DayRecord = z.object({ day: z.string(), about: About });
export type DayRecord = z.infer<typeof DayRecord>;

/** Long enough to compare a month with the same month a year earlier. */
const keptSeconds = 400 * 24 * 60 * 60;

function usagePartition(projectId: string): string {
  return `USAGE#${projectId}`;
}

export function usageRecordKey({ project_id, id, day, about }: UsageRecord): PrimaryKey {
  return { pk: usagePartition(project_id), sk: `${day}#${about.kind}#${id}` };
}

/** Idempotent: each record has its own key, so nothing is counted twice. */
export async function putUsageRecord(table: Table, record: UsageRecord, now: Date): Promise<void> {
  const { day, about } = record;
  await putItem(table, {
    ...usageRecordKey(record),
    type: 'usage',
    day,
    about,
    ...expiresIn(keptSeconds, now.getTime()),
  });
}

/** Pages of the records from one day to another, both inclusive. Eventually consistent. */
export async function* usageRecords(
  table: Table,
  projectId: string,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncGenerator<DayRecord[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    // "~" sorts after every suffix of a day's key.
    ExpressionAttributeValues: { ':pk': usagePartition(projectId), ':from': from, ':to': `${to}~` },
  });
  for await (const items of pages) yield items.map((item) => DayRecord.parse(item));
}

export function deleteUsageRecords(table: Table, projectId: string): Promise<void> {
  return deletePartition(table, usagePartition(projectId));
}
