import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Created } from '#shared/domain/created.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import type { AdminCaller } from '#shared/domain/person.ts';
import {
  defaultEvents,
  PayloadForm,
  SealedSigningSecret,
  WebhookEndpoint,
  WebhookEventName,
} from '#shared/domain/webhook.ts';
import { SecretNotOpenedError } from '#shared/encryption/kms-envelope.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Alongside, nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import {
  addWebhookEndpointItems,
  countWebhookEndpoints,
  listWebhookEndpoints,
  removeWebhookEndpointItems,
} from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint } from '#shared/webhooks/change-endpoint.ts';
import { checkWebhookAddress, type EndpointServices, newEndpoint } from '#shared/webhooks/new-endpoint.ts';
import {
  newSigningSecret,
  openCurrentSecret,
  rotatedSecrets,
  sealSigningSecret,
} from '#shared/webhooks/signing-secret.ts';
import { auditAction, auditItem } from './audit.ts';
import { authorizeEndpoint, type EndpointAddress, webhookNotFound } from './authorize-endpoint.ts';
import { authorizeProject } from './authorize-project.ts';

/** A webhook endpoint as members read it, without secrets. */
export const WebhookResource = z.extend(z.omit(WebhookEndpoint, { project_id: true }), {
  /** When the current signing secrets were created, newest first, and until when they sign. */
  signing_secrets: z.array(z.omit(SealedSigningSecret, { sealed: true })),
});
export type WebhookResource = z.infer<typeof WebhookResource>;

/** All endpoints of a project, too few for pages. */
export const WebhookList = z.object({ webhooks: z.array(WebhookResource) });
export type WebhookList = z.infer<typeof WebhookList>;

/** An endpoint with its current secret, for the response that creates or rotates it. */
export const WebhookWithSecret = z.extend(WebhookResource, { signing_secret: z.string() });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const WebhookSecret = z.object({ signing_secret: z.string() });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

const Description = z.string().check(z.maxLength(200));
const Events = z.array(WebhookEventName).check(z.minLength(1));

/** Body of `POST …/webhooks`; without `events`, the endpoint gets the two default ones. */
export const NewWebhookBody = z.object({
  url: z.string(),
  description: z._default(Description, ''),
  events: z._default(Events, [...defaultEvents]),
  payload: z._default(PayloadForm, 'minimal'),
});
export type NewWebhookBody = z.infer<typeof NewWebhookBody>;

/** Body of `PATCH …/webhooks/{webhook_id}`: absent members stay unchanged. */
export const WebhookPatch = z.object({
  url: z.optional(z.string()),
  description: z.optional(z.nullable(Description)),
  events: z.optional(Events),
  payload: z.optional(PayloadForm),
  /** Whether webhooks are sent. Enabling it clears why the service had disabled it. */
  enabled: z.optional(z.boolean()),
});
export type WebhookPatch = z.infer<typeof WebhookPatch>;

/** Body of `POST …/webhooks/{webhook_id}/secret/rotate`, which may be empty. */
export const SecretRotation = z.object({
  /** How long the previous secret keeps signing beside the new one. */
  overlap_hours: z._default(z.int().check(z.gte(0), z.lte(24)), 24),
});
export type SecretRotation = z.infer<typeof SecretRotation>;

export interface WebhookServices extends EndpointServices {
  readonly table: Table;
}

/** Each event reads all endpoints of its project, so there cannot be many. */
const maxEndpoints = 20;

export async function readWebhooks(
  table: Table,
  caller: AdminCaller,
  projectId: string,
): Promise<WebhookList> {
  const now = new Date();
  const { project } = await authorizeProject(table, caller, projectId, 'webhooks.read');
  const endpoints = await listWebhookEndpoints(table, project.id);
  return { webhooks: endpoints.map((endpoint) => toResource(endpoint, now)) };
}

export async function readWebhook(
  table: Table,
  caller: AdminCaller,
  address: EndpointAddress,
  now: Date = new Date(),
): Promise<WebhookResource> {
  const { endpoint } = await authorizeEndpoint(table, caller, address, 'webhooks.read');
  return toResource(endpoint, now);
}

export interface WebhookCreation {
  readonly caller: AdminCaller;
  readonly projectId: string;
  readonly newWebhook: NewWebhookBody;
  readonly now?: Date;
  readonly alongside?: Alongside<Created>;
}

/**
 * Adds an endpoint with its own secret. Throws `invalid_request` with a reason for a refused address, and `conflict`
 * when the project has too many endpoints.
 */
export async function createWebhook(
  services: WebhookServices,
  {
    caller,
    projectId,
    newWebhook: { url, description, events, payload },
    now = new Date(),
    alongside = nothingAlongside,
  }: WebhookCreation,
): Promise<WebhookWithSecret> {
  const { table } = services;
  const access = await authorizeProject(table, caller, projectId, 'webhooks.change');
  const settings = { url, description, events: [...new Set(events)], payload };
  const { endpoint, signingSecret } = await newEndpoint(services, access.project.id, settings, now);
  const entry = auditItem(
    table,
    access,
    { action: 'webhook.created', target: targetOf(endpoint), after: audited(endpoint) },
    now,
  );
  await retryOnConflict(async () => {
    const counted = await countWebhookEndpoints(table, access.project.id);
    if (counted.count >= maxEndpoints) {
      throw new ServiceError('conflict', `A project cannot have more than ${maxEndpoints} webhooks`);
    }
    await writeTransaction(table, [
      ...alongside({ id: endpoint.id }),
      ...addWebhookEndpointItems(table, endpoint, counted),
      entry,
    ]);
  });
  return { ...toResource(endpoint, now), signing_secret: signingSecret };
}

/** Changes the given members. Throws `invalid_request` with a reason for a refused address. */
export async function changeWebhook(
  services: WebhookServices,
  caller: AdminCaller,
  address: EndpointAddress,
  patch: WebhookPatch,
  now: Date = new Date(),
): Promise<WebhookResource> {
  const { table } = services;
  const { access } = await authorizeEndpoint(table, caller, address, 'webhooks.change');
  if (patch.url !== undefined) await checkWebhookAddress(services.network, patch.url);
  const changed = await changeEndpoint(
    table,
    { projectId: access.project.id, webhookId: address.webhookId },
    (endpoint) => {
      const next = patched(endpoint, patch, now);
      if (isDeepStrictEqual(next, endpoint)) return null;
      const action = {
        action: 'webhook.changed',
        target: targetOf(endpoint),
        before: audited(endpoint),
        after: audited(next),
      } as const;
      return { settings: next, items: [auditItem(table, access, action, now)] };
    },
    now,
  );
  if (changed === null) throw webhookNotFound();
  return toResource(changed, now);
}

function patched(endpoint: WebhookEndpoint, patch: WebhookPatch, now: Date): WebhookEndpoint {
  const { url = endpoint.url, events = endpoint.events, enabled = endpoint.enabled } = patch;
  const { description = endpoint.description, payload = endpoint.payload } = patch;
  const settings = {
    ...endpoint,
    url,
    events: [...new Set(events)],
    payload,
    description: description ?? '',
    // Failures of the old address say nothing about this one.
    failing_since: url === endpoint.url ? endpoint.failing_since : null,
  };
  if (enabled === endpoint.enabled) return settings;
  return enabled
    ? { ...settings, enabled, disabled_reason: null, disabled_at: null, failing_since: null }
    : { ...settings, enabled, disabled_reason: null, disabled_at: now.toISOString() };
}

/** Removes an endpoint. Pending deliveries are dropped; past ones are only reached by erasures, and expire. */
export function deleteWebhook(table: Table, caller: AdminCaller, address: EndpointAddress): Promise<void> {
  const now = new Date();
  return retryOnConflict(async () => {
    const { access, endpoint } = await authorizeEndpoint(table, caller, address, 'webhooks.change');
    await writeTransaction(table, [
      ...removeWebhookEndpointItems(table, endpoint, now),
      auditItem(
        table,
        access,
        { action: 'webhook.deleted', target: targetOf(endpoint), before: audited(endpoint) },
        now,
      ),
    ]);
  });
}

/** Shows an owner the current secret, audited beforehand. Throws `conflict` when it cannot be decrypted. */
export async function revealSecret(
  { table, secrets }: Pick<WebhookServices, 'table' | 'secrets'>,
  caller: AdminCaller,
  address: EndpointAddress,
): Promise<WebhookSecret> {
  const now = new Date();
  const { access, endpoint } = await authorizeEndpoint(table, caller, address, 'keys.change');
  await auditAction(table, access, { action: 'webhook-secret.viewed', target: targetOf(endpoint) }, now);
  try {
    return { signing_secret: await openCurrentSecret(secrets, endpoint) };
  } catch (error) {
    if (!(error instanceof SecretNotOpenedError)) throw error;
    logError(alarmingEvents.webhookSecretNotOpened, error, { webhook_id: endpoint.id });
    throw new ServiceError('conflict', 'The signing secret cannot be decrypted: rotate it');
  }
}

/** Gives an endpoint a new secret; previous ones sign beside it until they expire. */
export async function rotateSecret(
  { table, secrets }: Pick<WebhookServices, 'table' | 'secrets'>,
  caller: AdminCaller,
  address: EndpointAddress,
  { overlap_hours }: SecretRotation,
  now: Date = new Date(),
): Promise<WebhookWithSecret> {
  const { access, endpoint } = await authorizeEndpoint(table, caller, address, 'keys.change');
  const signingSecret = newSigningSecret();
  const sealed = await sealSigningSecret(secrets, endpoint, signingSecret, now);
  const entry = auditItem(
    table,
    access,
    { action: 'webhook-secret.rotated', target: targetOf(endpoint), after: { overlap_hours } },
    now,
  );
  const rotated = await changeEndpoint(
    table,
    { projectId: access.project.id, webhookId: endpoint.id },
    ({ signing_secrets }) => ({
      settings: { signing_secrets: rotatedSecrets(signing_secrets, sealed, overlap_hours, now) },
      items: [entry],
    }),
    now,
  );
  if (rotated === null) throw webhookNotFound();
  return { ...toResource(rotated, now), signing_secret: signingSecret };
}

function toResource({ project_id: _, ...endpoint }: WebhookEndpoint, now: Date): WebhookResource {
  const signing_secrets = endpoint.signing_secrets
    .filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now.getTime())
    .map(({ created_at, expires_at }) => ({ created_at, expires_at }));
  return { ...endpoint, signing_secrets };
}

function targetOf({ id }: WebhookEndpoint): { type: string; id: string } {
  return { type: 'webhook', id };
}

/** An endpoint in the audit log, without the query, where receivers put secrets of their own. */
function audited({ url, description, events, payload, enabled, disabled_reason }: WebhookEndpoint) {
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}`, description, events, payload, enabled, disabled_reason };
}
