/*
 * "Tomorrow" depends on the place. The state of an address determines the time zone well enough.
 */

const statesByZone: Record<string, string> = {
  'America/New_York':
    'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV ' +
    'connecticut delaware florida georgia indiana kentucky massachusetts maryland maine michigan north-carolina ' +
    'new-hampshire new-jersey new-york ohio pennsylvania rhode-island south-carolina virginia vermont ' +
    'west-virginia district-of-columbia',
  'America/Chicago':
    'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI ' +
    'alabama arkansas iowa illinois kansas louisiana minnesota missouri mississippi north-dakota nebraska ' +
    'oklahoma south-dakota tennessee texas wisconsin',
  'America/Denver': 'CO ID MT NM UT WY colorado idaho montana new-mexico utah wyoming',
  'America/Phoenix': 'AZ arizona',
  'America/Los_Angeles': 'CA NV OR WA california nevada oregon washington',
  'America/Anchorage': 'AK alaska',
  'Pacific/Honolulu': 'HI hawaii',
};

const zoneByState = new Map(
  Object.entries(statesByZone).flatMap(([zone, states]) =>
    states.split(' ').map((state) => [state.toLowerCase(), zone] as const),
  ),
);

/** The zone of most called places, for addresses without one. */
export const defaultTimeZone = 'America/New_York';

/** The time zone of most people in a state. */
export function timeZoneOfState(state: string | undefined): string {
  const key = (state ?? '').trim().toLowerCase().replaceAll(/\s+/g, '-');
  return zoneByState.get(key) ?? defaultTimeZone;
}
