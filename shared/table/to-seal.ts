import { pack } from './packed.ts';

/*
 * Marks an item's health information. The table's client, which has the keys, seals it when writing and opens it when
 * reading, so only code that writes items has to know.
 */

/** An attribute to be sealed. */
export class ToSeal {
  readonly projectId: string;
  readonly attribute: string;
  readonly value: unknown;
  readonly isSearchable: boolean;
  readonly #plain: () => unknown;

  constructor(
    projectId: string,
    attribute: string,
    value: unknown,
    {
      plain = () => value,
      isSearchable = false,
    }: { readonly plain?: () => unknown; readonly isSearchable?: boolean } = {},
  ) {
    this.projectId = projectId;
    this.attribute = attribute;
    this.value = value;
    this.#plain = plain;
    this.isSearchable = isSearchable;
  }

  /** As stored in a project without a key, and compared with what an earlier version stored. */
  get plain(): unknown {
    return this.#plain();
  }
}

/** The attribute of the members sealed together; readers find each in its own place. */
export const detailsAttribute = 'details';

/** Seals attributes separately, because an index has them. Null and absent ones stay so. */
export function sealEach(
  projectId: string,
  item: Readonly<Record<string, unknown>>,
  attributes: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    attributes.flatMap((name) => {
      const value = item[name];
      if (value === undefined) return [];
      return [[name, value === null ? null : new ToSeal(projectId, name, value)]];
    }),
  );
}

/** Seals these members of the item together. */
export function sealTogether(
  projectId: string,
  item: Readonly<Record<string, unknown>>,
  members: readonly string[],
): Record<string, unknown> {
  const entries = Object.entries(item);
  const isMember = ([name]: readonly [string, unknown]): boolean => members.includes(name);
  const details = Object.fromEntries(entries.filter((entry) => isMember(entry) && entry[1] !== undefined));
  return {
    ...Object.fromEntries(entries.filter((entry) => !isMember(entry))),
    [detailsAttribute]: new ToSeal(projectId, detailsAttribute, details),
  };
}

/** The attribute sealed in part: what the index of rows has of an item. */
const listedAttribute = 'listed';
/** The attribute of which each member is sealed. */
export const metadataAttribute = 'metadata';
export const partlySealed: readonly string[] = [listedAttribute, metadataAttribute];

/** What the index of rows has: `open` stays readable, the rest is sealed. */
export function sealListed(
  projectId: string,
  listed: Readonly<Record<string, unknown>>,
  open: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const attribute = `${listedAttribute}.${detailsAttribute}`;
  return { ...open, [detailsAttribute]: new ToSeal(projectId, attribute, listed) };
}

/** Clients' own names and values, for filtering lists. */
export function sealClientData(
  projectId: string,
  {
    external_id,
    metadata,
  }: { external_id?: string | undefined; metadata?: Record<string, string> | undefined },
): Record<string, unknown> {
  return {
    ...(external_id === undefined
      ? {}
      : { external_id: sealSearched(projectId, 'external_id', external_id) }),
    ...(metadata === undefined
      ? {}
      : {
          metadata: Object.fromEntries(
            Object.entries(metadata).map(([key, value]) => [
              key,
              sealSearched(projectId, `${metadataAttribute}.${key}`, value),
            ]),
          ),
        }),
  };
}

/** An attribute as its readers find it. */
export function asRead(stored: unknown): unknown {
  if (stored instanceof ToSeal) return stored.value;
  if (typeof stored !== 'object' || stored === null || !(detailsAttribute in stored)) return stored;
  const { [detailsAttribute]: details, ...open } = stored;
  return details instanceof ToSeal ? { ...open, ...Object(details.value) } : stored;
}

/** A value that is at least deflated. */
export function sealPacked(projectId: string, attribute: string, value: unknown): ToSeal {
  return new ToSeal(projectId, attribute, value, { plain: () => pack(value) });
}

/** A value by which lists are filtered. */
export function sealSearched(projectId: string, attribute: string, value: unknown): ToSeal {
  return new ToSeal(projectId, attribute, value, { isSearchable: true });
}
