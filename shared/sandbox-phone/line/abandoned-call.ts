import { log } from '#shared/observability/log.ts';
import type { SandboxCall } from '../store/sandbox-call.ts';
import { recordingsOf, type SandboxStore, updateItem } from '../store/sandbox-store.ts';
import { rfc2822 } from '../wire.ts';

/**
 * Marks a call whose line died midway as failed, and its recordings, whose audio is lost, as absent. Null if it is
 * alive.
 */
export async function closeAbandonedCall(
  store: SandboxStore,
  call: SandboxCall,
  at: Date,
): Promise<SandboxCall | null> {
  log('sandbox-call-abandoned', { call_sid: call.sid, status: call.status });
  // The recordings first: once the call has ended, nothing revisits them.
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

/** A recording whose audio was stored before the line died stays. */
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
