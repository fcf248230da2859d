import type { CallResult } from '#shared/domain/call-result.ts';
import type { Table } from '#shared/table/client.ts';

/** Reads results of calls. Language understanding is large, so it is loaded after the first call has ended. */
export function lateCallResults(
  table: Pick<Table, 'name' | 'projectKey'>,
): (callId: string) => Promise<CallResult | null> {
  let opened: Promise<(callId: string) => Promise<CallResult | null>> | null = null;
  return async (callId) => {
    opened ??= import('./open-call-results.ts').then(({ openCallResults }) => openCallResults(table));
    const load = await opened;
    return load(callId);
  };
}
