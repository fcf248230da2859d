import type { Table } from '#shared/table/client.ts';
import type { SendMail } from './mailer.ts';

/** What mail is sent with. */
export interface MailServices {
  readonly table: Table;
  /** Null where the deployment sends none. */
  readonly sendMail: SendMail | null;
  /** Absolute addresses of pages. */
  readonly addresses: MailAddresses;
  readonly now: () => Date;
}

export interface MailAddresses {
  join(projectId: string, token: string): string;
}

/** How much ahead of ours the clock of the machine may be that set a due time. */
const clockSkewMs = 2_000;

export function isDue({ due_at }: { readonly due_at: string | null }, now: Date): boolean {
  return due_at !== null && Date.parse(due_at) <= now.getTime() + clockSkewMs;
}
