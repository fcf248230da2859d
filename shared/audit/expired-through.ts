import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { createdAtMs, Uuid } from '#shared/domain/identifiers.ts';
import { dayMs } from '#shared/domain/time.ts';
import { projectLimits } from '#shared/projects/project-settings.ts';

/** The range that an audit entry declares expired. */
export interface Expired {
  /** The newest of the expired entries. */
  readonly through: string;
  /**
   * Whether the range is younger than the shortest retention that a project may set, so the entry cannot be
   * genuine.
   */
  readonly isTooEarly: boolean;
}

const leastMs = projectLimits.leastAuditRetentionDays * dayMs;

/** Null for any other entry. */
export function expiredThrough({ action, after, at }: AuditEntry): Expired | null {
  if (action !== 'audit-log.expired') return null;
  const through = Uuid.safeParse(after?.through);
  if (!through.success) return null;
  return { through: through.data, isTooEarly: Date.parse(at) - createdAtMs(through.data) < leastMs };
}
