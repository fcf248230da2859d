import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

export const SandboxRecording = z.object({
  sid: z.string(),
  type: z.literal('recording'),
  account_sid: z.string(),
  call_sid: z.string(),
  status: z.enum(['in-progress', 'completed', 'absent', 'deleted']),
  channels: z.int(),
  track: z.string(),
  source: z.string(),
  start_time: z.string(),
  duration_seconds: z.nullable(z.int()),
  error_code: z.nullable(z.int()),
  /**
   * Objects in the sandbox's bucket. A recording made with one channel has no file with two; one made with two has a
   * file with one only after that was fetched.
   */
  dual_key: z.nullable(z.string()),
  mono_key: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type SandboxRecording = z.infer<typeof SandboxRecording>;

/** Of a call's recordings in the order in which they begin, so that they are found without a search. */
export function recordingSid(callSid: string, position: number): string {
  const hash = createHash('sha256').update(`${callSid} ${position}`).digest('hex');
  return `RE${hash.slice(0, 32)}`;
}

/** The object key of a recording's audio with that many channels. */
export function soundKey(recordingSid: string, channels: 1 | 2): string {
  return `recordings/${recordingSid}${channels === 1 ? '.mono' : ''}.wav`;
}
