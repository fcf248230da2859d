import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { CallResult } from '#shared/domain/call-result.ts';
import { Patient } from '#shared/domain/patient.ts';
import { patientTerms, taskTerms } from '#shared/domain/search-terms.ts';
import { Task } from '#shared/domain/task.ts';
import { keyedHash, type ProjectKey } from '#shared/encryption/project-key.ts';
import { batchGet } from './batch-get.ts';
import { batchWrite } from './batch-write.ts';
import type { Table } from './client.ts';
import { getItem } from './get-item.ts';
import type { PrimaryKey } from './primary-key.ts';

/*
 * The search index: an item for each term of a patient or task. The stream updates it, about a second late.
 */

export type FoundKind = 'patient' | 'task';

type StoredItem = Record<string, unknown>;

/** What the index has for a term, and whether that is all. */
export interface TermMatches {
  /** The newest first. */
  readonly ids: readonly string[];
  readonly isAll: boolean;
}

const Indexed = z.discriminatedUnion('type', [
  z.extend(
    z.pick(Patient, {
      id: true,
      project_id: true,
      first_name: true,
      last_name: true,
      phone_number: true,
      date_of_birth: true,
      external_id: true,
    }),
    { type: z.literal('patient') },
  ),
  z.extend(z.pick(Task, { id: true, project_id: true, task: true, phone_number: true, task_outcome: true }), {
    type: z.literal('task'),
    result: z.nullish(z.pick(CallResult, { reference_number: true })),
  }),
]);

/**
 * Updates the index after a patient or task changed. Idempotent. Does not index other
 * items.
 *
 * @param before unsealed, null for a new item
 * @param after unsealed, null for a deleted item
 * @returns how many items were written or deleted
 */
export async function changeSearchTerms(
  table: Table,
  before: StoredItem | null,
  after: StoredItem | null,
): Promise<number> {
  const [old = [], wanted = []] = await Promise.all(
    [before, after].map((item) => searchTermItems(table, item)),
  );
  const added = without(wanted, old);
  const gone = without(old, wanted);
  await batchWrite(table, { puts: added, deletes: gone });
  return added.length + gone.length;
}

/**
 * Adds missing terms of a stored patient or task, such as one older than the index. Returns whether any were
 * missing.
 *
 * @param isDry checks without writing
 */
export async function addSearchTerms(
  table: Table,
  key: PrimaryKey,
  { isDry }: { readonly isDry: boolean },
): Promise<boolean> {
  const item = await getItem(table, key, (stored) => stored);
  const terms = await searchTermItems(table, item);
  const known = await batchGet(
    table,
    terms.map(({ pk, sk }) => ({ pk, sk })),
    { attributes: ['pk'], consistently: true },
  );
  if (known.length === terms.length) return false;
  if (!isDry) await changeSearchTerms(table, null, item);
  return true;
}

interface SearchTermItem extends PrimaryKey {
  readonly type: 'search-term';
}

/** The index entries of an unsealed item; none for items that are not indexed. */
export async function searchTermItems(table: Table, item: StoredItem | null): Promise<SearchTermItem[]> {
  const parsed = Indexed.safeParse(item);
  if (!parsed.success) return [];
  const { type, id, project_id } = parsed.data;
  const key = await table.projectKey(project_id);
  const sk = termSortKey(type, id);
  return [...termsOf(parsed.data)].map((term) => ({
    pk: termPartition(project_id, key, term),
    sk,
    type: 'search-term',
  }));
}

function without(items: readonly SearchTermItem[], others: readonly SearchTermItem[]): SearchTermItem[] {
  const known = new Set(others.map(({ pk, sk }) => `${pk} ${sk}`));
  return items.filter(({ pk, sk }) => !known.has(`${pk} ${sk}`));
}

function termsOf(indexed: z.infer<typeof Indexed>): Set<string> {
  return indexed.type === 'patient'
    ? patientTerms(indexed)
    : taskTerms({ ...indexed, reference_number: indexed.result?.reference_number ?? null });
}

/** A keyed hash of the term: the table reveals no words. */
function termPartition(projectId: string, key: ProjectKey | null, term: string): string {
  return `TERM#${projectId}#${keyedHash(key, 'term', term)}`;
}

function termSortKey(kind: FoundKind, id: string): string {
  return `${kind.toUpperCase()}#${id}`;
}

/** Entries of a term, as far as one query reads. Eventually consistent. */
export async function findByTerm(
  table: Table,
  projectId: string,
  { kind, term }: { readonly kind: FoundKind; readonly term: string },
  limit: number,
): Promise<TermMatches> {
  const prefix = termSortKey(kind, '');
  const key = await table.projectKey(projectId);
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': termPartition(projectId, key, term), ':prefix': prefix },
      ProjectionExpression: 'sk',
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return {
    ids: Items.map(({ sk }) => String(sk).slice(prefix.length)),
    isAll: LastEvaluatedKey === undefined,
  };
}
