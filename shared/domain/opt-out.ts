import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { PhoneNumber, Timestamp } from './values.ts';

/**
 * A number's request not to be called again by a project. It holds until a person lifts it, and for this
 * project only: the wish was spoken to whoever the project calls for, which may be the patient's own clinic,
 * and one client must not learn from refused tasks whom another client has called. None of the person's words
 * are kept with it; they stand in the transcript of the call.
 */
export const OptOut = z.object({
  project_id: Uuid,
  phone_number: PhoneNumber,
  /** The call in which it was said. */
  call_id: Uuid,
  task_id: Uuid,
  created_at: Timestamp,
});
export type OptOut = z.infer<typeof OptOut>;
