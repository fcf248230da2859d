import { carryOutExport } from '#shared/patient-exports/carry-out-export.ts';
import { carryOutErasure } from './carry-out-erasure.ts';
import { carryOutRetention } from './carry-out-retention.ts';
import type { ErasureMessage } from './erasure-queue.ts';
import type { ErasureServices } from './erasure-services.ts';

/** Handles a message of the erasure queue. Messages may be duplicated, late and concurrent. */
export function handleErasureMessage(services: ErasureServices, message: ErasureMessage): Promise<void> {
  switch (message.kind) {
    case 'erasure':
      return carryOutErasure(services, message.id);
    case 'retention':
      return carryOutRetention(services, message.project_id);
    case 'export':
      return carryOutExport(services, message.patient_id);
  }
}
