import { zonesByCountry } from './time-zones.ts';

/**
 * The time zones that a country has inhabited places in; none for a code that is not a country's.
 *
 * @param countryCode ISO 3166-1, two letters of either case
 */
export function zonesOfCountry(countryCode: string): readonly string[] {
  return zonesByCountry[countryCode.toUpperCase()]?.split(' ') ?? [];
}
