import type { WeeklyWindow } from '#shared/domain/directory-entry.ts';
import { type PostalPlace, zonesOfAddress } from './address-zones.ts';
import { zonesOfNumber } from './number-zones.ts';

/** Where a phone rings, as far as known. */
export interface CalledPlace {
  /** Every possible time zone, as IANA names; at least one. */
  readonly zones: readonly string[];
  /** When the line answers, by its directory entries; absent or null for always. */
  readonly windows?: readonly WeeklyWindow[] | null;
}

/** The time zone for phones without a country or address: satellite networks, ships, international services. */
const placeless = ['UTC'];

/**
 * The place being called. Number and addresses each allow some time zones, and all of them count: a number may have
 * moved with its owner, and an address may be a head office.
 *
 * @param phoneNumber E.164
 * @param addresses those of the number, from `calledAddresses`
 */
export function placeOf(phoneNumber: string, addresses: readonly PostalPlace[]): CalledPlace {
  const zones = new Set([...zonesOfNumber(phoneNumber), ...addresses.flatMap(zonesOfAddress)]);
  return { zones: zones.size === 0 ? placeless : [...zones] };
}
