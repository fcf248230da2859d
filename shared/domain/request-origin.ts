/** By which request something was asked, as the audit log tells it. */
export interface RequestOrigin {
  readonly requestId: string;
  /** As the gateway saw it; null when it did not say. */
  readonly sourceIp: string | null;
  /** Why, if whoever asks has said so. */
  readonly reason: string | null;
}
