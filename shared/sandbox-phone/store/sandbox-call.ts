import * as z from 'zod/mini';
import { amdVerdicts, callDirections, callStatuses, statusEvents } from '../wire.ts';

/** What a person said, from the start of the recording (or of the call, without a recording). */
export const SpokenLine = z.object({
  speaker: z.enum(['person', 'agent']),
  text: z.string(),
  start_ms: z.int(),
  end_ms: z.int(),
});
export type SpokenLine = z.infer<typeof SpokenLine>;

/** Who answered, and what they knew and told, for comparison with the caller's report. */
export const CalledPerson = z.object({
  id: z.string(),
  seed: z.string(),
  knows: z.record(
    z.string(),
    z.object({ type: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }),
  ),
  told: z.array(z.string()),
  booked: z.nullable(z.object({ moment: z.string(), with: z.string() })),
  /** What was heard and said on the line, in order (`person/person-state.ts`). */
  exchanges: z._default(
    z.array(
      z.object({
        stage: z.string(),
        isHuman: z.boolean(),
        heard: z.nullable(z.string()),
        wasCut: z.boolean(),
        says: z.array(z.string()),
        about: z.array(z.string()),
      }),
    ),
    [],
  ),
});
export type CalledPerson = z.infer<typeof CalledPerson>;

/** Answering-machine detection beside the conversation, as the create request asked for it. */
export const MachineDetection = z.object({
  /** Receives the verdict; without one it is only on the call. */
  callback: z.nullable(z.string()),
  callback_method: z.enum(['GET', 'POST']),
  /** Natural milliseconds: no verdict by then is `unknown`, and so is nothing but silence for so long. */
  timeout_ms: z.int(),
  silence_timeout_ms: z.int(),
});
export type MachineDetection = z.infer<typeof MachineDetection>;

export const SandboxCall = z.object({
  sid: z.string(),
  type: z.literal('call'),
  account_sid: z.string(),
  to: z.string(),
  from: z.string(),
  /** Of a forwarded call: the original call. */
  parent_sid: z._default(z.nullable(z.string()), null),
  direction: z._default(z.enum(callDirections), 'outbound-api'),
  status: z.enum(callStatuses),
  /** Answer document, or where it is fetched. */
  url: z.nullable(z.string()),
  url_method: z.enum(['GET', 'POST']),
  fallback_url: z.nullable(z.string()),
  twiml: z.nullable(z.string()),
  status_callback: z.nullable(z.string()),
  status_callback_method: z.enum(['GET', 'POST']),
  status_callback_events: z.array(z.enum(statusEvents)),
  machine_detection: z._default(z.nullable(MachineDetection), null),
  /** The verdict of detection; null without one. */
  answered_by: z._default(z.nullable(z.enum(amdVerdicts)), null),
  ring_timeout_seconds: z.int(),
  time_limit_seconds: z.int(),
  /** How long the call had to wait for its turn at creation, at the account's calls per second. */
  queue_ms: z._default(z.int(), 0),
  /** Set by the REST API; the line obeys it between two turns. */
  end_requested: z.nullable(z.enum(['completed', 'canceled'])),
  /** When the function that plays this call was last alive; null while it waits in the queue. */
  line_seen_at: z.nullable(z.string()),
  /** Whether the final status callback went out. */
  is_final_reported: z.boolean(),
  start_time: z.nullable(z.string()),
  end_time: z.nullable(z.string()),
  duration_seconds: z.nullable(z.int()),
  sip_response_code: z.nullable(z.int()),
  /** Why a call failed, in fixed words. */
  failure: z.nullable(z.string()),
  person: z.nullable(CalledPerson),
  transcript: z.array(SpokenLine),
  /**
   * Real milliseconds from sending a prompt to the first text, digits or end after it, in order; a prompt without any
   * has none.
   */
  response_times_ms: z._default(z.array(z.number()), []),
  created_at: z.string(),
  updated_at: z.string(),
});
export type SandboxCall = z.infer<typeof SandboxCall>;

/** A line not seen for this long has died: it has missed several heartbeats. */
export const lineLifeMs = 20_000;

export function isAbandoned(call: SandboxCall, nowMs: number): boolean {
  return call.line_seen_at !== null && nowMs - Date.parse(call.line_seen_at) > lineLifeMs;
}

/** Whether a call is not played although its turn has come: its message was lost. */
export function isForgotten(call: SandboxCall, nowMs: number): boolean {
  const turnAtMs = Date.parse(call.created_at) + call.queue_ms;
  return call.status === 'queued' && call.line_seen_at === null && nowMs - turnAtMs > lineLifeMs;
}
