import { carryOutImport } from '#shared/imports/carry-out-import.ts';
import { annotateLog } from '#shared/observability/log.ts';
import { workOnBatch } from '#shared/tasks/batch/work-on-batch.ts';
import type { CallMessage } from './call-message.ts';
import type { CallServices } from './call-services.ts';
import { dispatchForTask, dispatchWaiting } from './capacity/dispatch-waiting.ts';
import { carrierPool } from './capacity/slot-pool.ts';
import { applyCarrierEvent } from './carrier-events/apply-carrier-event.ts';
import { reconcileCall } from './carrier-events/reconcile-call.ts';
import { dialTask } from './dial/dial-task.ts';

/** Handles a message of the call queue. Messages may be duplicated, late, concurrent and out of order. */
export function handleCallMessage(services: CallServices, message: CallMessage): Promise<void> {
  annotateLog({ kind: message.kind });
  if ('task_id' in message) annotateLog({ task_id: message.task_id });
  switch (message.kind) {
    case 'dial':
      return dialTask(services, message.task_id, message.waited_at_carrier);
    case 'carrier-event':
      annotateLog({ call_id: message.call_id });
      return applyCarrierEvent(services, message.task_id, message.call_id, message.event);
    case 'call-due':
      annotateLog({ call_id: message.call_id });
      return reconcileCall(services, message.task_id, message.call_id);
    case 'dispatch':
      annotateLog({ carrier: message.carrier });
      return dispatchWaiting(services, carrierPool(services, message.carrier));
    case 'dispatch-line':
      return dispatchForTask(services, message.carrier, message.task_id);
    case 'import':
      return carryOutImport(services, { project_id: message.project_id, id: message.import_id });
    case 'batch':
      return workOnBatch(services, message.project_id, message.batch_id);
  }
}
