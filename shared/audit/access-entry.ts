import type { AuditActor, AuditEntry } from '#shared/domain/audit-entry.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { RequestOrigin } from '#shared/domain/request-origin.ts';

/** What was done; `before` and `after` are settings without secrets and without health information. */
export interface AuditAction extends Pick<AuditEntry, 'action' | 'target'> {
  readonly before?: AuditEntry['before'];
  readonly after?: AuditEntry['after'];
  /** Whose data it was, where that does not follow from the target. */
  readonly patientIds?: readonly string[];
}

/** Who did it and by which request; null when no request asked for it. */
export interface Doer {
  readonly actor: AuditActor;
  readonly origin: RequestOrigin | null;
}

export function toEntry(
  { actor, origin }: Doer,
  projectId: string,
  { action, target, before = null, after = null, patientIds = [] }: AuditAction,
  now: Date,
): AuditEntry {
  return {
    id: uuidv7(now.getTime()),
    project_id: projectId,
    at: now.toISOString(),
    actor,
    action,
    target,
    before,
    after,
    request_id: origin?.requestId ?? null,
    patient_ids: [...new Set(patientIds)],
    source_ip: origin?.sourceIp ?? null,
    reason: origin?.reason ?? null,
  };
}
