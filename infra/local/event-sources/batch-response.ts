import * as z from 'zod/mini';

const responseSchema = z.nullish(
  z.object({
    batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))),
  }),
);

/**
 * The failed items of a batch by the function's response: none if it is empty, all if it is malformed or names an
 * unknown item.
 */
export function failedItems(
  payload: unknown,
  itemIdentifiers: readonly string[],
  reportsItemFailures: boolean,
): readonly string[] {
  if (!reportsItemFailures) return [];
  const parsed = responseSchema.safeParse(payload);
  if (!parsed.success) return itemIdentifiers;
  const failed = (parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((identifier) => itemIdentifiers.includes(identifier)) ? failed : itemIdentifiers;
}
