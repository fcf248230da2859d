import { log } from '#shared/observability/log.ts';
import type { SandboxCall } from '../store/sandbox-call.ts';
import { recordingsOf, type SandboxStore, updateItem } from '../store/sandbox-store.ts';
import { rfc2822 } from '../wire.ts';

/**
 * Marks a call as failed whose line died in the middle, and its recordings as absent, because their sound died with it.
 * Null when it is alive after all.
 */
export async function closeAbandonedCall(
  store: SandboxStore,
  call: SandboxCall,
  at: Date,
): Promise<SandboxCall | null> {
  log('sandbox-call-abandoned', { call_sid: call.sid, status: call.status });
  // The recordings first: once the call has ended, nobody comes back to them.
  await closeRecordings(store, call, at);
  return updateItem(
    store,
    'call',
    call.sid,
    {
      status: 'failed',
      failure: 'line-died',
      end_time: rfc2822(at),
      duration_seconds: 0,
      updated_at: at.toISOString(),
    },
    { line_seen_at: [call.line_seen_at], status: [call.status] },
  );
}

/** A recording whose sound was stored before the line died stays. */
async function closeRecordings(store: SandboxStore, call: SandboxCall, at: Date): Promise<void> {
  for (const { sid, status } of await recordingsOf(store, call.sid)) {
    if (status !== 'in-progress') continue;
    await updateItem(
      store,
      'recording',
      sid,
      { status: 'absent', duration_seconds: 0, updated_at: at.toISOString() },
      { status: ['in-progress'] },
    );
  }
}
