import * as z from 'zod/mini';

/** The event of an invocation that only starts a function. */
export const WarmUp = z.strictObject({ warm_up: z.literal(true) });
export type WarmUp = z.infer<typeof WarmUp>;
