import { personaAt } from '../personas/directory.ts';
import { isAbandoned, lineLifeMs } from '../store/sandbox-call.ts';
import { getItem, updateItem } from '../store/sandbox-store.ts';
import { isFinal, rfc2822 } from '../wire.ts';
import { closeAbandonedCall } from './abandoned-call.ts';
import { reachOf } from './forward-call.ts';
import { Line } from './line.ts';
import { enqueueLine } from './line-queue.ts';
import type { LineServices } from './line-services.ts';
import { reportLostCall } from './status-reporter.ts';

/**
 * Plays one call from dialing to its last callback. Messages may be duplicated, calls may not: the first to claim the
 * call plays it; a later one closes it as failed if the first died, and does nothing if it finished.
 */
export async function runCall(services: LineServices, callSid: string): Promise<void> {
  const { store, now = () => new Date() } = services;
  const startedAt = now();
  const claimed = await updateItem(
    store,
    'call',
    callSid,
    { line_seen_at: startedAt.toISOString(), start_time: rfc2822(startedAt) },
    { status: ['queued'], line_seen_at: [null] },
  );
  if (claimed === null) return closeAfterAnotherRun(services, callSid);
  const isInbound = claimed.direction === 'inbound';
  const file = personaAt(services.directory, isInbound ? claimed.from : claimed.to);
  const reach = isInbound ? 'answers' : await reachOf(store, file, claimed);
  await new Line(services, claimed, startedAt, file, reach).run();
}

async function closeAfterAnotherRun(services: LineServices, callSid: string): Promise<void> {
  const { store, lineQueue, authToken, publicBaseUrl, now = () => new Date() } = services;
  const call = await getItem(store, 'call', callSid);
  if (call === null || call.is_final_reported) return;
  if (!isFinal(call.status) && !isAbandoned(call, now().getTime())) {
    // Checked again when the other run has advanced or must have died: sooner than the queue would redeliver.
    await enqueueLine(lineQueue, { call_sid: callSid }, Math.ceil(lineLifeMs / 1000) + 1);
    return;
  }
  const closed = isFinal(call.status) ? call : await closeAbandonedCall(store, call, now());
  if (closed === null) throw new Error('the call changed while it was being closed');
  await reportLostCall(closed, authToken, publicBaseUrl);
  await updateItem(store, 'call', callSid, { is_final_reported: true });
}
