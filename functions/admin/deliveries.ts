import {
  readDeliveries,
  readDelivery,
  readDeliveryId,
  readDeliveryStatus,
  replayOne,
} from '#shared/admin/deliveries.ts';
import { readEndpointAddress } from '#shared/admin/enter-endpoint.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import type { deliveryOperations } from '#shared/operations/admin/deliveries.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { AdminServices } from './admin-services.ts';

export function deliveryHandlers(services: AdminServices): AdminHandlers<typeof deliveryOperations> {
  return {
    listDeliveries: (caller, request) => {
      const address = readEndpointAddress(request);
      const list = { status: readDeliveryStatus(request), position: readListPosition(request) };
      return readDeliveries(services, caller, address, list);
    },
    getDelivery: async (caller, request) => {
      const address = readEndpointAddress(request);
      return { body: await readDelivery(services.table, caller, address, readDeliveryId(request)) };
    },
    replayDelivery: async (caller, request) => {
      const address = readEndpointAddress(request);
      return { body: await replayOne(services, caller, address, readDeliveryId(request)) };
    },
  };
}
