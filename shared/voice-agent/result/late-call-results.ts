import type { CallResult } from '#shared/domain/call-result.ts';

/** Reads results of calls. What understands words is large, so it is loaded when the first call has ended. */
export function lateCallResults(tableName: string): (callId: string) => Promise<CallResult | null> {
  let opened: Promise<(callId: string) => Promise<CallResult | null>> | null = null;
  return async (callId) => {
    opened ??= import('./open-call-results.ts').then(({ openCallResults }) => openCallResults(tableName));
    const load = await opened;
    return load(callId);
  };
}
