import * as z from 'zod/mini';

/** What a function is invoked with only to be started. */
export const WarmUp = z.strictObject({ warm_up: z.literal(true) });
export type WarmUp = z.infer<typeof WarmUp>;
