import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import {
  DeliveryDetails,
  DeliveryList,
  DeliveryResource,
  ReplayRequest,
  ReplayResult,
  readDelivery,
  replayOne,
  replaySince,
  testEndpoint,
} from '#shared/admin/deliveries.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  NewWebhookBody,
  readWebhook,
  readWebhooks,
  revealSecret,
  rotateSecret,
  WebhookList,
  WebhookPatch,
  WebhookResource,
  WebhookSecret,
  WebhookWithSecret,
} from '#shared/admin/webhooks.ts';
import { openSecretBox } from '#shared/encryption/secret-box.ts';
import { listDeliveriesLinked } from '#shared/http/admin-lists.ts';
import {
  readDeliveryId,
  readDeliveryStatus,
  readEndpointAddress,
  readProjectId,
  readSecretRotation,
} from '#shared/http/admin-requests.ts';
import { openAnswerBudget } from '#shared/http/answer-budget.ts';
import { readBody, readChanges } from '#shared/http/json-body.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { signedInPerson } from '#shared/identity/signed-in-person.ts';
import { openTable } from '#shared/table/client.ts';
import { adminEndpoint, adminFunction } from '#shared/triggers/admin.ts';
import { environment } from '#shared/triggers/environment.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';

const table = openTable(environment('TABLE_NAME'));
const publicBaseUrl = environment('PUBLIC_BASE_URL');
const services = {
  table,
  secrets: openSecretBox(environment('SECRETS_KEY_ID')),
  network: openWebhookNetwork(environment('WEBHOOK_LOOPBACK')),
  queue: { url: environment('DELIVERY_QUEUE_URL'), client: new SQSClient({}) },
};

const webhooks = '/admin/projects/{project_id}/webhooks';
const webhook = `${webhooks}/{webhook_id}` as const;

export const handler = adminFunction({
  authenticate: signedInPerson(),
  operations: {
    [`GET ${webhooks}`]: adminEndpoint({
      parse: readProjectId,
      perform: async (caller, projectId) => ({
        status: 200,
        body: await readWebhooks(table, caller, projectId),
      }),
      response: WebhookList,
    }),
    [`POST ${webhooks}`]: adminEndpoint({
      parse: (request) => ({
        projectId: readProjectId(request),
        newWebhook: readBody(request, NewWebhookBody),
      }),
      perform: async (caller, { projectId, newWebhook }) => ({
        status: 201,
        body: await createWebhook(services, { caller, projectId, newWebhook }),
      }),
      response: WebhookWithSecret,
    }),
    [`GET ${webhook}`]: adminEndpoint({
      parse: readEndpointAddress,
      perform: async (caller, address) => ({ status: 200, body: await readWebhook(table, caller, address) }),
      response: WebhookResource,
    }),
    [`PATCH ${webhook}`]: adminEndpoint({
      parse: (request) => ({
        address: readEndpointAddress(request),
        patch: readChanges(request, WebhookPatch),
      }),
      perform: async (caller, { address, patch }) => ({
        status: 200,
        body: await changeWebhook(services, caller, address, patch),
      }),
      response: WebhookResource,
    }),
    [`DELETE ${webhook}`]: adminEndpoint({
      parse: readEndpointAddress,
      perform: async (caller, address) => {
        await deleteWebhook(table, caller, address);
        return { status: 204, body: null };
      },
      response: z.null(),
    }),
    [`GET ${webhook}/secret`]: adminEndpoint({
      parse: readEndpointAddress,
      perform: async (caller, address) => ({
        status: 200,
        body: await revealSecret(services, caller, address),
      }),
      response: WebhookSecret,
    }),
    [`POST ${webhook}/secret/rotate`]: adminEndpoint({
      parse: (request) => ({
        address: readEndpointAddress(request),
        rotation: readSecretRotation(request),
      }),
      perform: async (caller, { address, rotation }) => ({
        status: 200,
        body: await rotateSecret(services, caller, address, rotation),
      }),
      response: WebhookWithSecret,
    }),
    [`POST ${webhook}/test`]: adminEndpoint({
      parse: readEndpointAddress,
      perform: async (caller, address) => ({
        status: 202,
        body: await testEndpoint(services, caller, address),
      }),
      response: DeliveryResource,
    }),
    [`POST ${webhook}/replay`]: adminEndpoint({
      parse: (request) => ({
        address: readEndpointAddress(request),
        replay: readBody(request, ReplayRequest),
      }),
      perform: async (caller, { address, replay }) => ({
        status: 202,
        body: await replaySince(services, caller, address, replay),
      }),
      response: ReplayResult,
    }),
    [`GET ${webhook}/deliveries`]: adminEndpoint({
      parse: (request) => ({
        address: readEndpointAddress(request),
        list: { status: readDeliveryStatus(request), position: readListPosition(request) },
      }),
      perform: async (caller, { address, list }) => ({
        status: 200,
        ...(await listDeliveriesLinked({ table, publicBaseUrl }, caller, address, list)),
      }),
      response: DeliveryList,
    }),
    [`GET ${webhook}/deliveries/{delivery_id}`]: adminEndpoint({
      parse: (request) => ({
        address: readEndpointAddress(request),
        deliveryId: readDeliveryId(request),
      }),
      perform: async (caller, { address, deliveryId }) => ({
        status: 200,
        body: await readDelivery({ table, openBudget: openAnswerBudget }, caller, { ...address, deliveryId }),
      }),
      response: DeliveryDetails,
    }),
    [`POST ${webhook}/deliveries/{delivery_id}/replay`]: adminEndpoint({
      parse: (request) => ({
        address: readEndpointAddress(request),
        deliveryId: readDeliveryId(request),
      }),
      perform: async (caller, { address, deliveryId }) => ({
        status: 202,
        body: await replayOne(services, caller, { ...address, deliveryId }),
      }),
      response: DeliveryResource,
    }),
  },
});
