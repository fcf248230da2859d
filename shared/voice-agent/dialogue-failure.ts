/** Why a dialogue model that depends on others could not take its turn. Goes to the log, so it tells nothing of the call. */
export type FailureReason =
  /** Nothing to hear from it within the time that somebody waits. */
  | 'too-slow'
  /** It began and then fell silent. */
  | 'stalled'
  | 'throttled'
  | 'unavailable'
  /** The account may not use the model. */
  | 'access-denied'
  /** The service did not accept our request. */
  | 'invalid-request'
  /** The stream ended in the middle. */
  | 'broken-stream'
  | 'malformed-output'
  | 'content-filtered'
  /** It used up its tokens in the middle of a sentence. */
  | 'too-long'
  /** It neither spoke nor did anything. */
  | 'no-words'
  /** It was about to say a number that nobody gave it. */
  | 'unknown-number'
  | 'unexpected';

/** Thrown by a dialogue model whose turn another one should take. */
export class DialogueFailure extends Error {
  override readonly name = 'DialogueFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, options?: ErrorOptions) {
    super(`the dialogue model failed: ${reason}`, options);
    this.reason = reason;
  }
}
