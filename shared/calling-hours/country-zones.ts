import { zonesByCountry } from './time-zones.ts';

/**
 * The time zones of a country's inhabited places; none for an unknown code.
 *
 * @param countryCode ISO 3166-1, two letters of either case
 */
export function zonesOfCountry(countryCode: string): readonly string[] {
  return zonesByCountry[countryCode.toUpperCase()]?.split(' ') ?? [];
}
