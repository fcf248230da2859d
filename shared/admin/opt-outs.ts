import * as z from 'zod/mini';
import type { AuditAction } from '#shared/domain/audit-entry.ts';
import { OptOut } from '#shared/domain/opt-out.ts';
import { PhoneNumber } from '#shared/domain/values.ts';
import {
  addOptOut,
  confirmOptOut,
  liftOptOut,
  numbersOfCsv,
  type OptOutChange,
} from '#shared/opt-outs/change-opt-outs.ts';
import type { Table } from '#shared/table/client.ts';
import { findActiveOptOut, listOptOuts } from '#shared/table/opt-out.ts';
import { auditItem } from './audit.ts';
import type { ProjectAccess } from './authorize-project.ts';

/** Why a list is changed; stored with the entry. */
const Reason = z.string().check(z.minLength(1), z.maxLength(500));

export const OptOutDecision = z.object({ reason: Reason });
export const NewOptOut = z.object({ phone_number: PhoneNumber, reason: Reason });
/** Numbers in the first column; at most what one request can carry. */
export const OptOutImport = z.object({ csv: z.string().check(z.maxLength(200_000)), reason: Reason });

export const OptOutEntries = z.object({ opt_outs: z.array(OptOut) });
export const OptOutsAdded = z.object({ added: z.int(), already: z.int() });

/** The project's do-not-call list, by number, including lifted entries. */
export async function readOptOuts(
  table: Table,
  { project }: ProjectAccess,
): Promise<z.infer<typeof OptOutEntries>> {
  return { opt_outs: await listOptOuts(table, project.id) };
}

/** Why the dashboard offers no call to a number. */
export const onDoNotCallList = 'is on the Do Not Call list; lift it there to call it';

/**
 * Whether the project's own list forbids calls to the number. Does not ask the operator's list, which nobody may probe
 * for the numbers of others.
 */
export async function isOptedOut(
  table: Table,
  { project }: ProjectAccess,
  phoneNumber: string,
): Promise<boolean> {
  return (await findActiveOptOut(table, [project.id], phoneNumber)) !== null;
}

/** All numbers that the project's own list forbids to call. */
export async function readOptedOut(table: Table, access: ProjectAccess): Promise<ReadonlySet<string>> {
  const { opt_outs } = await readOptOuts(table, access);
  return new Set(opt_outs.flatMap(({ status, phone_number }) => (status === 'active' ? [phone_number] : [])));
}

/** Adds a number to the list. */
export async function addOptOutOf(
  table: Table,
  access: ProjectAccess,
  { phone_number, reason }: z.infer<typeof NewOptOut>,
): Promise<z.infer<typeof OptOutsAdded>> {
  const isAdded = await addOptOut(table, phone_number, 'person', changeOf(table, access, reason, 'added'));
  return { added: isAdded ? 1 : 0, already: isAdded ? 0 : 1 };
}

/** Adds the numbers of a CSV file. Throws `invalid_request` for a line without a number, and then adds none. */
export async function importOptOuts(
  table: Table,
  access: ProjectAccess,
  { csv, reason }: z.infer<typeof OptOutImport>,
): Promise<z.infer<typeof OptOutsAdded>> {
  const numbers = numbersOfCsv(csv);
  let added = 0;
  for (let start = 0; start < numbers.length; start += numbersAtOnce) {
    const outcomes = await Promise.all(
      numbers
        .slice(start, start + numbersAtOnce)
        .map((number) => addOptOut(table, number, 'import', changeOf(table, access, reason, 'added'))),
    );
    added += outcomes.filter((isAdded) => isAdded).length;
  }
  return { added, already: numbers.length - added };
}

const numbersAtOnce = 25;

/** Confirms an opt-out from a shared line. Throws `not_found` when none is waiting for review. */
export function confirmOptOutOf(
  table: Table,
  access: ProjectAccess,
  phoneNumber: string,
  { reason }: z.infer<typeof OptOutDecision>,
): Promise<OptOut> {
  return confirmOptOut(table, phoneNumber, changeOf(table, access, reason, 'confirmed'));
}

/** Lets this project call a number again. Throws `not_found` when it is not on the list. */
export function liftOptOutOf(
  table: Table,
  access: ProjectAccess,
  phoneNumber: string,
  { reason }: z.infer<typeof OptOutDecision>,
): Promise<OptOut> {
  return liftOptOut(table, phoneNumber, changeOf(table, access, reason, 'lifted'));
}

function changeOf(
  table: Table,
  access: ProjectAccess,
  reason: string,
  what: 'added' | 'confirmed' | 'lifted',
): OptOutChange {
  const list = access.project.id;
  const action: AuditAction = `opt-out.${what}`;
  return {
    list,
    by: access.caller.person.email,
    reason,
    // Does not name the number, which may be a patient's own. The list has it, with who, when and why.
    alongside: () => [auditItem(table, access, { action, target: { type: 'project', id: list } })],
  };
}
