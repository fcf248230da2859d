import { firstIdAt } from '#shared/domain/identifiers.ts';
import type { ItemCondition, PageRequest } from './newest-first.ts';
import { sealSearched } from './to-seal.ts';

/** Filters of patients or tasks, without those for tasks only; absent ones match all. Times are in UTC. */
export interface RecordFilter {
  /** Created at this time or later. */
  readonly createdAfter?: string;
  /** Created earlier than this. */
  readonly createdBefore?: string;
  /** Changed later than this. */
  readonly updatedAfter?: string;
  readonly phoneNumber?: string;
  /** Selects one by external ID. */
  readonly id?: string;
  readonly needsReview?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The range of an index sorted by IDs, which begin with their creation time. */
export function rangeOf(
  { createdAfter, createdBefore, id }: RecordFilter,
  { limit, before }: PageRequest,
): PageRequest {
  const ends = [
    ...(createdAfter === undefined ? [] : [justBefore(firstId(createdAfter))]),
    ...(id === undefined ? [] : [justBefore(id)]),
  ];
  const beginnings = [
    ...(before === null ? [] : [before]),
    ...(createdBefore === undefined ? [] : [firstId(createdBefore)]),
    ...(id === undefined ? [] : [justBehind(id)]),
  ];
  return { limit, before: beginnings.sort()[0] ?? null, until: ends.sort().at(-1) ?? null };
}

function firstId(time: string): string {
  return firstIdAt(new Date(time));
}

/** Sorts after the ID, and before the next one. */
function justBehind(id: string): string {
  return `${id}~`;
}

/** Sorts before the ID, and after all that differ in more than the last digit. */
function justBefore(id: string): string {
  return id.slice(0, -1);
}

/** Of a project's patients or tasks, without that of metadata, which no index has. */
export function conditionsOf(projectId: string, filter: RecordFilter): ItemCondition[] {
  const { updatedAfter, phoneNumber, needsReview } = filter;
  return [
    ...(updatedAfter === undefined
      ? []
      : [{ attribute: 'updated_at', comparison: 'above', value: updatedAfter } as const]),
    ...(phoneNumber === undefined
      ? []
      : [
          {
            attribute: 'phone_number',
            value: sealSearched(projectId, 'phone_number', phoneNumber),
          },
        ]),
    ...(needsReview === undefined
      ? []
      : [{ attribute: 'needs_review', comparison: needsReview ? 'equal' : 'unequal', value: true } as const]),
  ];
}
