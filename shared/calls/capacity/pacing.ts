import type { CallCapacity } from '#shared/domain/call-capacity.ts';
import type { CarrierLimits } from './capacity.ts';

/** A slot due within this time is awaited in the function. */
const dialHorizonMs = 1000;

/** When the carrier takes the next call. */
export function nextDialMs({ next_slot_at }: CallCapacity, now: Date): number {
  return next_slot_at === null ? now.getTime() : Math.max(now.getTime(), Date.parse(next_slot_at));
}

export function isDialNear(dialMs: number, now: Date): boolean {
  return dialMs - now.getTime() <= dialHorizonMs;
}

export function spacingMs({ callsPerSecond }: CarrierLimits): number {
  return Math.ceil(1000 / callsPerSecond);
}

/** How many calls can be handed to the carrier now or in a moment. */
export function countNearDials(capacity: CallCapacity, limits: CarrierLimits, now: Date): number {
  const firstMs = nextDialMs(capacity, now);
  if (!isDialNear(firstMs, now)) return 0;
  return Math.floor((now.getTime() + dialHorizonMs - firstMs) / spacingMs(limits)) + 1;
}
