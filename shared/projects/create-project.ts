import { commandAuditItem } from '#shared/admin/audit.ts';
import { issueApiKey } from '#shared/api-keys/new-api-key.ts';
import type { Role } from '#shared/domain/person.ts';
import type { CallingHours, CallPolicy, Project, RedialPolicy } from '#shared/domain/project.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import type { WebhookEventName } from '#shared/domain/webhook.ts';
import type { ProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { createApiKeyItems } from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import { addMemberItem } from '#shared/table/member.ts';
import { putProject } from '#shared/table/project.ts';
import { retentionItems } from '#shared/table/retention.ts';
import type { TransactionItem } from '#shared/table/transaction.ts';
import { createWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import { type CreatedEndpoint, type EndpointServices, newEndpoint } from '#shared/webhooks/new-endpoint.ts';
import { writeWithDataKey } from './data-key.ts';
import {
  newProjectOf,
  newProjectSettings,
  type ProjectChanges,
  type ProjectSettings,
} from './project-settings.ts';

export interface NewProject {
  readonly name: string;
  /** Every project starts in the sandbox; an operator's grant makes it live. */
  readonly carrier: 'sandbox';
  readonly webhook: { readonly url: string; readonly events: readonly WebhookEventName[] } | null;
  /** Default: all task types. */
  readonly enabledTaskTypes?: readonly TaskType[];
  /** Caller ID of the project's calls; default: one of the reserved numbers. */
  readonly callerNumber?: string;
  readonly redialPolicy?: Partial<RedialPolicy>;
  readonly callPolicy?: Partial<CallPolicy>;
  /** Default: at any time. */
  readonly callingHours?: CallingHours;
  /** Default: 10. */
  readonly maxConcurrentCalls?: number;
  /** Default: recordings are kept indefinitely. */
  readonly recordingRetentionDays?: number | null;
  /** ISO 3166-1; default: all. */
  readonly allowedCountries?: readonly string[];
  /** Who calls and how; defaults fill what is absent. */
  readonly agent?: ProjectChanges['agent'];
  /** The project's first members; default: none. */
  readonly members?: readonly { readonly email: string; readonly role: Role }[];
}

export interface CreatedProject {
  readonly project: Project;
  /** The whole key, shown once and stored nowhere. */
  readonly apiKey: string;
  readonly webhook: CreatedEndpoint | null;
}

export interface ProjectServices extends EndpointServices {
  readonly table: Table;
  /** Null for a project of an earlier version, whose data is not sealed. */
  readonly keys: ProjectKeyMaker | null;
}

/**
 * Creates a project with its first API key, an optional webhook endpoint and members, all or nothing. Throws
 * `invalid_request` for an invalid webhook URL, phone number, calling hours, limit or agent setting.
 */
export async function createProject(
  services: ProjectServices,
  newProject: NewProject,
  now: Date = new Date(),
): Promise<CreatedProject> {
  const settings = toSettings(newProject);
  const project = newProjectOf(settings, now);
  const webhook =
    newProject.webhook === null
      ? null
      : await newEndpoint(
          services,
          project.id,
          { url: newProject.webhook.url, description: '', events: [...newProject.webhook.events] },
          now,
        );
  const { key, apiKey } = issueApiKey(project, { name: 'First key', expiresAt: null, createdBy: null }, now);
  const { table } = services;
  await writeWithDataKey(services, project.id, [
    putProject(table, project),
    commandAuditItem(
      table,
      project.id,
      {
        action: 'project.created',
        target: { type: 'project', id: project.id },
        after: { carrier: project.carrier, ...settings },
      },
      now,
    ),
    ...createApiKeyItems(table, apiKey),
    ...retentionItems(table, project, now),
    ...(webhook === null ? [] : [createWebhookEndpointItem(table, webhook.endpoint)]),
    ...(newProject.members ?? []).flatMap((member) => memberItems(table, project.id, member, now)),
  ]);
  return { project, apiKey: key, webhook };
}

function memberItems(
  table: Table,
  projectId: string,
  { email, role }: { email: string; role: Role },
  now: Date,
): TransactionItem[] {
  const at = now.toISOString();
  return [
    addMemberItem(table, { project_id: projectId, email, role, created_at: at, updated_at: at }),
    commandAuditItem(
      table,
      projectId,
      { action: 'member.added', target: { type: 'member', id: email }, after: { role } },
      now,
    ),
  ];
}

function toSettings(newProject: NewProject): ProjectSettings {
  const { callPolicy, callingHours, callerNumber, enabledTaskTypes } = newProject;
  const { agent, allowedCountries, maxConcurrentCalls, recordingRetentionDays, redialPolicy } = newProject;
  return newProjectSettings({
    name: newProject.name,
    ...(enabledTaskTypes === undefined ? {} : { enabled_task_types: [...enabledTaskTypes] }),
    ...(callerNumber === undefined ? {} : { caller_number: callerNumber }),
    ...(redialPolicy === undefined ? {} : { redial_policy: redialPolicy }),
    ...(callPolicy === undefined ? {} : { call_policy: callPolicy }),
    ...(callingHours === undefined ? {} : { calling_hours: callingHours }),
    ...(maxConcurrentCalls === undefined ? {} : { max_concurrent_calls: maxConcurrentCalls }),
    ...(recordingRetentionDays === undefined ? {} : { recording_retention_days: recordingRetentionDays }),
    ...(agent === undefined ? {} : { agent }),
    ...(allowedCountries === undefined ? {} : { allowed_countries: [...allowedCountries] }),
  });
}
