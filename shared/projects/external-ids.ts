import { ServiceError } from '#shared/domain/errors.ts';
import type { Table } from '#shared/table/client.ts';
import { type ExternalName, findExternalId, putExternalIdItem } from '#shared/table/external-id.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getTask } from '#shared/table/task.ts';
import { refusedAs, type TransactionItem } from '#shared/table/transaction.ts';

/** The external ID belonged to something else at the time of the write. */
class NameTaken extends Error {}

/**
 * Writes an item together with its external ID. Throws `external_id_taken` with the current owner. IDs of deleted items
 * can be reused.
 *
 * @param name null without an external ID
 * @param write the transaction that the external ID's item becomes part of
 */
export async function writeNamed(
  table: Table,
  name: ExternalName | null,
  id: string,
  write: (items: readonly TransactionItem[]) => Promise<void>,
): Promise<void> {
  if (name === null) return write([]);
  const claim = (gone: string | null): Promise<void> =>
    write([refusedAs(putExternalIdItem(table, name, id, gone), () => new NameTaken())]);
  try {
    await claim(null);
  } catch (error) {
    if (!(error instanceof NameTaken)) throw error;
    await claim(await checkNameFree(table, name)).catch((again: unknown) => {
      throw again instanceof NameTaken
        ? new ServiceError('conflict', 'external_id is being assigned; try again')
        : again;
    });
  }
}

/** Who last had the external ID; null when it is new. Throws `external_id_taken` while it is in use. */
export async function checkNameFree(table: Table, name: ExternalName): Promise<string | null> {
  const owner = await findExternalId(table, name);
  if (owner !== null && (await isThere(table, name, owner))) throw nameTaken(name, owner);
  return owner;
}

async function isThere(table: Table, { kind }: ExternalName, id: string): Promise<boolean> {
  return (await (kind === 'PATIENT' ? getPatient(table, id) : getTask(table, id))) !== null;
}

/** The refusal of an external ID in use. */
export function nameTaken({ kind }: Pick<ExternalName, 'kind'>, owner: string): ServiceError {
  const message = `external_id belongs to ${kind.toLowerCase()} ${owner} already`;
  return new ServiceError('external_id_taken', message, {
    fields: [{ path: 'external_id', code: 'not_allowed', message }],
  });
}
