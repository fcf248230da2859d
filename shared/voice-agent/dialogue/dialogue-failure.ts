import * as z from 'zod/mini';

/**
 * Why a dialogue model with external dependencies could not take its turn. Logged, so it reveals nothing
 * about the call.
 * - `too-slow`: no output within the person's patience
 * - `stalled`: it began and then fell silent
 * - `access-denied`: the account may not use the model
 * - `invalid-request`: the service did not accept our request
 * - `broken-stream`: the stream ended early
 * - `too-long`: it ran out of tokens in mid-sentence
 * - `no-words`: it neither spoke nor acted
 */
const FailureReason = z.enum([
  'too-slow',
  'stalled',
  'throttled',
  'unavailable',
  'access-denied',
  'invalid-request',
  'broken-stream',
  'malformed-output',
  'content-filtered',
  'too-long',
  'no-words',
  'unexpected',
]);
export type FailureReason = z.infer<typeof FailureReason>;

/** Thrown by a dialogue model so that another takes the turn. */
export class DialogueFailure extends Error {
  override readonly name = 'DialogueFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`the dialogue model failed: ${reason}`, options);
    this.reason = reason;
  }
}

/** Why a model failed; recognized by shape, because a lazily loaded model has its own copy of the class. */
export function failureReasonOf(error: unknown): FailureReason {
  const shape = z.object({ name: z.literal('DialogueFailure'), reason: FailureReason }).safeParse(error);
  return shape.success ? shape.data.reason : 'unexpected';
}

/** The name of the underlying error: names reveal nothing about the call, messages may. */
export function failureCauseOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return error.cause instanceof Error ? error.cause.name : error.name;
}
