import * as z from 'zod/mini';
import { parseJson } from './parse-json.ts';

/*
 * The frames of the carrier's ConversationRelay WebSocket, all that it sends and those that we send: one JSON object
 * per text frame, discriminated by `type`. The carrier may add members and types at any time, and send null for what
 * it does not know, so of incoming frames only what we use is read, leniently; it checks outgoing ones (ten
 * unidentifiable frames in a row end the call), so they are parsed strictly. Source: Twilio, "ConversationRelay
 * WebSocket messages".
 */

/** The first frame after the upgrade. `customParameters` are the `<Parameter>` elements of the answer document. */
export const SetupFrame = z.object({
  type: z.literal('setup'),
  callSid: z.string(),
  customParameters: z.nullish(z.record(z.string(), z.string())),
});
export type SetupFrame = z.infer<typeof SetupFrame>;

/** The person's speech. `last` is false only for partial results, which the carrier sends on request. */
export const PromptFrame = z.object({
  type: z.literal('prompt'),
  voicePrompt: z.string(),
  last: z.nullish(z.boolean()),
});
export type PromptFrame = z.infer<typeof PromptFrame>;

/** The person interrupted our speech; the text is what was actually heard of it. */
export const InterruptFrame = z.object({
  type: z.literal('interrupt'),
  utteranceUntilInterrupt: z.nullish(z.string()),
  // Older carrier documents show a string here.
  durationUntilInterruptMs: z.nullish(z.union([z.number(), z.string()])),
});
export type InterruptFrame = z.infer<typeof InterruptFrame>;

/** A key pressed by the person. */
export const DtmfFrame = z.object({
  type: z.literal('dtmf'),
  digit: z.string().check(z.regex(/^[0-9*#A-D]$/)),
});

/** The carrier's error, usually about a frame of ours; the session continues. */
export const ErrorFrame = z.object({ type: z.literal('error') });

/** Playback hints, sent only when the answer document asks for them. */
export const InfoFrame = z.object({ type: z.literal('info') });

export const InboundRelayFrame = z.discriminatedUnion('type', [
  SetupFrame,
  PromptFrame,
  InterruptFrame,
  DtmfFrame,
  ErrorFrame,
  InfoFrame,
]);
export type InboundRelayFrame = z.infer<typeof InboundRelayFrame>;

const inboundTypes: ReadonlySet<string> = new Set(['setup', 'prompt', 'interrupt', 'dtmf', 'error', 'info']);

/** `token` is spoken as it arrives; `last` ends our turn. */
export const TextFrame = z.strictObject({
  type: z.literal('text'),
  token: z.string(),
  last: z.optional(z.boolean()),
  lang: z.optional(z.string()),
  interruptible: z.optional(z.boolean()),
  preemptible: z.optional(z.boolean()),
});

export const SendDigitsFrame = z.strictObject({
  type: z.literal('sendDigits'),
  digits: z.string().check(z.regex(/^[0-9w#*]+$/)),
});

/** Ends the session; the carrier then requests the `<Connect action>` URL with `handoffData`. */
export const EndFrame = z.strictObject({ type: z.literal('end'), handoffData: z.optional(z.string()) });

export const OutboundRelayFrame = z.discriminatedUnion('type', [TextFrame, SendDigitsFrame, EndFrame]);
export type OutboundRelayFrame = z.infer<typeof OutboundRelayFrame>;

export type ParsedRelayFrame =
  | { readonly kind: 'frame'; readonly frame: InboundRelayFrame }
  /** An unknown type, to be ignored. */
  | { readonly kind: 'unknown-type' }
  /** A `setup` with invalid members: no conversation can begin. */
  | { readonly kind: 'invalid-setup' }
  /** Not JSON, or another known type with invalid members; also ignored, so that the call continues. */
  | { readonly kind: 'invalid' };

/** Reads one frame from the carrier; never throws. */
export function parseRelayFrame(body: string): ParsedRelayFrame {
  const json = parseJson(body);
  if (typeof json !== 'object' || json === null || !('type' in json) || typeof json.type !== 'string') {
    return { kind: 'invalid' };
  }
  if (!inboundTypes.has(json.type)) return { kind: 'unknown-type' };
  const result = InboundRelayFrame.safeParse(json);
  if (result.success) return { kind: 'frame', frame: result.data };
  return { kind: json.type === 'setup' ? 'invalid-setup' : 'invalid' };
}

/** Serializes a frame for the carrier. Throws on a frame that it would refuse: that is a bug of ours. */
export function serializeRelayFrame(frame: OutboundRelayFrame): string {
  return JSON.stringify(OutboundRelayFrame.parse(frame));
}

/** Speech synthesis interprets markup (SSML) in a text token, so plain text must not look like it. */
export function escapeSpeech(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The words behind an escaped token: the carrier may report either form as heard. */
export function unescapeSpeech(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
