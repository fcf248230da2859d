import type { Table } from '#shared/table/client.ts';
import {
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import type { SendMail } from './mail.ts';

/** The dependencies of sending email. */
export interface MailServices {
  readonly table: Table;
  /** Null if the deployment sends none. */
  readonly sendMail: SendMail | null;
  /** Absolute URLs of pages. */
  readonly addresses: MailAddresses;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface MailAddresses {
  join(projectId: string, token: string): string;
  /** The list of a project's tasks with these filters. */
  tasks(projectId: string, filter: TaskFilter): string;
  /** The page where a member configures alerts. */
  alerts(projectId: string): string;
  /** Accepts a POST without a sign-in. */
  unsubscribe(projectId: string, token: string): string;
}

/** Parameters of the task list's URL. */
export type TaskFilter = { readonly needs: 'follow-up' | 'review' } | { readonly status: 'FAILED' };

/** Allowed clock skew to the machine that set a due time. */
const clockSkewMs = 2_000;

export function isDue<Item extends { readonly due_at: string | null }>(
  item: Item,
  now: Date,
): item is Item & { readonly due_at: string } {
  return item.due_at !== null && Date.parse(item.due_at) <= now.getTime() + clockSkewMs;
}

/** Makes a write conditional on no concurrent change; false if there was one. */
export async function writeAsRead(table: Table, item: TransactionItem): Promise<boolean> {
  try {
    await writeTransaction(table, [item]);
    return true;
  } catch (error) {
    if (error instanceof TransactionConditionFailed) return false;
    throw error;
  }
}
