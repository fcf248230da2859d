import { batchMessage, importMessage } from '#shared/calls/call-message.ts';
import { type CallQueue, enqueueCallMessage } from '#shared/calls/call-queue.ts';
import { type ErasureQueue, enqueueErasure } from '#shared/erasure/erasure-queue.ts';
import { log, logError } from '#shared/observability/log.ts';
import { enqueueRecording, type RecordingQueue } from '#shared/recordings/recording-queue.ts';
import type { Table } from '#shared/table/client.ts';
import { callIdOfWatchKey } from '#shared/table/conversation-watch.ts';
import { type DueItem, findDue } from '#shared/table/due.ts';
import { erasureIdOfKey } from '#shared/table/erasure.ts';
import { importOfKey } from '#shared/table/import.ts';
import { exportPatientOfKey } from '#shared/table/patient-export.ts';
import { retentionProjectOfKey } from '#shared/table/retention.ts';
import { batchOfKey } from '#shared/table/task-batch.ts';
import { callIdOfKey, taskIdOfKey } from '#shared/table/task-key.ts';
import { enqueueNoInputMessage, type WatchQueue } from '#shared/voice-agent/session/no-input-timer.ts';
import { type DeliveryQueue, enqueueDelivery } from '#shared/webhooks/delivery-queue.ts';

export interface SweepServices {
  readonly table: Table;
  readonly callQueue: CallQueue;
  readonly recordingQueue: RecordingQueue;
  readonly deliveryQueue: DeliveryQueue;
  readonly watchQueue: WatchQueue;
  readonly erasureQueue: ErasureQueue;
}

/** What the log calls the due items of each type. */
const loggedAs: Readonly<Record<DueItem['type'], string>> = {
  task: 'tasks',
  call: 'calls',
  recording: 'recordings',
  'conversation-watch': 'conversations',
  'webhook-delivery': 'webhook_deliveries',
  erasure: 'erasures',
  retention: 'retentions',
  'patient-export': 'patient_exports',
  import: 'imports',
  'task-batch': 'task_batches',
  invitation: 'mails',
  alert: 'mails',
};

/** Messages sent concurrently. */
const sendersAtOnce = 20;

/**
 * Turns every due item into a message for its worker. Workers check the item themselves, so extra or duplicate
 * messages do no harm. An item that cannot be sent does not block the others; the failure is thrown at the end.
 */
export async function sweepDue(services: SweepServices, at: Date): Promise<void> {
  const sent = new Map(Object.values(loggedAs).map((name) => [name, 0]));
  let failed = 0;
  for await (const page of findDue(services.table, at.toISOString())) {
    for (let start = 0; start < page.length; start += sendersAtOnce) {
      const group = page.slice(start, start + sendersAtOnce);
      const outcomes = await Promise.allSettled(group.map((item) => send(services, item)));
      outcomes.forEach((outcome, position) => {
        const item = group[position];
        if (item === undefined) return;
        const name = loggedAs[item.type];
        if (outcome.status === 'fulfilled') sent.set(name, (sent.get(name) ?? 0) + 1);
        else {
          failed += 1;
          logError('due-item-not-sent', outcome.reason, { type: item.type });
        }
      });
    }
  }
  log('due-items', { ...Object.fromEntries(sent), failed });
  if (failed > 0) throw new Error(`${failed} due items could not be sent`);
}

function send(services: SweepServices, item: DueItem): Promise<void> {
  switch (item.type) {
    case 'task':
      return enqueueCallMessage(services.callQueue, { kind: 'dial', task_id: taskIdOfKey(item) });
    case 'call':
      return enqueueCallMessage(services.callQueue, {
        kind: 'call-due',
        task_id: taskIdOfKey(item),
        call_id: callIdOfKey(item),
      });
    case 'recording':
      return enqueueRecording(services.recordingQueue, {
        task_id: taskIdOfKey(item),
        call_id: callIdOfKey(item),
      });
    case 'conversation-watch':
      return enqueueNoInputMessage(services.watchQueue, { call_id: callIdOfWatchKey(item) }, 0);
    case 'webhook-delivery':
    case 'invitation':
    case 'alert':
      return enqueueDelivery(services.deliveryQueue, item);
    case 'erasure':
      return enqueueErasure(services.erasureQueue, { kind: 'erasure', id: erasureIdOfKey(item) });
    case 'retention':
      return enqueueErasure(services.erasureQueue, {
        kind: 'retention',
        project_id: retentionProjectOfKey(item),
      });
    case 'patient-export':
      return enqueueErasure(services.erasureQueue, {
        kind: 'export',
        patient_id: exportPatientOfKey(item),
      });
    case 'import':
      return enqueueCallMessage(services.callQueue, importMessage(importOfKey(item)));
    case 'task-batch':
      return enqueueCallMessage(services.callQueue, batchMessage(batchOfKey(item)));
  }
}
