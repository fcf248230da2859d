import { randomBytes } from 'node:crypto';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '#shared/api-keys/key-format.ts';
import { longestCallSeconds } from '#shared/domain/call.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import {
  alwaysOpen,
  CallingHours,
  type CallPolicy,
  type CarrierName,
  defaultCallingHours,
  defaultCallPolicy,
  defaultMaxConcurrentCalls,
  defaultRedialPolicy,
  type Project,
  type RedialPolicy,
} from '#shared/domain/project.ts';
import { type TaskType, taskTypes } from '#shared/domain/task-type.ts';
import { phoneNumberPattern } from '#shared/domain/values.ts';
import type { WebhookEndpoint, WebhookEventName } from '#shared/domain/webhook.ts';
import { createApiKeyItem } from '#shared/table/api-key.ts';
import type { Table } from '#shared/table/client.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { putWebhookEndpointItem } from '#shared/table/webhook-endpoint.ts';
import { webhookUrlProblem } from '#shared/webhooks/webhook-url.ts';

export interface NewProject {
  readonly name: string;
  readonly carrier: CarrierName;
  readonly webhook: { readonly url: string; readonly events: readonly WebhookEventName[] } | null;
  /** All task types when not given. */
  readonly enabledTaskTypes?: readonly TaskType[];
  /** Caller id of the project's calls; sandbox projects get one of the reserved numbers. */
  readonly callerNumber?: string;
  readonly redialPolicy?: Partial<RedialPolicy>;
  readonly callPolicy?: Partial<CallPolicy>;
  /** At any time when not given to a sandbox project, else from 08:00 to 21:00. */
  readonly callingHours?: CallingHours;
  /** 10 when not given. */
  readonly maxConcurrentCalls?: number;
  /** Recordings are kept for ever when not given. */
  readonly recordingRetentionDays?: number | null;
}

/** What a project may ask for at most; beyond it a number is taken for a slip. */
export const projectLimits = {
  attempts: 20,
  redialDelaySeconds: 30 * 24 * 60 * 60,
  concurrentCalls: 1000,
  recordingRetentionDays: 3650,
} as const;

export interface CreatedProject {
  readonly project: Project;
  /** The whole key, which is stored nowhere: whoever asked for the project must keep it. */
  readonly apiKey: string;
  readonly webhook: WebhookEndpoint | null;
}

/** The reserved range for fiction; nobody can be rung back under it. */
const sandboxCallerNumber = '+12025550199';

/**
 * Creates a project with its first API key and, if wished, a webhook endpoint, all or nothing. Throws a `ServiceError`
 * `invalid_request` when the webhook URL, a telephone number, the calling hours or one of the limits cannot be used.
 */
export async function createProject(
  table: Table,
  newProject: NewProject,
  now: Date = new Date(),
): Promise<CreatedProject> {
  const project = toProject(newProject, now);
  const webhook = newProject.webhook === null ? null : toEndpoint(project.id, newProject.webhook, now);
  const apiKey = generateApiKey(project.carrier);
  await writeTransaction(table, [
    putProject(table, project),
    createApiKeyItem(table, {
      key_hash: hashApiKey(apiKey),
      project_id: project.id,
      prefix: apiKeyPrefix(apiKey),
      name: 'First key',
      created_at: project.created_at,
      expires_at: null,
      revoked_at: null,
    }),
    ...(webhook === null ? [] : [putWebhookEndpointItem(table, webhook)]),
  ]);
  return { project, apiKey, webhook };
}

function toProject(newProject: NewProject, now: Date): Project {
  const { name, carrier, callerNumber = carrier === 'sandbox' ? sandboxCallerNumber : null } = newProject;
  if (callerNumber === null) {
    throw new ServiceError('invalid_request', 'A project of the live carrier needs a caller number');
  }
  checkNumber('caller', callerNumber);
  return {
    id: uuidv7(now.getTime()),
    name,
    carrier,
    enabled_task_types: [...(newProject.enabledTaskTypes ?? taskTypes)],
    caller_number: callerNumber,
    redial_policy: toRedialPolicy(newProject.redialPolicy),
    call_policy: toCallPolicy(newProject.callPolicy),
    calling_hours: toCallingHours(
      newProject.callingHours ?? (carrier === 'sandbox' ? alwaysOpen : defaultCallingHours),
    ),
    max_concurrent_calls: wholeNumber(
      'number of calls at the same time',
      newProject.maxConcurrentCalls ?? defaultMaxConcurrentCalls,
      1,
      projectLimits.concurrentCalls,
    ),
    recording_retention_days: toRetentionDays(newProject.recordingRetentionDays ?? null),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

function toCallPolicy(wishes: Partial<CallPolicy> = {}): CallPolicy {
  const policy = { ...defaultCallPolicy, ...wishes };
  if (policy.callback_number !== null) checkNumber('callback', policy.callback_number);
  const seconds = policy.max_hold_seconds;
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > longestCallSeconds) {
    throw new ServiceError(
      'invalid_request',
      `The longest time on hold must be from 1 to ${longestCallSeconds} seconds`,
    );
  }
  return policy;
}

function toRedialPolicy(wishes: Partial<RedialPolicy> = {}): RedialPolicy {
  const { max_attempts, delays_seconds, redialled_results } = { ...defaultRedialPolicy, ...wishes };
  return {
    max_attempts: wholeNumber('number of attempts', max_attempts, 1, projectLimits.attempts),
    delays_seconds: delays_seconds.map((seconds) =>
      wholeNumber('delay before a redial, in seconds,', seconds, 0, projectLimits.redialDelaySeconds),
    ),
    redialled_results: [...new Set(redialled_results)],
  };
}

function toCallingHours(hours: CallingHours): CallingHours {
  const { success, data } = CallingHours.safeParse(hours);
  if (!success) {
    throw new ServiceError(
      'invalid_request',
      'The calling hours must be two times of day, HH:MM, and days of the week from 1 (Monday) to 7',
    );
  }
  // Written with two digits each, times of day sort as text.
  if (data.opens >= data.closes) {
    throw new ServiceError('invalid_request', 'The calling hours must open before they close');
  }
  return { ...data, days: [...new Set(data.days)].sort((a, b) => a - b) };
}

function toRetentionDays(days: number | null): number | null {
  return days === null
    ? null
    : wholeNumber('number of days to keep recordings', days, 1, projectLimits.recordingRetentionDays);
}

function wholeNumber(name: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ServiceError('invalid_request', `The ${name} must be a whole number from ${least} to ${most}`);
}

function checkNumber(name: 'caller' | 'callback', number: string): void {
  if (!phoneNumberPattern.test(number)) {
    throw new ServiceError('invalid_request', `The ${name} number must match ${phoneNumberPattern.source}`);
  }
}

function toEndpoint(
  projectId: string,
  webhook: NonNullable<NewProject['webhook']>,
  now: Date,
): WebhookEndpoint {
  const problem = webhookUrlProblem(webhook.url);
  if (problem !== null) throw new ServiceError('invalid_request', problem);
  return {
    id: uuidv7(now.getTime()),
    project_id: projectId,
    url: webhook.url,
    events: [...webhook.events],
    signing_secret: `whsec_${randomBytes(32).toString('base64')}`,
    enabled: true,
    disabled_reason: null,
    created_at: now.toISOString(),
  };
}
