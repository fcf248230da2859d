import type { CallServices } from '#shared/calls/call-services.ts';
import { type Call, versioned } from '#shared/domain/call.ts';
import { getCall, replaceCallItems } from '#shared/table/call.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type TransactionItem, writeTransaction } from '#shared/table/transaction.ts';

/** A call's address, or the call as the caller has just read or written it, which is not read again. */
export type KnownCall = Call | Pick<Call, 'id' | 'task_id'>;

/** Works on the known call, and again on the stored one while concurrent changes interfere. */
export function onCall<Result>(
  { table }: Pick<CallServices, 'table'>,
  known: KnownCall,
  work: (call: Call | null) => Promise<Result>,
): Promise<Result> {
  let isFirst = true;
  return retryOnConflict(async () => {
    const isKnown = isFirst && 'version' in known;
    isFirst = false;
    return work(isKnown ? known : await getCall(table, known.task_id, known.id));
  });
}

/** Writes the changes of a call and its recording since they were read, and returns the call as written. */
export async function writeCall(
  { table }: Pick<CallServices, 'table'>,
  { read, changed }: { readonly read: Call; readonly changed: Call },
  alongside: readonly TransactionItem[],
  now: Date,
): Promise<Call> {
  const next = versioned(read, changed, now);
  const items = [...replaceCallItems(table, read, next), ...alongside];
  if (items.length === 0) return read;
  await writeTransaction(table, items);
  return next;
}

/** Changes due times and leases of a call or its recording. Returns the call as written; null if it is gone. */
export function changeCall(
  services: Pick<CallServices, 'table' | 'now'>,
  known: KnownCall,
  change: (call: Call, now: Date) => Call,
): Promise<Call | null> {
  return onCall(services, known, async (read) => {
    if (read === null) return null;
    const now = services.now();
    return writeCall(services, { read, changed: change(read, now) }, [], now);
  });
}
