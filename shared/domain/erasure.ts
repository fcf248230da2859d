import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { NamedPerson } from './named-person.ts';
import { Timestamp } from './values.ts';

/** What can be erased, with everything that belongs to it. */
export const ErasureTarget = z.enum(['patient', 'task', 'project']);
export type ErasureTarget = z.infer<typeof ErasureTarget>;

/**
 * The order to erase something, and its receipt. Its ID is that of the erased thing, so repeated orders are one, and
 * it holds no health information, so that it can stay.
 */
export const Erasure = z.object({
  /** Of the patient, task or project. */
  id: Uuid,
  project_id: Uuid,
  target: ErasureTarget,
  status: z.enum(['PENDING', 'DONE']),
  /** What a pending erasure waits for, as a sentence; null if nothing blocks it. */
  waiting_for: z.nullable(z.string()),
  requested_by: z.enum(['client', 'person', 'command']),
  requested_at: Timestamp,
  completed_at: z.nullable(Timestamp),
  /** When work on it continues; null once it is done. */
  due_at: z.nullable(Timestamp),
  /** Keyed hashes of what imports name an erased patient by; removed once it is done. */
  known_as: z.optional(NamedPerson),
  /** Keyed hashes by which imports know the rows that created an erased patient; forgotten once it is done. */
  row_keys: z.optional(z.array(z.string())),
  /** When the last access to an erased project ended; absent before. */
  closed_at: z.optional(Timestamp),
});
export type Erasure = z.infer<typeof Erasure>;

/** An erasure that is due at once. */
export function newErasure(
  ordered: Pick<Erasure, 'id' | 'project_id' | 'target' | 'requested_by' | 'known_as' | 'row_keys'>,
  now: Date,
): Erasure {
  const at = now.toISOString();
  return {
    ...ordered,
    status: 'PENDING',
    waiting_for: null,
    requested_at: at,
    completed_at: null,
    due_at: at,
  };
}
