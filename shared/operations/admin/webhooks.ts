import { DeliveryResource, ReplayRequest, ReplayResult } from '#shared/admin/deliveries.ts';
import {
  NewWebhookBody,
  SecretRotation,
  WebhookList,
  WebhookPatch,
  WebhookResource,
  WebhookSecret,
  WebhookWithSecret,
} from '#shared/admin/webhooks.ts';
import { bodyErrors, cursorError } from '../parameters.ts';
import { isDisabled, noProject, noWebhook, noWebhookId, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

/** The webhooks of a project. */
export const webhookOperations = forPeople('Webhooks', {
  listWebhooks: {
    method: 'GET',
    path: '/admin/projects/{project_id}/webhooks',
    summary: 'List the webhooks of a project.',
    success: { status: 200, description: 'All webhooks of the project.', schema: WebhookList },
    errors: { 403: [onlyFor('webhooks.read')], 404: [noProject] },
  },
  createWebhook: {
    method: 'POST',
    path: '/admin/projects/{project_id}/webhooks',
    summary: 'Add a webhook with its own signing secret.',
    body: {
      schema: NewWebhookBody,
      examples: {
        'Finished calls and tasks': { url: 'https://hooks.example.com/calls' },
        'Answers that need review': {
          url: 'https://hooks.example.com/reviews',
          events: ['task.needs_review'],
        },
      },
    },
    success: { status: 201, description: 'The webhook with its signing secret.', schema: WebhookWithSecret },
    errors: {
      400: bodyErrors,
      403: [onlyFor('webhooks.change')],
      404: [noProject],
      409: ['A project cannot have more than 20 webhooks'],
    },
  },
  getWebhook: {
    method: 'GET',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}',
    summary: 'Get a webhook.',
    success: { status: 200, description: 'The webhook.', schema: WebhookResource },
    errors: { 400: [noWebhookId], 403: [onlyFor('webhooks.read')], 404: [noProject, noWebhook] },
  },
  changeWebhook: {
    method: 'PATCH',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}',
    summary: 'Update, enable or disable a webhook.',
    description: 'Absent members stay unchanged.',
    body: { schema: WebhookPatch, examples: { Disable: { enabled: false } } },
    success: { status: 200, description: 'The updated webhook.', schema: WebhookResource },
    errors: {
      400: [...bodyErrors, noWebhookId],
      403: [onlyFor('webhooks.change')],
      404: [noProject, noWebhook],
    },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}',
    summary: 'Remove a webhook.',
    success: { status: 204, description: 'The webhook is removed.', schema: null },
    errors: { 400: [noWebhookId], 403: [onlyFor('webhooks.change')], 404: [noProject, noWebhook] },
  },
  getWebhookSecret: {
    method: 'GET',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/secret',
    summary: 'Get the signing secret of a webhook.',
    success: { status: 200, description: 'The current signing secret.', schema: WebhookSecret },
    errors: {
      400: [noWebhookId],
      403: [onlyFor('keys.change')],
      404: [noProject, noWebhook],
      409: ['The signing secret cannot be decrypted: rotate it'],
    },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/secret/rotate',
    summary: 'Rotate the signing secret of a webhook.',
    description: 'Creates a new secret. During the overlap webhooks carry the signatures of both.',
    body: { schema: SecretRotation, examples: { 'A day for both': { overlap_hours: 24 } }, required: false },
    success: { status: 200, description: 'The webhook with its new secret.', schema: WebhookWithSecret },
    errors: { 400: [...bodyErrors, noWebhookId], 403: [onlyFor('keys.change')], 404: [noProject, noWebhook] },
  },
  testWebhook: {
    method: 'POST',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/test',
    summary: 'Send a test webhook.',
    description: 'Sends the event `webhook.test` about a task that does not exist.',
    success: { status: 202, description: 'The pending delivery.', schema: DeliveryResource },
    errors: {
      400: [noWebhookId],
      403: [onlyFor('webhooks.change')],
      404: [noProject, noWebhook],
      409: [isDisabled],
    },
  },
  replayWebhook: {
    method: 'POST',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/replay',
    summary: 'Resend unaccepted events since a time.',
    description: 'Resends events that the webhook did not accept since a time.',
    body: { schema: ReplayRequest, examples: { 'Since the outage': { since: '2026-11-20T08:00:00Z' } } },
    success: { status: 202, description: 'How many are resent.', schema: ReplayResult },
    errors: {
      400: [...bodyErrors, noWebhookId, cursorError],
      403: [onlyFor('webhooks.change')],
      404: [noProject, noWebhook],
      409: [isDisabled],
    },
  },
});
