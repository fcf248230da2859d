import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { EmailAddress } from './person.ts';
import { Timestamp } from './values.ts';

export const AlertFrequency = z.enum(['off', 'hourly', 'daily']);
export type AlertFrequency = z.infer<typeof AlertFrequency>;

/** How often a member is emailed how many tasks of a project need a person. */
export const Alert = z.object({
  project_id: Uuid,
  email: EmailAddress,
  frequency: AlertFrequency,
  /** Time zone of a daily digest's morning, unless the project has one. */
  time_zone: z.string(),
  /** What happened until then was reported, or precedes the alerts. */
  told_until: Timestamp,
  /** Unsubscribe token in the email; good for nothing else. */
  unsubscribe_token: z.string(),
  /** When the next digest is due; null while they are off. */
  due_at: z.nullable(Timestamp),
  /** Counts writes, so that only one of two workers sends a digest. */
  version: z.int(),
});
export type Alert = z.infer<typeof Alert>;
