import type { AuditActor, AuditEntry } from '#shared/domain/audit-entry.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { RequestOrigin } from '#shared/domain/request-origin.ts';

/** An action; `before` and `after` are settings without secrets or health information. */
export interface AuditAction extends Pick<AuditEntry, 'action' | 'target'> {
  readonly before?: AuditEntry['before'];
  readonly after?: AuditEntry['after'];
  /** The patients concerned, where the target does not imply them. */
  readonly patientIds?: readonly string[];
}

/** The actor and the request; null when no request caused it. */
export interface AuditSource {
  readonly actor: AuditActor;
  readonly origin: RequestOrigin | null;
}

export function toEntry(
  { actor, origin }: AuditSource,
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
