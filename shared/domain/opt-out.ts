import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import type { Project } from './project.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/** Stands for the list of the operator, which holds for all live projects. */
export const operatorList = 'OPERATOR';

/** A do-not-call list: that of a project, by its identifier, or that of the operator. */
export type OptOutList = string;

/**
 * A number's request not to be called again. It holds until a person lifts it. One that was spoken on a live call
 * stands on the list of the project and on that of the operator; which lists count is the operator's choice
 * (`listsOf`). One client does not learn from the other list whom another client has called. None of the person's
 * words are kept with it; they stand in the transcript of the call.
 */
export const OptOut = z.object({
  /** Null on the operator's list. */
  project_id: z.nullable(Uuid),
  phone_number: PhoneNumber,
  /** The call in which it was said, and its task; null for one that somebody put on the list. */
  call_id: z.nullable(Uuid),
  task_id: z.nullable(Uuid),
  /** `review` does not hold yet: said on a shared line, where one person does not speak for all. */
  status: z._default(z.enum(['active', 'review', 'lifted']), 'active'),
  /** How it came onto the list. */
  source: z._default(z.enum(['call', 'person', 'command', 'import']), 'call'),
  /** Who put it there, where it was not said on a call. */
  added_by: z._default(z.nullable(z.string()), null),
  /** The reason in the words of the person who added it. */
  reason: z._default(z.nullable(z.string()), null),
  /** Who lifted or confirmed it, when and why. */
  decision: z._default(z.nullable(z.object({ at: Timestamp, by: z.string(), reason: z.string() })), null),
  created_at: Timestamp,
});
export type OptOut = z.infer<typeof OptOut>;

/** An opt-out as it is written; what has a default may be left out. */
export type OptOutInput = z.input<typeof OptOut>;

/** Whether an opt-out spoken to one project holds for all: the operator's choice. */
export const OptOutScope = z.enum(['operator', 'project']);
export type OptOutScope = z.infer<typeof OptOutScope>;

/**
 * The lists that forbid calls of a project. Nobody real is rung from the sandbox, so each project there has its own.
 */
export function listsOf({ id, carrier }: Pick<Project, 'id' | 'carrier'>, scope: OptOutScope): OptOutList[] {
  return carrier === 'live' && scope === 'operator' ? [id, operatorList] : [id];
}
