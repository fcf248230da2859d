/** By which request something was asked, as the audit log tells it. */
export interface RequestOrigin {
  readonly requestId: string;
  /** As the gateway saw it; null when it did not say. */
  readonly sourceIp: string | null;
  /** The reason, if the caller gave one. */
  readonly reason: string | null;
}
