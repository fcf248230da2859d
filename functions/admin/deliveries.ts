import { type DeliveryAddress, readDelivery, replayOne } from '#shared/admin/deliveries.ts';
import type { ManagementServices } from '#shared/admin/management-services.ts';
import { listDeliveriesLinked } from '#shared/http/admin-lists.ts';
import { readDeliveryId, readDeliveryStatus, readEndpointAddress } from '#shared/http/admin-requests.ts';
import { readListPosition } from '#shared/http/list-page.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import type { deliveryOperations } from '#shared/operations/admin/deliveries.ts';
import type { AdminHandlers } from '#shared/triggers/admin.ts';
import type { RawRequest } from '#shared/triggers/http.ts';

const readDeliveryAddress = (request: RawRequest): DeliveryAddress => ({
  ...readEndpointAddress(request),
  deliveryId: readDeliveryId(request),
});

export function deliveryHandlers(services: ManagementServices): AdminHandlers<typeof deliveryOperations> {
  const { table } = services;
  return {
    listDeliveries: (caller, request) => {
      const address = readEndpointAddress(request);
      const list = { status: readDeliveryStatus(request), position: readListPosition(request) };
      return listDeliveriesLinked(services, caller, address, list);
    },
    getDelivery: async (caller, request) => ({
      body: await readDelivery(
        { table, openBudget: openResponseBudget },
        caller,
        readDeliveryAddress(request),
      ),
    }),
    replayDelivery: async (caller, request) => ({
      body: await replayOne(services, caller, readDeliveryAddress(request)),
    }),
  };
}
