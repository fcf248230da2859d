import * as z from 'zod/mini';

/**
 * An item without members that are null: their names alone can make it a kilobyte larger, by which writes are billed.
 */
export function withoutNulls(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

/** Null for each member that may be null: what `withoutNulls` leaves out, to be spread before the stored ones. */
export function nullsOf(schema: z.ZodMiniObject): Record<string, null> {
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(([, member]) => z.safeParse(member, null).success)
      .map(([name]) => [name, null]),
  );
}
