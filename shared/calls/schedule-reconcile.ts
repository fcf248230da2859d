import type { Call } from '#shared/domain/call.ts';
import { enqueueCallMessage } from './call-queue.ts';
import type { CallServices } from './call-services.ts';

/** Longer waits are left to the sweeper, which runs every minute. */
const soonSeconds = 30;

/**
 * Schedules a check of a call that is due soon, ahead of the sweeper. The due time on the call is authoritative;
 * losing this message only costs time.
 */
export async function scheduleReconcile(
  services: Pick<CallServices, 'queue' | 'now'>,
  call: Call | null,
): Promise<void> {
  const delaySeconds = soonDelaySeconds(call?.due_at ?? null, services.now());
  if (call === null || delaySeconds === null) return;
  await enqueueCallMessage(
    services.queue,
    { kind: 'call-due', task_id: call.task_id, call_id: call.id },
    call.project_id,
    delaySeconds,
  );
}

/** Delay of a message about an item that is due soon; null if it is left to the sweeper. */
export function soonDelaySeconds(dueAt: string | null, now: Date): number | null {
  if (dueAt === null) return null;
  const waitSeconds = Math.ceil((Date.parse(dueAt) - now.getTime()) / 1000);
  return waitSeconds > soonSeconds ? null : Math.max(waitSeconds, 1);
}
