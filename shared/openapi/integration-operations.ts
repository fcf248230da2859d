import {
  ApiKeyList,
  ApiKeyResource,
  ApiKeyRotation,
  CreatedApiKey,
  NewApiKey,
  RotatedApiKey,
} from '#shared/admin/api-keys.ts';
import {
  DeliveryDetails,
  DeliveryList,
  DeliveryResource,
  ReplayRequest,
  ReplayResult,
} from '#shared/admin/deliveries.ts';
import {
  NewWebhookBody,
  SecretRotation,
  WebhookList,
  WebhookPatch,
  WebhookResource,
  WebhookSecret,
  WebhookWithSecret,
} from '#shared/admin/webhooks.ts';
import { WebhookDeliveryStatus } from '#shared/domain/webhook.ts';
import { noProject, ownersOnly } from './admin-operations.ts';
import type { Operation } from './operation.ts';
import { bodyErrors, cursorError, limitError, pageParameters } from './parameters.ts';

const noKeyId = 'Invalid API key ID format';
const noKey = 'API key not found';
const noWebhookId = 'Invalid webhook ID format';
const noWebhook = 'Webhook not found';
const noDeliveryId = 'Invalid delivery ID format';
const noDelivery = 'Delivery not found';
const isDisabled = 'The webhook is disabled: enable it first';

const delivery = {
  description: 'Identifier of the delivery: the `webhook-id` header of each of its attempts.',
  schema: { type: 'string', pattern: '^msg_[0-9a-f]{32}$' },
};

/** What people who have signed in do with the keys and webhooks of a project, by method and path. */
export const integrationOperations = {
  'GET /admin/projects/{project_id}/api-keys': {
    operationId: 'listApiKeys',
    tag: 'API keys',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of keys, newest first.',
      schema: ApiKeyList,
      headers: ['Link'],
    },
    errors: { 400: [limitError, cursorError], 404: [noProject] },
  },
  'POST /admin/projects/{project_id}/api-keys': {
    operationId: 'createApiKey',
    tag: 'API keys',
    description: 'The key itself is in this answer and in no other one.',
    body: {
      schema: NewApiKey,
      examples: {
        'For ever': { name: 'Scheduling backend' },
        'For a time': { name: 'Trial', expires_at: '2027-01-31T00:00:00Z' },
      },
    },
    success: { status: 201, description: 'The key.', schema: CreatedApiKey },
    errors: { 400: [...bodyErrors, 'expires_at must be in the future'], 403: [ownersOnly], 404: [noProject] },
  },
  'POST /admin/projects/{project_id}/api-keys/{api_key_id}/revoke': {
    operationId: 'revokeApiKey',
    tag: 'API keys',
    description: 'The key works for at most 10 seconds from then on.',
    success: { status: 200, description: 'The key as it is now.', schema: ApiKeyResource },
    errors: { 400: [noKeyId], 403: [ownersOnly], 404: [noProject, noKey] },
  },
  'POST /admin/projects/{project_id}/api-keys/{api_key_id}/rotate': {
    operationId: 'rotateApiKey',
    tag: 'API keys',
    description:
      'Makes a new key; the one before works on for the overlap. Without `expires_at` the new key expires when the one before would have.',
    body: { schema: ApiKeyRotation, examples: { 'Two days for both': { overlap_hours: 48 } } },
    success: { status: 201, description: 'The new key and the one before.', schema: RotatedApiKey },
    errors: {
      400: [...bodyErrors, noKeyId, 'expires_at must be in the future'],
      403: [ownersOnly],
      404: [noProject, noKey],
      409: [
        'The API key works no longer: create a new one',
        'The API key has been replaced: rotate the one that took its place',
        'The API key is being changed: try again',
      ],
    },
  },
  'GET /admin/projects/{project_id}/webhooks': {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    success: { status: 200, description: 'All webhooks of the project.', schema: WebhookList },
    errors: { 404: [noProject] },
  },
  'POST /admin/projects/{project_id}/webhooks': {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    body: {
      schema: NewWebhookBody,
      examples: {
        'All events': { url: 'https://hooks.example.com/calls' },
        'Finished tasks': { url: 'https://hooks.example.com/tasks', events: ['task.completed'] },
      },
    },
    success: { status: 201, description: 'The webhook with its signing secret.', schema: WebhookWithSecret },
    errors: {
      400: bodyErrors,
      403: [ownersOnly],
      404: [noProject],
      409: ['A project cannot have more than 20 webhooks'],
    },
  },
  'GET /admin/projects/{project_id}/webhooks/{webhook_id}': {
    operationId: 'getWebhook',
    tag: 'Webhooks',
    success: { status: 200, description: 'The webhook.', schema: WebhookResource },
    errors: { 400: [noWebhookId], 404: [noProject, noWebhook] },
  },
  'PATCH /admin/projects/{project_id}/webhooks/{webhook_id}': {
    operationId: 'changeWebhook',
    tag: 'Webhooks',
    description: 'What is absent stays as it is.',
    body: { schema: WebhookPatch, examples: { 'Switch off': { enabled: false } } },
    success: { status: 200, description: 'The webhook as it is now.', schema: WebhookResource },
    errors: { 400: [...bodyErrors, noWebhookId], 403: [ownersOnly], 404: [noProject, noWebhook] },
  },
  'DELETE /admin/projects/{project_id}/webhooks/{webhook_id}': {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    success: { status: 204, description: 'Nothing is sent there any more.', schema: null },
    errors: { 400: [noWebhookId], 403: [ownersOnly], 404: [noProject, noWebhook] },
  },
  'GET /admin/projects/{project_id}/webhooks/{webhook_id}/secret': {
    operationId: 'getWebhookSecret',
    tag: 'Webhooks',
    success: { status: 200, description: 'The secret that signs now.', schema: WebhookSecret },
    errors: {
      400: [noWebhookId],
      403: [ownersOnly],
      404: [noProject, noWebhook],
      409: ['The signing secret cannot be opened: rotate it'],
    },
  },
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/secret/rotate': {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    description: 'Makes a new secret; during the overlap webhooks carry the signatures of both.',
    body: { schema: SecretRotation, examples: { 'A day for both': { overlap_hours: 24 } }, required: false },
    success: { status: 200, description: 'The webhook with its new secret.', schema: WebhookWithSecret },
    errors: { 400: [...bodyErrors, noWebhookId], 403: [ownersOnly], 404: [noProject, noWebhook] },
  },
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/test': {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    description: 'Sends the event `webhook.test`, of a task that does not exist.',
    success: { status: 202, description: 'The delivery, which is under way.', schema: DeliveryResource },
    errors: { 400: [noWebhookId], 403: [ownersOnly], 404: [noProject, noWebhook], 409: [isDisabled] },
  },
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/replay': {
    operationId: 'replayWebhook',
    tag: 'Webhooks',
    description: 'Sends once more what was not accepted since a time.',
    body: { schema: ReplayRequest, examples: { 'Since the outage': { since: '2026-11-20T08:00:00Z' } } },
    success: { status: 202, description: 'How many are sent once more.', schema: ReplayResult },
    errors: {
      400: [...bodyErrors, noWebhookId, cursorError],
      403: [ownersOnly],
      404: [noProject, noWebhook],
      409: [isDisabled],
    },
  },
  'GET /admin/projects/{project_id}/webhooks/{webhook_id}/deliveries': {
    operationId: 'listDeliveries',
    tag: 'Webhooks',
    query: [
      {
        name: 'status',
        description: 'Deliveries of this status only.',
        schema: { type: 'string', enum: WebhookDeliveryStatus.options },
      },
      ...pageParameters,
    ],
    success: {
      status: 200,
      description: 'A page of deliveries, newest first.',
      schema: DeliveryList,
      headers: ['Link'],
    },
    errors: { 400: [noWebhookId, limitError, cursorError], 404: [noProject, noWebhook] },
  },
  'GET /admin/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}': {
    operationId: 'getDelivery',
    tag: 'Webhooks',
    pathParameters: { delivery_id: delivery },
    success: { status: 200, description: 'The delivery with each of its attempts.', schema: DeliveryDetails },
    errors: { 400: [noWebhookId, noDeliveryId], 404: [noProject, noWebhook, noDelivery] },
  },
  'POST /admin/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/replay': {
    operationId: 'replayDelivery',
    tag: 'Webhooks',
    pathParameters: { delivery_id: delivery },
    success: {
      status: 202,
      description: 'The delivery, which is under way again.',
      schema: DeliveryResource,
    },
    errors: {
      400: [noWebhookId, noDeliveryId],
      403: [ownersOnly],
      404: [noProject, noWebhook, noDelivery],
      409: [isDisabled, 'The delivery is being attempted at this moment'],
    },
  },
} as const satisfies Record<`${string} /admin/${string}`, Operation>;
