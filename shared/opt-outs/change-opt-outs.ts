import { ServiceError } from '#shared/domain/errors.ts';
import type { OptOut, OptOutInput, OptOutList } from '#shared/domain/opt-out.ts';
import { operatorList } from '#shared/domain/opt-out.ts';
import { phoneNumberPattern } from '#shared/domain/values.ts';
import type { Table } from '#shared/table/client.ts';
import { addOptOutItem, decideOptOutItem, getOptOut } from '#shared/table/opt-out.ts';
import {
  type Alongside,
  nothingAlongside,
  TransactionConditionFailed,
  writeTransaction,
} from '#shared/table/transaction.ts';

/** Who changes a list, and why. */
export interface OptOutChange {
  readonly list: OptOutList;
  readonly by: string;
  readonly reason: string;
  readonly now?: Date;
  readonly alongside?: Alongside<OptOut>;
}

/** Adds a number to a list, or confirms one waiting for review; false if it is already active. */
export async function addOptOut(
  table: Table,
  phoneNumber: string,
  source: 'person' | 'command' | 'import',
  { list, by, reason, now = new Date(), alongside = nothingAlongside }: OptOutChange,
): Promise<boolean> {
  const added = {
    project_id: list === operatorList ? null : list,
    phone_number: phoneNumber,
    call_id: null,
    task_id: null,
    status: 'active',
    source,
    added_by: by,
    reason,
    decision: null,
    created_at: now.toISOString(),
  } as const satisfies OptOutInput;
  try {
    await writeTransaction(table, [addOptOutItem(table, added), ...alongside(added)]);
    return true;
  } catch (error) {
    if (error instanceof TransactionConditionFailed) return false;
    throw error;
  }
}

/** Lifts a number's opt-out on this list. The entry stays, with who lifted it and why. */
export function liftOptOut(table: Table, phoneNumber: string, change: OptOutChange): Promise<OptOut> {
  return decide(table, phoneNumber, 'lifted', change);
}

/** Confirms an opt-out that waits for review. */
export function confirmOptOut(table: Table, phoneNumber: string, change: OptOutChange): Promise<OptOut> {
  return decide(table, phoneNumber, 'active', change);
}

async function decide(
  table: Table,
  phoneNumber: string,
  status: 'active' | 'lifted',
  { list, by, reason, now = new Date(), alongside = nothingAlongside }: OptOutChange,
): Promise<OptOut> {
  const found = await getOptOut(table, list, phoneNumber);
  if (found === null || found.status === 'lifted' || (status === 'active' && found.status === 'active')) {
    throw new ServiceError('not_found', 'Opt-out not found');
  }
  const next: OptOut = { ...found, status, decision: { at: now.toISOString(), by, reason } };
  try {
    await writeTransaction(table, [decideOptOutItem(table, found, next), ...alongside(next)]);
    return next;
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    throw new ServiceError('conflict', 'Someone else changed the opt-out; reload it');
  }
}

/**
 * The numbers of a CSV file: the first column, E.164, with or without a heading. Throws `invalid_request` with the
 * number of an invalid line, without quoting it.
 */
export function numbersOfCsv(csv: string): string[] {
  const numbers = csv.split(/\r?\n/).flatMap((line, index) => {
    const [first = ''] = line.split(/[,;\t]/);
    const text = first
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim();
    if (text === '' || (index === 0 && !/\d/.test(text))) return [];
    if (!phoneNumberPattern.test(text)) {
      throw new ServiceError(
        'invalid_request',
        `Line ${index + 1} must begin with a number such as +12025550142`,
      );
    }
    return [text];
  });
  return [...new Set(numbers)];
}
