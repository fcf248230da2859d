import * as z from 'zod/mini';

const maxExternalIdCharacters = 255;
const metadataLimits = { keys: 50, keyCharacters: 40, characters: 500 } as const;

/** A client's own ID of what it creates, unique among the patients or tasks of its project. */
export const ExternalId = z.string().check(
  z.minLength(1),
  z.maxLength(maxExternalIdCharacters),
  z.refine(
    (id) => id.trim() === id && !/\p{Cc}/u.test(id),
    'must have no control characters and no leading or trailing space',
  ),
);

const Key = z
  .string()
  .check(
    z.regex(/^[\w.-]+$/, 'must be made of letters, digits, _, . and -'),
    z.maxLength(metadataLimits.keyCharacters),
  );

/** A client's own notes, used by no one else: texts by key. */
export const Metadata = z
  .record(Key, z.string().check(z.maxLength(metadataLimits.characters)))
  .check(
    z.refine(
      (metadata) => Object.keys(metadata).length <= metadataLimits.keys,
      `must have at most ${metadataLimits.keys} keys`,
    ),
  );

/** What clients may attach to patients and tasks for themselves. The voice agent does not see it. */
export const clientData = { external_id: z.optional(ExternalId), metadata: z.optional(Metadata) };

/** The stored form. */
export const keptClientData = {
  external_id: z.optional(z.string()),
  metadata: z.optional(Metadata),
};
