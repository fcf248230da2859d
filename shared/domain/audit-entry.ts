import * as z from 'zod/mini';
import { Uuid } from './identifiers.ts';
import { Timestamp } from './values.ts';

/**
 * Who did something: a person, a client's key, one of the operator's commands, or the service of its own
 * accord.
 */
export const AuditActor = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('person'),
    subject: z.string(),
    email: z.string(),
    /** Their session at the dashboard; absent when they came with a token. */
    session_id: z.optional(Uuid),
  }),
  z.object({ kind: z.literal('api-key'), id: Uuid }),
  z.object({ kind: z.literal('command') }),
  z.object({
    kind: z.literal('service'),
    /** Which of its functions, where several do such things. */
    function: z.optional(z.string()),
  }),
]);
export type AuditActor = z.infer<typeof AuditActor>;

/** What was done. What is only read is listed where it holds health information or a secret. */
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

/**
 * One line of a project's audit log. Settings before and after, never a secret and never health
 * information.
 */
export const AuditEntry = z.object({
  id: Uuid,
  project_id: Uuid,
  at: Timestamp,
  actor: AuditActor,
  action: AuditAction,
  target: z.object({ type: z.string(), id: z.string() }),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  /** The `X-Request-Id` of the request that it was done by. */
  request_id: z.nullable(z.string()),
  /** Whose data it was, as far as the writer knew; of a task or call it follows from the target. */
  patient_ids: z._default(z.array(Uuid), []),
  /** The IP address that the request came from. */
  source_ip: z._default(z.nullable(z.string()), null),
  /** The reason in the caller's words, if given. */
  reason: z._default(z.nullable(z.string()), null),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
