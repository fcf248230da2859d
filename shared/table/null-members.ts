import * as z from 'zod/mini';

/** An item without null members, whose names alone can add a billed kilobyte. */
export function withoutNulls(item: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}

/** Null for each nullable member: the defaults that `withoutNulls` drops, to spread before the stored members. */
export function nullsOf(schema: z.ZodMiniObject): Record<string, null> {
  return Object.fromEntries(
    Object.entries(schema.shape)
      .filter(([, member]) => z.safeParse(member, null).success)
      .map(([name]) => [name, null]),
  );
}
