import * as z from 'zod/mini';

/** Frames that the application may send over the relay; unknown members are ignored, wrong types are not. */
const ApplicationFrame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    token: z.string(),
    last: z.optional(z.boolean()),
    lang: z.optional(z.string()),
    interruptible: z.optional(z.boolean()),
    preemptible: z.optional(z.boolean()),
  }),
  z.object({
    type: z.literal('play'),
    source: z.string().check(z.regex(/^https?:\/\/\S+$/)),
    loop: z.optional(z.int()),
    interruptible: z.optional(z.boolean()),
    preemptible: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal('sendDigits'), digits: z.string().check(z.regex(/^[0-9w#*]+$/)) }),
  z
    .object({
      type: z.literal('language'),
      ttsLanguage: z.optional(z.string()),
      transcriptionLanguage: z.optional(z.string()),
    })
    .check(z.refine((frame) => (frame.ttsLanguage ?? frame.transcriptionLanguage) !== undefined)),
  z.object({ type: z.literal('end'), handoffData: z.optional(z.string()) }),
]);
type ApplicationFrame = z.infer<typeof ApplicationFrame>;

/** A frame that API Gateway itself puts on a socket when a route fails. */
const GatewayErrorFrame = z.looseObject({ connectionId: z.string(), requestId: z.string() });

export type ReadFrame =
  | { readonly kind: 'frame'; readonly frame: ApplicationFrame }
  | { readonly kind: 'malformed'; readonly isGatewayError: boolean };

export function readFrame(text: string): ReadFrame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'malformed', isGatewayError: false };
  }
  const frame = ApplicationFrame.safeParse(value);
  if (frame.success) return { kind: 'frame', frame: frame.data };
  return { kind: 'malformed', isGatewayError: GatewayErrorFrame.safeParse(value).success };
}
