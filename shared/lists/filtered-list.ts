import type { Table } from '#shared/table/client.ts';
import { type ExternalName, findExternalId } from '#shared/table/external-id.ts';
import type { RecordFilter } from '#shared/table/record-filter.ts';
import type { ListIdentity } from './list-cursor.ts';

/** List filters that patients and tasks share. */
export interface ListFilter extends RecordFilter {
  readonly externalId?: string;
}

/** The filter with the internal ID of an external one; null if there is none. */
export async function resolveFilter(
  table: Table,
  { projectId, kind }: Pick<ExternalName, 'projectId' | 'kind'>,
  { externalId, ...filter }: ListFilter,
): Promise<RecordFilter | null> {
  if (externalId === undefined) return filter;
  const id = await findExternalId(table, { projectId, kind, externalId });
  return id === null ? null : { ...filter, id };
}

/** Ties a cursor to its filter. */
export function identityOf({
  createdAfter,
  createdBefore,
  updatedAfter,
  phoneNumber,
  externalId,
  needsReview,
  metadata,
}: ListFilter): ListIdentity {
  const given = { createdAfter, createdBefore, updatedAfter, phoneNumber, externalId, needsReview, metadata };
  const isAny = Object.values(given).some((value) => value !== undefined);
  return isAny ? [JSON.stringify(given)] : [];
}
