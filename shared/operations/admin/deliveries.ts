import { DeliveryDetails, DeliveryList, DeliveryResource } from '#shared/admin/deliveries.ts';
import { WebhookDeliveryStatus } from '#shared/domain/webhook.ts';
import { cursorError, limitError, pageParameters } from '../parameters.ts';
import { isDisabled, noProject, noWebhook, noWebhookId, onlyFor } from './errors.ts';
import { forPeople } from './for-people.ts';

const noDeliveryId = 'Invalid delivery ID format';
const noDelivery = 'Delivery not found';

const delivery = {
  description: 'Identifier of the delivery: the `webhook-id` header of its attempts.',
  schema: { type: 'string', pattern: '^msg_[0-9a-f]{32}$' },
};

/** The deliveries of a webhook. */
export const deliveryOperations = forPeople('Webhooks', {
  listDeliveries: {
    method: 'GET',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/deliveries',
    summary: 'List the sent and pending deliveries of a webhook, newest first.',
    query: [
      {
        name: 'status',
        description: 'Only deliveries of this status.',
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
    errors: {
      400: [noWebhookId, limitError, cursorError],
      403: [onlyFor('webhooks.read')],
      404: [noProject, noWebhook],
    },
  },
  getDelivery: {
    method: 'GET',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}',
    summary: 'Get a delivery with its attempts.',
    pathParameters: { delivery_id: delivery },
    success: { status: 200, description: 'The delivery with its attempts.', schema: DeliveryDetails },
    errors: {
      400: [noWebhookId, noDeliveryId],
      403: [onlyFor('webhooks.read')],
      404: [noProject, noWebhook, noDelivery],
    },
  },
  replayDelivery: {
    method: 'POST',
    path: '/admin/projects/{project_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
    summary: 'Resend one delivery.',
    pathParameters: { delivery_id: delivery },
    success: {
      status: 202,
      description: 'The delivery, pending again.',
      schema: DeliveryResource,
    },
    errors: {
      400: [noWebhookId, noDeliveryId],
      403: [onlyFor('webhooks.change')],
      404: [noProject, noWebhook, noDelivery],
      409: [isDisabled, 'The delivery is being attempted at this moment'],
    },
  },
});
