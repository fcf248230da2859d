/** The request behind an audit entry. */
export interface RequestOrigin {
  readonly requestId: string;
  /** As reported by the gateway; null if missing. */
  readonly sourceIp: string | null;
  /** The reason, if the caller gave one. */
  readonly reason: string | null;
}
