import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { TaskStatus } from '#shared/domain/task.ts';
import type { Table } from './client.ts';
import { deletePartition } from './delete-items.ts';
import { queryPages } from './query-pages.ts';
import { expiresIn } from './time-to-live.ts';

const About = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task-created') }),
  z.object({ kind: z.literal('task-ended'), status: TaskStatus }),
  z.object({
    kind: z.literal('call'),
    /** Whether the carrier took it. */
    is_placed: z.boolean(),
    is_answered: z.boolean(),
    talk_seconds: z.number(),
  }),
]);

/** Something that counts as usage, by identifiers and figures alone, so that it may outlive what was erased. */
export interface UsageRecord {
  readonly project_id: string;
  /** Of the task or call. */
  readonly id: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly about: z.infer<typeof About>;
}

const DayRecord = z.object({ day: z.string(), about: About });
export type DayRecord = z.infer<typeof DayRecord>;

/** So that a month can be compared with that of the year before. */
const keptSeconds = 400 * 24 * 60 * 60;

function usagePartition(projectId: string): string {
  return `USAGE#${projectId}`;
}

/** Writes a record under a key of its own: written again, it is the same one, so that nothing is counted twice. */
export async function putUsageRecord(table: Table, record: UsageRecord, now: Date): Promise<void> {
  const { project_id, id, day, about } = record;
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        pk: usagePartition(project_id),
        sk: `${day}#${about.kind}#${id}`,
        type: 'usage',
        day,
        about,
        ...expiresIn(keptSeconds, now.getTime()),
      },
    }),
  );
}

/** The records of some days, both included, a page at a time. Eventually consistent. */
export async function* usageRecords(
  table: Table,
  projectId: string,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncGenerator<DayRecord[]> {
  const pages = queryPages(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    // "~" sorts behind all that follows a day.
    ExpressionAttributeValues: { ':pk': usagePartition(projectId), ':from': from, ':to': `${to}~` },
  });
  for await (const items of pages) yield items.map((item) => DayRecord.parse(item));
}

export function deleteUsageRecords(table: Table, projectId: string): Promise<void> {
  return deletePartition(table, usagePartition(projectId));
}
