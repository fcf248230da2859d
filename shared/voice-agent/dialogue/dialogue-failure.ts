import * as z from 'zod/mini';

/**
 * Why a dialogue model that depends on others could not take its turn. Goes to the log, so it tells nothing
 * of the call.
 * - `too-slow`: nothing to hear from it within the time that somebody waits
 * - `stalled`: it began and then fell silent
 * - `access-denied`: the account may not use the model
 * - `invalid-request`: the service did not accept our request
 * - `broken-stream`: the stream ended in the middle
 * - `too-long`: it used up its tokens in the middle of a sentence
 * - `no-words`: it neither spoke nor did anything
 * - `unknown-number`: it was about to say a number that nobody gave it
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
  'unknown-number',
  'unexpected',
]);
export type FailureReason = z.infer<typeof FailureReason>;

/** Thrown by a dialogue model whose turn another one should take. */
export class DialogueFailure extends Error {
  override readonly name = 'DialogueFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`the dialogue model failed: ${reason}`, options);
    this.reason = reason;
  }
}

/** Why a model failed; by its shape, because a model that is loaded later brings a copy of the class of its own. */
export function failureReasonOf(error: unknown): FailureReason {
  const shape = z.object({ name: z.literal('DialogueFailure'), reason: FailureReason }).safeParse(error);
  return shape.success ? shape.data.reason : 'unexpected';
}

/** The name of the error behind a failure: names tell nothing of the call, messages may. */
export function failureCauseOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return error.cause instanceof Error ? error.cause.name : error.name;
}
