import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Task } from '#shared/domain/task.ts';
import { batchGet } from './batch-get.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';
import type { TransactionItem } from './transaction.ts';
import { itemDelete, itemPut, when } from './transaction-items.ts';

/** The patient or task of a project with a client's external ID. */
export interface ExternalName {
  readonly projectId: string;
  readonly kind: 'PATIENT' | 'TASK';
  readonly externalId: string;
}

type Named = Pick<Task, 'project_id' | 'external_id'>;

/** A patient by the client's own identifier; null without one. */
export function patientName(patient: Named): ExternalName | null {
  return nameOf('PATIENT', patient);
}

/** A task by the client's own identifier; null without one. */
export function taskName(task: Named): ExternalName | null {
  return nameOf('TASK', task);
}

function nameOf(kind: ExternalName['kind'], { project_id, external_id }: Named): ExternalName | null {
  return external_id === undefined ? null : { projectId: project_id, kind, externalId: external_id };
}

/** Hashed, because clients choose length and characters. */
function externalIdKey({ projectId, kind, externalId }: ExternalName): PrimaryKey {
  const hash = createHash('sha256').update(externalId).digest('base64url');
  return { pk: `EXTERNAL#${projectId}#${kind}#${hash}`, sk: 'EXTERNAL' };
}

/** Requires that the external ID is unused, or used only by `id` or `gone`. */
export function putExternalIdItem(
  table: Table,
  name: ExternalName,
  id: string,
  gone: string | null = null,
): TransactionItem {
  return itemPut(
    table,
    { ...externalIdKey(name), type: 'external-id', project_id: name.projectId, owner_id: id },
    when('attribute_not_exists(pk) OR owner_id IN (:id, :gone)', { id, gone: gone ?? id }),
  );
}

/** Items to delete with the owner of an external ID: the ID's item, if it has one. */
export function deleteNameItems(table: Table, name: ExternalName | null, id: string): TransactionItem[] {
  if (name === null) return [];
  return [itemDelete(table, externalIdKey(name), when('attribute_not_exists(pk) OR owner_id = :id', { id }))];
}

/** The owner of the external ID; strongly consistent. */
export async function findExternalId(table: Table, name: ExternalName): Promise<string | null> {
  return getItem(
    table,
    externalIdKey(name),
    (item) => z.object({ owner_id: z.string() }).parse(item).owner_id,
  );
}

/** The owners of these external IDs; strongly consistent. */
export async function findExternalIds(
  table: Table,
  names: readonly ExternalName[],
): Promise<Map<string, string>> {
  const byKey = new Map(names.map((name) => [externalIdKey(name).pk, name]));
  const keys = [...byKey.values()].map(externalIdKey);
  const items = await batchGet(table, keys, { attributes: ['pk', 'owner_id'], consistently: true });
  return new Map(
    items.flatMap(({ pk, owner_id }) => {
      const name = byKey.get(String(pk));
      return name === undefined ? [] : [[name.externalId, String(owner_id)] as const];
    }),
  );
}
