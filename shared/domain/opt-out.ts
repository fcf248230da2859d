import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import type { Project } from './project.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/** The owner of the operator's list, which applies to all live projects. */
export const operatorList = 'OPERATOR';

/** A do-not-call list: that of a project, by its ID, or the operator's. */
export type OptOutList = string;

/**
 * A number's request not to be called again, in force until a person lifts it. One made on a live call is on the
 * project's list and the operator's; which lists count is the operator's choice (`listsOf`). No client learns from the
 * operator's list whom another client has called. The person's words are only in the transcript of the call.
 */
export const OptOut = z.object({
  /** Null on the operator's list. */
  project_id: z.nullable(Uuid),
  phone_number: PhoneNumber,
  /** The call it was made in, and its task; null if added by a person. */
  call_id: z.nullable(Uuid),
  task_id: z.nullable(Uuid),
  /** `review` is not in force yet: made on a shared line, where one person does not speak for all. */
  status: z._default(z.enum(['active', 'review', 'lifted']), 'active'),
  /** How it came onto the list. */
  source: z._default(z.enum(['call', 'person', 'command', 'import']), 'call'),
  /** Who added it, if not a call. */
  added_by: z._default(z.nullable(z.string()), null),
  /** The reason in the words of the person who added it. */
  reason: z._default(z.nullable(z.string()), null),
  /** Who lifted or confirmed it, when and why. */
  decision: z._default(z.nullable(z.object({ at: Timestamp, by: z.string(), reason: z.string() })), null),
  created_at: Timestamp,
});
export type OptOut = z.infer<typeof OptOut>;

/** An opt-out as input; members with defaults may be absent. */
export type OptOutInput = z.input<typeof OptOut>;

/** Whether an opt-out made to one project applies to all: the operator's choice. */
export const OptOutScope = z.enum(['operator', 'project']);
export type OptOutScope = z.infer<typeof OptOutScope>;

/** The lists that forbid a project's calls. The sandbox calls no real phones, so each project there has its own. */
export function listsOf({ id, carrier }: Pick<Project, 'id' | 'carrier'>, scope: OptOutScope): OptOutList[] {
  return carrier === 'live' && scope === 'operator' ? [id, operatorList] : [id];
}
