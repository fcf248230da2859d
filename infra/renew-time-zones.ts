import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import {
  getCountries,
  getCountryCallingCode,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { given, runCommand, UsageError } from './command.ts';

const help = `Renews shared/calling-hours/time-zones.ts: the possible time zones of phone numbers and countries.

  npm run renew-time-zones -- --map-data FILE [--zone-tab FILE] [--out FILE]

  --map-data FILE  resources/timezones/map_data.txt of https://github.com/google/libphonenumber
  --zone-tab FILE  zone.tab of the IANA time zone database; default /usr/share/zoneinfo/zone.tab
  --out FILE       where to write instead
  --help           this text`;

const target = fileURLToPath(new URL('../shared/calling-hours/time-zones.ts', import.meta.url));

/**
 * Country code of the North American Numbering Plan, which countries share: the next three digits are the area code.
 */
const northAmerica = '1';

/** Country codes whose mobile numbers also begin with an area code: Argentina's and Brazil's. */
const codesWithMobileAreas = ['54', '55'];

/**
 * Zones the map lacks for prefixes that span several: a small part of an area, or the other zone of an older area code
 * that a newer one overlays.
 */
const alsoInZones: Readonly<Record<string, readonly string[]>> = {
  // Indiana and Kentucky, over 812 and 270.
  '1930': ['America/Chicago'],
  '1364': ['America/Chicago'],
  // Florida's panhandle, over 850.
  '1448': ['America/Chicago'],
  // Oregon's Malheur County.
  '1458': ['America/Boise'],
  '1541': ['America/Boise'],
  // British Columbia: the valleys that keep Mountain time, some of them without changing the clock.
  '1236': ['America/Edmonton', 'America/Fort_Nelson'],
  '1250': ['America/Edmonton', 'America/Fort_Nelson'],
  '1257': ['America/Edmonton', 'America/Fort_Nelson'],
  '1672': ['America/Edmonton', 'America/Fort_Nelson'],
  '1778': ['America/Edmonton', 'America/Fort_Nelson'],
  // Saskatchewan, with Lloydminster on Alberta's time.
  '1306': ['America/Edmonton'],
  '1474': ['America/Edmonton', 'America/Regina'],
  '1639': ['America/Edmonton'],
  // Ontario's west, where Atikokan does not change the clock.
  '1807': ['America/Atikokan'],
  // Quebec's Magdalen Islands and Lower North Shore.
  '1367': ['America/Halifax', 'America/Blanc-Sablon'],
  '1418': ['America/Halifax', 'America/Blanc-Sablon'],
  '1581': ['America/Halifax', 'America/Blanc-Sablon'],
  // Labrador, over 709.
  '1879': ['America/Halifax'],
  // Canada's north, with Yukon.
  '1867': ['America/Whitehorse'],
  // Chile's mobile numbers, which their type does not distinguish from others.
  '569': ['America/Coyhaique', 'America/Punta_Arenas', 'Pacific/Easter'],
};

type ZonesByKey = Map<string, readonly string[]>;

/** Zones by ISO country code, under the names in zone.tab. */
function readCountryZones(zoneTab: string): ZonesByKey {
  const zones: ZonesByKey = new Map();
  for (const line of dataLines(zoneTab)) {
    const [country, , zone] = line.split('\t');
    if (country === undefined || zone === undefined) throw new UsageError(`not a line of zone.tab: ${line}`);
    zones.set(country, [...(zones.get(country) ?? []), zone]);
  }
  return zones;
}

/** Zones by the leading digits of numbers. */
function readPrefixZones(mapData: string): ZonesByKey {
  return new Map(
    dataLines(mapData).map((line) => {
      const [prefix, zones] = line.split('|');
      if (prefix === undefined || zones === undefined)
        throw new UsageError(`not a line of map data: ${line}`);
      return [prefix, zones.split('&')];
    }),
  );
}

function dataLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** Zones by country calling code: those of all countries that share it. None for a territory missing from zone.tab. */
function zonesOfCallingCodes(countryZones: ZonesByKey): ZonesByKey {
  const zones: ZonesByKey = new Map();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const ofCountry = countryZones.get(country);
    if (ofCountry !== undefined) zones.set(code, [...(zones.get(code) ?? []), ...ofCountry]);
  }
  return zones;
}

/**
 * The map was built from statistics and sometimes names another country's zone. Keeps only zones of the countries with
 * the prefix's country code; if none are left, all of them are possible.
 */
function zonesInOwnCountries(mapped: ZonesByKey, codes: ZonesByKey): ZonesByKey {
  const currentNames = namesByCanonicalName([...codes.values()].flat());
  const own: ZonesByKey = new Map(codes);
  for (const [prefix, zones] of mapped) {
    if (codes.has(prefix) && prefix !== northAmerica) continue;
    const current = zones.map((zone) => currentNames.get(canonicalName(zone)) ?? zone);
    const ofCode = zonesOfCode(prefix, codes);
    const kept = ofCode.length === 0 ? current : current.filter((zone) => ofCode.includes(zone));
    own.set(prefix, kept.length === 0 ? ofCode : kept);
  }
  return own;
}

function zonesOfCode(prefix: string, codes: ZonesByKey): readonly string[] {
  return [1, 2, 3].flatMap((length) => codes.get(prefix.slice(0, length)) ?? []);
}

function namesByCanonicalName(zones: readonly string[]): ReadonlyMap<string, string> {
  return new Map(zones.map((zone) => [canonicalName(zone), zone]));
}

/** One name for all aliases of a zone. */
function canonicalName(zone: string): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone;
}

/**
 * North American numbers keep their area code when they move within it, so later digits are unreliable: an area code
 * has the zones of all its exchanges.
 */
function byAreaCode(prefixes: ZonesByKey): ZonesByKey {
  const areas: ZonesByKey = new Map();
  for (const [prefix, zones] of [...prefixes, ...Object.entries(alsoInZones)]) {
    const area = prefix.startsWith(northAmerica) ? prefix.slice(0, northAmerica.length + 3) : prefix;
    areas.set(area, [...(areas.get(area) ?? []), ...zones]);
  }
  return areas;
}

/**
 * Numbers without an area, such as toll-free and most mobile ones, may ring in every zone of their countries, although
 * the map has only the most common one. Splits a prefix that has both kinds of numbers.
 */
function withPlacelessNumbers(prefixes: ZonesByKey, codes: ZonesByKey, countryZones: ZonesByKey): ZonesByKey {
  const exact: ZonesByKey = new Map();
  for (const [prefix, zones] of prefixes) {
    exact.set(prefix, zones);
    const ofCode = zonesOfCode(prefix, codes);
    const isDivided = !prefix.startsWith(northAmerica) && !codes.has(prefix) && ofCode.length > 0;
    if (!isDivided || withoutRepeats(zones) === withoutRepeats(ofCode)) continue;
    for (const [part, placeless] of placelessParts(prefix, countryZones)) {
      if (part === prefix || !prefixes.has(part)) exact.set(part, placeless);
    }
  }
  return exact;
}

/** The parts of a prefix whose numbers have no area, with the zones of their countries. */
function placelessParts(prefix: string, countryZones: ZonesByKey): [string, readonly string[]][] {
  const samples = sampleNumbers(prefix);
  const placeless = samples.filter(({ type }) => isPlaceless(prefix, type));
  if (placeless.length === 0) return [];
  if (placeless.length === samples.length || prefix.length >= longestDivided) {
    return [[prefix, samples.flatMap(({ country }) => countryZones.get(country) ?? [])]];
  }
  return [...'0123456789'].flatMap((digit) => placelessParts(`${prefix}${digit}`, countryZones));
}

const longestDivided = 6;

function isPlaceless(prefix: string, type: NumberType): boolean {
  if (type === 'FIXED_LINE' || type === 'FIXED_LINE_OR_MOBILE') return false;
  return type !== 'MOBILE' || !codesWithMobileAreas.some((code) => prefix.startsWith(code));
}

/** Valid numbers that begin with a prefix, the same ones each time. */
function sampleNumbers(prefix: string): { country: string; type: NumberType }[] {
  return Array.from({ length: 15 - prefix.length }, (_, more) => prefix.length + more + 1).flatMap((length) =>
    Array.from({ length: samplesPerLength }, (_, index) => {
      const digits = String(index * 7_654_321 + 1_234_567).padStart(15, '0');
      const number = parsePhoneNumberFromString(
        `+${(prefix + [...digits].reverse().join('')).slice(0, length)}`,
      );
      if (number?.country === undefined || !number.isValid()) return [];
      return [{ country: number.country, type: number.getType() }];
    }).flat(),
  );
}

const samplesPerLength = 200;

/** Drops what a shorter prefix implies; sorts zones, so that equal sets compare equal. */
function withoutRepetition(prefixes: ZonesByKey): ReadonlyMap<string, string> {
  const texts = new Map(
    [...prefixes].map(([prefix, zones]) => [prefix, [...new Set(zones)].sort().join(' ')]),
  );
  return new Map([...texts].filter(([prefix, zones]) => shorterPrefixZones(texts, prefix) !== zones));
}

function withoutRepeats(zones: readonly string[]): string {
  return [...new Set(zones)].sort().join(' ');
}

function shorterPrefixZones(texts: ReadonlyMap<string, string>, prefix: string): string | undefined {
  for (let length = prefix.length - 1; length > 0; length -= 1) {
    const zones = texts.get(prefix.slice(0, length));
    if (zones !== undefined) return zones;
  }
  return undefined;
}

function grouped(prefixes: ReadonlyMap<string, string>): Record<string, string> {
  const groups = Map.groupBy([...prefixes].sort(), ([, zones]) => zones);
  return Object.fromEntries(
    [...groups].sort().map(([zones, entries]) => [zones, entries.map(([prefix]) => prefix).join(' ')]),
  );
}

function sourceText(prefixesByZones: object, zonesByCountry: object): string {
  return `/*
 * Made by \`npm run renew-time-zones\`; not edited by hand.
 *
 * Prefixes of telephone numbers and the zones that they are called in: from libphonenumber's
 * resources/timezones/map_data.txt, Copyright (C) 2012 The Libphonenumber Authors, Apache License 2.0, put
 * right and condensed as infra/renew-time-zones.ts says. Countries and their zones: from zone.tab of the IANA
 * time zone database, which is in the public domain.
 */

/**
 * Time zones, with blanks between them, to the prefixes of E.164 numbers (without the plus) that may be in
 * any of them.
 */
export const prefixesByZones: Readonly<Record<string, string>> = ${JSON.stringify(prefixesByZones, null, 2)};

/** ISO 3166-1 country codes to the time zones of the country, with blanks between them. */
export const zonesByCountry: Readonly<Record<string, string>> = ${JSON.stringify(zonesByCountry, null, 2)};
`;
}

async function renew(mapDataPath: string, zoneTabPath: string, outPath: string): Promise<string> {
  const countryZones = readCountryZones(await readFile(zoneTabPath, 'utf8'));
  const mapped = readPrefixZones(await readFile(mapDataPath, 'utf8'));
  const codes = zonesOfCallingCodes(countryZones);
  const areas = byAreaCode(zonesInOwnCountries(mapped, codes));
  const prefixes = withoutRepetition(withPlacelessNumbers(areas, codes, countryZones));
  const countries = Object.fromEntries(
    [...countryZones].sort().map(([code, zones]) => [code, zones.join(' ')]),
  );
  await writeFile(outPath, sourceText(grouped(prefixes), countries));
  const written = `${prefixes.size} prefixes and ${countryZones.size} countries written.`;
  return `${written} Now: biome check --write shared/calling-hours`;
}

const options = {
  'map-data': { type: 'string' },
  'zone-tab': { type: 'string', default: '/usr/share/zoneinfo/zone.tab' },
  out: { type: 'string', default: target },
} as const;

await runCommand(
  'renew-time-zones',
  'The time zones could not be renewed',
  { help, options },
  async (values) => {
    return renew(given('--map-data', values['map-data']), values['zone-tab'], values.out);
  },
);
