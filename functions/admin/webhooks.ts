import { ReplayRequest, replaySince, testEndpoint } from '#shared/admin/deliveries.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  NewWebhookBody,
  readWebhook,
  readWebhooks,
  revealSecret,
  rotateSecret,
  WebhookPatch,
} from '#shared/admin/webhooks.ts';
import { readEndpointAddress, readProjectId, readSecretRotation } from '#shared/http/admin-requests.ts';
import { readBody, readChanges } from '#shared/http/json-body.ts';
import type { webhookOperations } from '#shared/operations/admin/webhooks.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';

export function webhookHandlers(services: ManagementServices): AdminHandlers<typeof webhookOperations> {
  const { table } = services;
  return {
    listWebhooks: async (caller, request) => ({
      body: await readWebhooks(table, caller, readProjectId(request)),
    }),
    createWebhook: async (caller, request) => {
      const newWebhook = readBody(request, NewWebhookBody);
      const projectId = readProjectId(request);
      return { body: await createWebhook(services, { caller, projectId, newWebhook }) };
    },
    getWebhook: async (caller, request) => ({
      body: await readWebhook(table, caller, readEndpointAddress(request)),
    }),
    changeWebhook: async (caller, request) => {
      const address = readEndpointAddress(request);
      return { body: await changeWebhook(services, caller, address, readChanges(request, WebhookPatch)) };
    },
    deleteWebhook: async (caller, request) => {
      await deleteWebhook(table, caller, readEndpointAddress(request));
      return { body: null };
    },
    getWebhookSecret: async (caller, request) => ({
      body: await revealSecret(services, caller, readEndpointAddress(request)),
    }),
    rotateWebhookSecret: async (caller, request) => {
      const address = readEndpointAddress(request);
      return { body: await rotateSecret(services, caller, address, readSecretRotation(request)) };
    },
    testWebhook: async (caller, request) => ({
      body: await testEndpoint(services, caller, readEndpointAddress(request)),
    }),
    replayWebhook: async (caller, request) => {
      const address = readEndpointAddress(request);
      return { body: await replaySince(services, caller, address, readBody(request, ReplayRequest)) };
    },
  };
}
