import type { Switchboard } from '#shared/domain/switchboard.ts';
import type { CarrierCapacity } from './switchboard.ts';

/** A slot that comes within this time is waited for in the function. */
const slotHorizonMs = 1000;

/** When the carrier takes the next call. */
export function nextSlotMs({ next_slot_at }: Switchboard, now: Date): number {
  return next_slot_at === null ? now.getTime() : Math.max(now.getTime(), Date.parse(next_slot_at));
}

export function isSlotNear(slotMs: number, now: Date): boolean {
  return slotMs - now.getTime() <= slotHorizonMs;
}

export function spacingMs({ callsPerSecond }: CarrierCapacity): number {
  return Math.ceil(1000 / callsPerSecond);
}

/** How many calls can be handed to the carrier now or in a moment. */
export function countNearSlots(board: Switchboard, capacity: CarrierCapacity, now: Date): number {
  const firstMs = nextSlotMs(board, now);
  if (!isSlotNear(firstMs, now)) return 0;
  return Math.floor((now.getTime() + slotHorizonMs - firstMs) / spacingMs(capacity)) + 1;
}
