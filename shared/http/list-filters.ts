import * as z from 'zod/mini';
import { ExternalId } from '#shared/domain/client-data.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { GivenTime, PhoneNumber } from '#shared/domain/values.ts';
import type { ListFilter } from '#shared/lists/filtered-list.ts';
import type { RawRequest } from '#shared/triggers/http.ts';
import { readFlag, readText } from './parameters.ts';
import { validate } from './validate.ts';

type Query = Pick<RawRequest, 'query'>;

/** Reads the filters of patient and task lists. Throws `invalid_request`. */
export function readListFilter(request: Query): ListFilter {
  const [createdAfter, createdBefore, updatedAfter] = times.map((name) => readTime(request, name));
  const phoneNumber = read(request, 'phone_number', PhoneNumber);
  const externalId = read(request, 'external_id', ExternalId);
  const metadata = readMetadata(request);
  return {
    ...(createdAfter === undefined ? {} : { createdAfter }),
    ...(createdBefore === undefined ? {} : { createdBefore }),
    ...(updatedAfter === undefined ? {} : { updatedAfter }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

const times = ['created_after', 'created_before', 'updated_after'];

/** Whether to list only tasks whose answers need review, or only others; absent for both. */
export function readReviewFilter(request: Query): Pick<ListFilter, 'needsReview'> {
  return request.query.has('needs_review') ? { needsReview: readFlag(request, 'needs_review') } : {};
}

/** The filters by their query names. */
export function listFilterQuery(filter: ListFilter): Record<string, string | null> {
  return {
    created_after: filter.createdAfter ?? null,
    created_before: filter.createdBefore ?? null,
    updated_after: filter.updatedAfter ?? null,
    phone_number: filter.phoneNumber ?? null,
    external_id: filter.externalId ?? null,
    needs_review: filter.needsReview === undefined ? null : String(filter.needsReview),
    ...Object.fromEntries(
      Object.entries(filter.metadata ?? {}).map(([key, value]) => [`metadata[${key}]`, value]),
    ),
  };
}

function read(request: Query, name: string, schema: z.ZodMiniType<string>): string | undefined {
  const text = readText(request, name);
  if (text === null) return undefined;
  // As an optional member, so that an empty text is invalid rather than missing.
  return validate(z.object({ [name]: z.optional(schema) }), { [name]: text })[name];
}

/** A date alone means its first moment in UTC. */
function readTime(request: Query, name: string): string | undefined {
  const text = readText(request, name);
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')
    ? read({ query: new URLSearchParams({ [name]: `${text}T00:00:00Z` }) }, name, GivenTime)
    : read(request, name, GivenTime);
}

const metadataName = /^metadata\[([\w.-]{1,40})\]$/;
const maxMetadataFilters = 5;

function readMetadata(request: Query): Record<string, string> {
  const names = [...new Set(request.query.keys())].filter((name) => name.startsWith('metadata'));
  if (names.length > maxMetadataFilters) {
    throw invalidField('metadata', `metadata must be filtered by at most ${maxMetadataFilters} keys`);
  }
  return Object.fromEntries(
    names.map((name) => {
      const [, key] = metadataName.exec(name) ?? [];
      if (key === undefined)
        throw invalidField('metadata', 'metadata must be filtered as in metadata[clinic]=north');
      return [key, readText(request, name) ?? ''];
    }),
  );
}
