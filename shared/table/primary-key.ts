import * as z from 'zod/mini';

/** The primary key of an item. */
export const PrimaryKey = z.object({ pk: z.string(), sk: z.string() });
export type PrimaryKey = z.infer<typeof PrimaryKey>;
