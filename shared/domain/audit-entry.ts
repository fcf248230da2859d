import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/** The actor: a person, a client's key, an operator's command, or the service itself. */
export const AuditActor = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('person'),
    subject: z.string(),
    email: z.string(),
    /** Their dashboard session; absent with a token. */
    session_id: z.optional(Uuid),
  }),
  z.object({ kind: z.literal('api-key'), id: Uuid }),
  z.object({ kind: z.literal('command') }),
  z.object({
    kind: z.literal('service'),
    /** Which function, where several do such things. */
    function: z.optional(z.string()),
  }),
]);
export type AuditActor = z.infer<typeof AuditActor>;

/** Audited actions. Reads are listed if they show health information or a secret. */
export const AuditAction = z.enum([
  'project.created',
  'project.changed',
  'live.granted',
  'live.withdrawn',
  'member.added',
  'member.changed',
  'member.removed',
  'member.invited',
  'member.joined',
  'invitation.revoked',
  'alerts.changed',
  'api-key.created',
  'api-key.revoked',
  'api-key.rotated',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.tested',
  'webhook.replayed',
  'webhook-secret.viewed',
  'webhook-secret.rotated',
  'patient.created',
  'patient.changed',
  'patient.merged',
  'patient.viewed',
  'patients.listed',
  'patient-access.viewed',
  'patient.erased',
  'export.ordered',
  'patient.exported',
  'task.created',
  'task.cancelled',
  'follow-up.changed',
  'task.erased',
  'erasure.ordered',
  'audit-log.expired',
  'opt-out.added',
  'opt-out.confirmed',
  'opt-out.lifted',
  'destination.saved',
  'destination.removed',
  'question-template.saved',
  'question-template.removed',
  'task.viewed',
  'tasks.listed',
  'tasks.exported',
  'task.sent',
  'transcript.viewed',
  'recording.viewed',
  'task-batch.created',
  'task-batch.cancelled',
  'import.started',
  'import.stopped',
  'import.exported',
  'call.claimed',
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** One entry of a project's audit log. Has settings before and after, never a secret or health information. */
export const AuditEntry = z.object({
  id: Uuid,
  project_id: Uuid,
  at: Timestamp,
  actor: AuditActor,
  action: AuditAction,
  target: z.object({ type: z.string(), id: z.string() }),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** The `X-Request-Id` of the request. */
  request_id: z.nullable(z.string()),
  /** The patients concerned, as far as the writer knew; the target implies those of a task or call. */
  patient_ids: z._default(z.array(Uuid), []),
  /** The IP address that the request came from. */
  source_ip: z._default(z.nullable(z.string()), null),
  /** The caller's reason, if given. */
  reason: z._default(z.nullable(z.string()), null),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
