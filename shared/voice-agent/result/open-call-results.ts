import type { CallResult } from '#shared/domain/call-result.ts';
import { openTable } from '#shared/table/client.ts';
import { loadCallResult } from './call-result.ts';

/** Reads results with a client of its own: bundled apart, the SDK refuses a client of another copy of itself. */
export function openCallResults(tableName: string): (callId: string) => Promise<CallResult | null> {
  const table = openTable(tableName);
  return (callId) => loadCallResult(table, callId);
}
