import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { projectLimits } from '#shared/projects/project-settings.ts';

/** What an entry of the audit log says to have expired. */
export interface Expired {
  /** The newest one of these entries. */
  readonly through: string;
  /** Whether no project may keep entries for so short a time, so that nobody means what it says. */
  readonly isTooEarly: boolean;
}

const leastMs = projectLimits.leastAuditRetentionDays * 24 * 60 * 60 * 1000;

/** Null for an entry that says no such thing. */
export function expiredThrough({ action, after, at }: AuditEntry): Expired | null {
  if (action !== 'audit-log.expired') return null;
  const through = Uuid.safeParse(after?.through);
  if (!through.success) return null;
  return { through: through.data, isTooEarly: Date.parse(at) - millisecondsOf(through.data) < leastMs };
}

/** When a UUIDv7 was made. RFC 9562, 5.7. */
function millisecondsOf(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
