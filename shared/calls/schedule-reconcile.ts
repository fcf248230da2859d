import type { Call } from '#shared/domain/call.ts';
import { enqueueCallMessage } from './call-queue.ts';
import type { CallServices } from './call-services.ts';

/** Longer waits are left to the sweeper, which comes every minute. */
const soonSeconds = 30;

/**
 * Schedules a check of a call that is due soon, instead of waiting for the sweeper's next round. Only the due
 * time on the call is a promise; this message is speed, so losing it loses nothing.
 */
export async function scheduleReconcile(
  services: Pick<CallServices, 'queue' | 'now'>,
  call: Call | null,
): Promise<void> {
  if (call === null || call.due_at === null) return;
  const waitSeconds = Math.ceil((Date.parse(call.due_at) - services.now().getTime()) / 1000);
  if (waitSeconds > soonSeconds) return;
  await enqueueCallMessage(
    services.queue,
    { kind: 'call-due', task_id: call.task_id, call_id: call.id },
    call.project_id,
    Math.max(waitSeconds, 1),
  );
}
