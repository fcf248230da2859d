import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';

/**
 * How a conversation ended.
 * - `finished`: everything on the plan was asked
 * - `declined`: the other side said that it cannot or will not do it
 * - `refused`: they refuse to speak with us
 * - `opted-out`: they do not want to be called again
 * - `wrong-number`: the number belongs to someone else
 * - `call-again`: they asked to be called at another time, or had no time
 * - `voicemail`: a machine that takes messages
 * - `no-speech`: the line was open but silent
 * - `gave-up`: no progress within the limits
 * - `hung-up`: not by us; the person hung up or the connection dropped
 */
export const CallEnding = z.enum([
  'finished',
  'declined',
  'refused',
  'opted-out',
  'wrong-number',
  'call-again',
  'voicemail',
  'no-speech',
  'gave-up',
  'hung-up',
]);
export type CallEnding = z.infer<typeof CallEnding>;

/** Endings of calls that reached no person. */
export const endingsWithoutPerson: readonly CallEnding[] = ['voicemail', 'no-speech'];

/** Whether the call reached a person; results older than endings count as conversations. */
export function isWithPerson({ ending }: { readonly ending?: CallEnding | null | undefined }): boolean {
  return !endingsWithoutPerson.some((without) => without === ending);
}

/**
 * The call whose transcript `turn` refers to. Only in a task's result, for content from an earlier call than its last;
 * everything else is from the result's own call.
 */
const callId = z.optional(Uuid);

/** An obstacle to the goal in this call, in the other side's words. */
export const ObstacleReason = z.enum([
  'needs_referral',
  'portal_only',
  'needs_member',
  'member_not_found',
  'not_accepting',
  'no_availability',
  'waitlisted',
  'wrong_department',
  'withheld',
  'no_ai',
  'call_back_at',
  'not_verified',
]);
export type ObstacleReason = z.infer<typeof ObstacleReason>;

export const Obstacle = z.object({
  reason: ObstacleReason,
  /** Words of the person called, verbatim from the transcript. */
  quote: z.string(),
  /** Zero-based transcript position of the quoted turn. */
  turn: z.int(),
  /** When they asked to be called, ISO 8601 in their local time: a day, or a day with a time. */
  call_back_at: z.nullable(z.string()),
  call_id: callId,
});
export type Obstacle = z.infer<typeof Obstacle>;

/** The answer to one question of the call plan, with its evidence. */
export const CallAnswer = z.object({
  /** Stable name within the plan, such as `appointment_time`, `copay` or `question_0`. */
  key: z.string(),
  question: z.string(),
  /** Readable answer; null when the question stayed unanswered. An answer without a quote is no answer. */
  answer: z.nullable(z.string()),
  /** Machine-readable value, for questions that have one: ISO date-time, amount, boolean, identifier. */
  value: z.nullable(z.union([z.string(), z.number(), z.boolean()])),
  /** Words of the person called that support the answer, verbatim from the transcript. */
  quote: z.nullable(z.string()),
  /** Zero-based transcript position of the quoted turn. */
  turn: z.nullable(z.int()),
  /** The words are ambiguous, or a second reading of the transcript disagrees: a person should listen. */
  needs_review: z._default(z.boolean(), false),
  call_id: callId,
});
export type CallAnswer = z.infer<typeof CallAnswer>;

/** A fact about the patient that was spoken, and at which turn: the record of minimum necessary disclosure. */
export const Disclosure = z.object({ field: z.string(), turn: z.int(), call_id: callId });
export type Disclosure = z.infer<typeof Disclosure>;

/** The structured result of a conversation, or of a task from all its conversations (`include_result=true`). */
export const CallResult = z.object({
  goal_reached: z.boolean(),
  /** True when the other side gave a definite answer that ends the task, even a negative one. */
  definite: z.boolean(),
  answers: z.array(CallAnswer),
  /** Absent in results from before this was stored. */
  ending: z._default(z.nullable(CallEnding), null),
  /** The obstacle, if the goal was not reached. */
  obstacle: z._default(z.nullable(Obstacle), null),
  reference_number: z.nullable(z.string()),
  person_name: z.nullable(z.string()),
  follow_up: z.nullable(z.string()),
  disclosures: z.array(Disclosure),
  /** One readable paragraph; becomes `call_outcome`. */
  summary: z.string(),
});
export type CallResult = z.infer<typeof CallResult>;
