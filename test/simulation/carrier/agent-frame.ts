import * as z from 'zod/mini';

/** What the voice agent may send over the relay, as the carrier checks it. */
export const AgentFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), token: z.string(), last: z.optional(z.boolean()) }),
  z.object({ type: z.literal('play'), source: z.string() }),
  z.object({ type: z.literal('sendDigits'), digits: z.string().check(z.regex(/^[0-9w#*]+$/)) }),
  z.object({ type: z.literal('language') }),
  z.object({ type: z.literal('end'), handoffData: z.optional(z.string()) }),
]);
