import type { WeeklyWindow } from '#shared/domain/directory-entry.ts';
import { type PostalPlace, zonesOfAddress } from './address-zones.ts';
import { zonesOfNumber } from './number-zones.ts';

/** Where a telephone rings, as far as it is known. */
export interface CalledPlace {
  /** Every time zone in which it may be, as IANA names; at least one. */
  readonly zones: readonly string[];
  /** When the line answers, by its directory entries; absent or null for always. */
  readonly windows?: readonly WeeklyWindow[] | null;
}

/** The clock for telephones of no country and without an address: satellite networks, ships, international services. */
const placeless = ['UTC'];

/**
 * The place that is called. Number and addresses each name the time zones that they leave possible, and all of them
 * count: a number may have moved with its owner, and an address may be that of a head office.
 *
 * @param phoneNumber E.164
 * @param addresses those that belong to the number, from `calledAddresses`
 */
export function placeOf(phoneNumber: string, addresses: readonly PostalPlace[]): CalledPlace {
  const zones = new Set([...zonesOfNumber(phoneNumber), ...addresses.flatMap(zonesOfAddress)]);
  return { zones: zones.size === 0 ? placeless : [...zones] };
}
