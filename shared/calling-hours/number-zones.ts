import { zonesOfCountry } from './country-zones.ts';
import { prefixesByZones } from './time-zones.ts';

const zonesByPrefix: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(prefixesByZones).flatMap(([zones, prefixes]) =>
    prefixes.split(' ').map((prefix) => [prefix, zones.split(' ')] as const),
  ),
);

const longestPrefix = Math.max(...[...zonesByPrefix.keys()].map((prefix) => prefix.length));

/**
 * Toll-free numbers of the North American Numbering Plan. Its islands, from Guam to Bermuda, are left out: with their
 * time zones, no insurer could be called during its office hours.
 */
const tollFree = /^18(00|33|44|55|66|77|88)/;

/**
 * All time zones in which a number may ring, judging by its digits: those of its area code, of the United States and
 * Canada for toll-free numbers, or of the whole numbering plan where the digits name no area, as for many mobile
 * numbers. None for a number of no country, such as a satellite phone's.
 *
 * @param phoneNumber E.164
 */
export function zonesOfNumber(phoneNumber: string): readonly string[] {
  const digits = phoneNumber.slice(1);
  if (isTollFree(phoneNumber)) return [...zonesOfCountry('US'), ...zonesOfCountry('CA')];
  for (let length = longestPrefix; length > 0; length -= 1) {
    const zones = zonesByPrefix.get(digits.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return [];
}

/** Whether the number is toll-free in North America: such a line is shared by all who call an organization. */
export function isTollFree(phoneNumber: string): boolean {
  return tollFree.test(phoneNumber.slice(1));
}
