import { zonesOfCountry } from './country-zones.ts';

/** The parts of an address that determine its time zone, as clients write them. */
export interface PostalPlace {
  /** State, province or territory, by its code or its English name. */
  readonly state: string | null;
  /** Two-letter country code; the two countries of North America also by name. */
  readonly country: string | null;
}

/**
 * All possible time zones of an address. None if its state or country is unknown, and none for the United States or
 * Canada as a whole: without the state, such an address says no more than the number.
 */
export function zonesOfAddress({ state, country }: PostalPlace): readonly string[] {
  const stateKey = keyOf(state ?? '');
  const countryKey = keyOf(country ?? '');
  if (countryKey === '') return zonesOfState(stateKey) ?? zonesOfProvince(stateKey) ?? [];
  if (unitedStates.has(countryKey)) return zonesOfState(stateKey) ?? [];
  if (canada.has(countryKey)) return zonesOfProvince(stateKey) ?? [];
  return zonesOfCountry(countryKey);
}

const unitedStates: ReadonlySet<string> = new Set(['US', 'USA', 'UNITEDSTATES', 'UNITEDSTATESOFAMERICA']);
const canada: ReadonlySet<string> = new Set(['CA', 'CAN', 'CANADA']);

const pacific = 'America/Los_Angeles';
const mountain = 'America/Denver';
const central = 'America/Chicago';
const eastern = 'America/New_York';
const atlantic = 'America/Halifax';

interface State {
  readonly name: string;
  readonly zones: readonly string[];
}

/** States that span two zones have both, wherever the border runs. Arizona has a second one in the Navajo Nation. */
const states: Readonly<Record<string, State>> = {
  AL: { name: 'Alabama', zones: [central] },
  AK: { name: 'Alaska', zones: ['America/Anchorage', 'America/Adak'] },
  AZ: { name: 'Arizona', zones: ['America/Phoenix', mountain] },
  AR: { name: 'Arkansas', zones: [central] },
  CA: { name: 'California', zones: [pacific] },
  CO: { name: 'Colorado', zones: [mountain] },
  CT: { name: 'Connecticut', zones: [eastern] },
  DE: { name: 'Delaware', zones: [eastern] },
  DC: { name: 'District of Columbia', zones: [eastern] },
  FL: { name: 'Florida', zones: [eastern, central] },
  GA: { name: 'Georgia', zones: [eastern] },
  HI: { name: 'Hawaii', zones: ['Pacific/Honolulu'] },
  ID: { name: 'Idaho', zones: ['America/Boise', pacific] },
  IL: { name: 'Illinois', zones: [central] },
  IN: { name: 'Indiana', zones: [eastern, central] },
  IA: { name: 'Iowa', zones: [central] },
  KS: { name: 'Kansas', zones: [central, mountain] },
  KY: { name: 'Kentucky', zones: [eastern, central] },
  LA: { name: 'Louisiana', zones: [central] },
  ME: { name: 'Maine', zones: [eastern] },
  MD: { name: 'Maryland', zones: [eastern] },
  MA: { name: 'Massachusetts', zones: [eastern] },
  MI: { name: 'Michigan', zones: [eastern, central] },
  MN: { name: 'Minnesota', zones: [central] },
  MS: { name: 'Mississippi', zones: [central] },
  MO: { name: 'Missouri', zones: [central] },
  MT: { name: 'Montana', zones: [mountain] },
  NE: { name: 'Nebraska', zones: [central, mountain] },
  NV: { name: 'Nevada', zones: [pacific, mountain] },
  NH: { name: 'New Hampshire', zones: [eastern] },
  NJ: { name: 'New Jersey', zones: [eastern] },
  NM: { name: 'New Mexico', zones: [mountain] },
  NY: { name: 'New York', zones: [eastern] },
  NC: { name: 'North Carolina', zones: [eastern] },
  ND: { name: 'North Dakota', zones: [central, mountain] },
  OH: { name: 'Ohio', zones: [eastern] },
  OK: { name: 'Oklahoma', zones: [central] },
  OR: { name: 'Oregon', zones: [pacific, 'America/Boise'] },
  PA: { name: 'Pennsylvania', zones: [eastern] },
  RI: { name: 'Rhode Island', zones: [eastern] },
  SC: { name: 'South Carolina', zones: [eastern] },
  SD: { name: 'South Dakota', zones: [central, mountain] },
  TN: { name: 'Tennessee', zones: [eastern, central] },
  TX: { name: 'Texas', zones: [central, mountain] },
  UT: { name: 'Utah', zones: [mountain] },
  VT: { name: 'Vermont', zones: [eastern] },
  VA: { name: 'Virginia', zones: [eastern] },
  WA: { name: 'Washington', zones: [pacific] },
  WV: { name: 'West Virginia', zones: [eastern] },
  WI: { name: 'Wisconsin', zones: [central] },
  WY: { name: 'Wyoming', zones: [mountain] },
  AS: { name: 'American Samoa', zones: ['Pacific/Pago_Pago'] },
  GU: { name: 'Guam', zones: ['Pacific/Guam'] },
  MP: { name: 'Northern Mariana Islands', zones: ['Pacific/Saipan'] },
  PR: { name: 'Puerto Rico', zones: ['America/Puerto_Rico'] },
  VI: { name: 'U.S. Virgin Islands', zones: ['America/St_Thomas'] },
};

const provinces: Readonly<Record<string, State>> = {
  AB: { name: 'Alberta', zones: ['America/Edmonton'] },
  BC: {
    name: 'British Columbia',
    zones: ['America/Vancouver', 'America/Edmonton', 'America/Fort_Nelson', 'America/Creston'],
  },
  MB: { name: 'Manitoba', zones: ['America/Winnipeg'] },
  NB: { name: 'New Brunswick', zones: ['America/Moncton'] },
  NL: { name: 'Newfoundland and Labrador', zones: ['America/St_Johns', 'America/Goose_Bay'] },
  NS: { name: 'Nova Scotia', zones: [atlantic] },
  NT: { name: 'Northwest Territories', zones: ['America/Edmonton', 'America/Inuvik'] },
  NU: {
    name: 'Nunavut',
    zones: ['America/Iqaluit', 'America/Rankin_Inlet', 'America/Resolute', 'America/Cambridge_Bay'],
  },
  ON: { name: 'Ontario', zones: ['America/Toronto', 'America/Winnipeg', 'America/Atikokan'] },
  PE: { name: 'Prince Edward Island', zones: [atlantic] },
  QC: { name: 'Quebec', zones: ['America/Toronto', atlantic, 'America/Blanc-Sablon'] },
  SK: { name: 'Saskatchewan', zones: ['America/Regina', 'America/Edmonton'] },
  YT: { name: 'Yukon', zones: ['America/Whitehorse'] },
};

const statesByKey = byCodeAndName(states);
const provincesByKey = byCodeAndName(provinces);

function zonesOfState(key: string): readonly string[] | undefined {
  return statesByKey.get(key);
}

function zonesOfProvince(key: string): readonly string[] | undefined {
  return provincesByKey.get(key);
}

function byCodeAndName(all: Readonly<Record<string, State>>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(all).flatMap(([code, { name, zones }]) => [
      [code, zones] as const,
      [keyOf(name), zones] as const,
    ]),
  );
}

/** Letters alone, without case and accents: "N.Y." is NY, "Québec" is Quebec. */
function keyOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toUpperCase();
}
