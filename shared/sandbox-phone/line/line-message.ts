import * as z from 'zod/mini';

/** Message of the line queue: one call to be played. */
export const LineMessage = z.object({ call_sid: z.string() });
export type LineMessage = z.infer<typeof LineMessage>;
