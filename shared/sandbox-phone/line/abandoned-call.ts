import { log } from '#shared/observability/log.ts';
import type { SandboxCall } from '../store/sandbox-call.ts';
import { type SandboxStore, updateItem } from '../store/sandbox-store.ts';
import { rfc2822 } from '../wire.ts';

/** Marks a call as failed whose line died in the middle. Null when it is alive after all. */
export function closeAbandonedCall(
  store: SandboxStore,
  call: SandboxCall,
  at: Date,
): Promise<SandboxCall | null> {
  log('sandbox-call-abandoned', { call_sid: call.sid, status: call.status });
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
