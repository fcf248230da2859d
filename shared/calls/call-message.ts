import * as z from 'zod/mini';
import { CarrierEvent } from '#shared/domain/carrier-event.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { CarrierName } from '#shared/domain/project.ts';

/** Messages for call-runner. IDs and states only: a queue holds no health information. */
export const CallMessage = z.discriminatedUnion('kind', [
  /**
   * The task's next attempt is due: claim it and dial. `waited_at_carrier`: it has had its turn at the number, and
   * waited in the carrier's queue.
   */
  z.object({ kind: z.literal('dial'), task_id: Uuid, waited_at_carrier: z.exactOptional(z.boolean()) }),
  /** The carrier reported something about a call. */
  z.object({ kind: z.literal('carrier-event'), task_id: Uuid, call_id: Uuid, event: CarrierEvent }),
  /** The call is overdue: reconcile it. */
  z.object({ kind: z.literal('call-due'), task_id: Uuid, call_id: Uuid }),
  /** A carrier may have free slots while tasks wait for one: allocate them. */
  z.object({ kind: z.literal('dispatch'), carrier: CarrierName }),
  /** As `dispatch`, for the number that the task calls. */
  z.object({ kind: z.literal('dispatch-line'), carrier: CarrierName, task_id: Uuid }),
  /** Continue an import of patients and tasks; the table holds its rows and progress. */
  z.object({ kind: z.literal('import'), project_id: Uuid, import_id: Uuid }),
  /** Continue creating or canceling a batch of tasks. */
  z.object({ kind: z.literal('batch'), project_id: Uuid, batch_id: Uuid }),
]);
export type CallMessage = z.infer<typeof CallMessage>;
export type DialMessage = Extract<CallMessage, { kind: 'dial' }>;
export type ImportMessage = Extract<CallMessage, { kind: 'import' }>;
export type BatchMessage = Extract<CallMessage, { kind: 'batch' }>;

interface OfProject {
  readonly project_id: string;
  readonly id: string;
}

export function importMessage({ project_id, id }: OfProject): ImportMessage {
  return { kind: 'import', project_id, import_id: id };
}

export function batchMessage({ project_id, id }: OfProject): BatchMessage {
  return { kind: 'batch', project_id, batch_id: id };
}
