import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { EmailAddress } from './person.ts';
import { Timestamp } from './values.ts';

export const AlertFrequency = z.enum(['off', 'hourly', 'daily']);
export type AlertFrequency = z.infer<typeof AlertFrequency>;

/** How often a member wants to be mailed how many tasks of a project need a person. */
export const Alert = z.object({
  project_id: Uuid,
  email: EmailAddress,
  frequency: AlertFrequency,
  /** Whose morning it is for a daily digest, unless the project has a time zone. */
  time_zone: z.string(),
  /** What happened until then was told, or was there before the member asked for alerts. */
  told_until: Timestamp,
  /** In the link that ends them; nothing else can be done with it. */
  unsubscribe_token: z.string(),
  /** When the next digest is due; null while they are off. */
  due_at: z.nullable(Timestamp),
  /** Counts writes, so that of two workers one sends a digest. */
  version: z.int(),
});
export type Alert = z.infer<typeof Alert>;
