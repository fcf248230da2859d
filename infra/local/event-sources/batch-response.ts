import * as z from 'zod/mini';

const responseSchema = z.nullish(
  z.object({
    batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))),
  }),
);

/**
 * Which items of a batch have failed by the function's own account: none when it says nothing, and all of them when
 * what it says is malformed or names an item that was not in the batch.
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
