import { describe, expect, test } from 'vitest';
import { type PostalPlace, zonesOfAddress } from '#shared/calling-hours/address-zones.ts';
import { calledAddresses } from '#shared/calling-hours/called-addresses.ts';
import { zonesOfNumber } from '#shared/calling-hours/number-zones.ts';
import { closingTime, nextOpening } from '#shared/calling-hours/opening.ts';
import { placeOf } from '#shared/calling-hours/place.ts';
import { prefixesByZones, zonesByCountry } from '#shared/calling-hours/time-zones.ts';
import { defaultCallingHours } from '#shared/domain/project.ts';

describe('the time zones of a number', () => {
  test.each([
    ['of an area code in one zone are that one', '+12025550100', ['America/New_York']],
    ['of an area code in two are both', '+18505550100', ['America/Chicago', 'America/New_York']],
    [
      'of an overlay are those of the code it lies over',
      '+14485550100',
      ['America/Chicago', 'America/New_York'],
    ],
    ['with the Navajo Nation have both of its clocks', '+19285550100', ['America/Denver', 'America/Phoenix']],
    ['of a city abroad are that of the city', '+74951234567', ['Europe/Moscow']],
    ['of an island are that of the island', '+34928123456', ['Atlantic/Canary']],
    ['of a country with one zone are that one', '+818012345678', ['Asia/Tokyo']],
    ['of a country that the statistics put elsewhere are its own', '+50588881234', ['America/Managua']],
    [
      'of a mobile in a country of several zones are all of them',
      '+34612345678',
      ['Africa/Ceuta', 'Atlantic/Canary', 'Europe/Madrid'],
    ],
    [
      'of a mobile of one of two countries with the same code are those of that country',
      '+77012345678',
      [
        'Asia/Almaty',
        'Asia/Aqtau',
        'Asia/Aqtobe',
        'Asia/Atyrau',
        'Asia/Oral',
        'Asia/Qostanay',
        'Asia/Qyzylorda',
      ],
    ],
    ['of a satellite telephone are none', '+88216123456', []],
  ])('%s', (_, number, zones) => {
    expect(zonesOfNumber(number)).toEqual(zones);
  });

  test('of a mobile in North America cover all coasts', () => {
    expect(zonesOfNumber('+61412345678')).toEqual(
      expect.arrayContaining(['Australia/Sydney', 'Australia/Perth', 'Australia/Lord_Howe']),
    );
    expect(zonesOfNumber('+79161234567')).toEqual(
      expect.arrayContaining(['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Kamchatka']),
    );
  });

  test('of an unknown area code are those of the whole plan', () => {
    expect(zonesOfNumber('+13795550100')).toEqual(
      expect.arrayContaining(['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu', 'Pacific/Guam']),
    );
  });

  test('of a toll-free number are those of the US and Canada, so that an insurer can be called at all', () => {
    const place = placeOf('+18005550100', []);
    expect(place.zones).toEqual(
      expect.arrayContaining(['America/New_York', 'America/St_Johns', 'Pacific/Honolulu']),
    );
    expect(place.zones).not.toContain('Pacific/Guam');
    const opening = nextOpening(defaultCallingHours, place, new Date('2026-01-12T05:00:00Z'));
    expect(opening?.at.toISOString()).toBe('2026-01-12T18:00:00.000Z');
    expect(closingTime(defaultCallingHours, place, new Date('2026-01-12T18:00:00Z'))?.toISOString()).toBe(
      '2026-01-13T00:30:00.000Z',
    );
  });

  test('are all known to the runtime', () => {
    const zones = [...Object.keys(prefixesByZones), ...Object.values(zonesByCountry)].flatMap((names) =>
      names.split(' '),
    );
    for (const timeZone of new Set(zones)) {
      expect(() => new Intl.DateTimeFormat('en', { timeZone }), timeZone).not.toThrow();
    }
    expect(zones.length).toBeGreaterThan(400);
  });

  test('are unique for each prefix', () => {
    const prefixes = Object.values(prefixesByZones).flatMap((list) => list.split(' '));
    expect(new Set(prefixes).size).toBe(prefixes.length);
  });
});

describe('the time zones of an address', () => {
  test.each<[string, PostalPlace, string[]]>([
    ['by the code of its state', { state: 'CA', country: 'US' }, ['America/Los_Angeles']],
    [
      'by the name of its state, however written',
      { state: ' new  york', country: 'us' },
      ['America/New_York'],
    ],
    ['with points in the code', { state: 'D.C.', country: 'U.S.A.' }, ['America/New_York']],
    [
      'both of a state in two zones',
      { state: 'Tennessee', country: 'United States' },
      ['America/New_York', 'America/Chicago'],
    ],
    ['in a territory', { state: 'PR', country: 'US' }, ['America/Puerto_Rico']],
    ['in a territory by its own country code', { state: '', country: 'GU' }, ['Pacific/Guam']],
    ['in a Canadian province', { state: 'Alberta', country: 'CA' }, ['America/Edmonton']],
    [
      'in a province with an accent',
      { state: 'Québec', country: 'Canada' },
      ['America/Toronto', 'America/Halifax', 'America/Blanc-Sablon'],
    ],
    ['by a state alone', { state: 'Oregon', country: null }, ['America/Los_Angeles', 'America/Boise']],
    ['by a province alone', { state: 'MB', country: null }, ['America/Winnipeg']],
    ['in another country', { state: 'Bayern', country: 'de' }, ['Europe/Berlin', 'Europe/Busingen']],
    ['none for a state that is not one', { state: 'Atlantis', country: 'US' }, []],
    ['none for a country that is not one', { state: 'CA', country: 'QQ' }, []],
    ['none for the name of an object member', { state: 'constructor', country: 'US' }, []],
    ['none where nothing is said', { state: null, country: null }, []],
  ])('%s', (_, address, zones) => {
    expect(zonesOfAddress(address)).toEqual(zones);
  });
});

describe('the addresses of the called number', () => {
  const number = '+12025550142';
  const address = {
    street_name: '1 Example Street',
    city: 'Springfield',
    state: 'OR',
    postal_code: '97475',
    country_code: 'US',
  };
  const oregon = { state: 'OR', country: 'US' };
  const taskWith = (task_data: Record<string, unknown> | null) => ({ phone_number: number, task_data });

  test.each(['provider', 'referral'])('are that of the %s with this number', (party) => {
    const addresses = calledAddresses(taskWith({ [party]: { phone_number: number, address } }), null);
    expect(addresses).toEqual([oregon]);
  });

  test('include that of the bill, which has its own format', () => {
    const bill = { phone_number: number, address: { city: 'Springfield', state: 'Oregon', country: 'USA' } };
    expect(calledAddresses(taskWith({ bill }), null)).toEqual([{ state: 'Oregon', country: 'USA' }]);
  });

  test("are the patient's if the patient is called", () => {
    expect(calledAddresses(taskWith(null), { phone_number: number, address })).toEqual([oregon]);
    expect(calledAddresses(taskWith(null), { phone_number: number, address: undefined })).toEqual([]);
  });

  test('exclude people with another number or none', () => {
    const task = taskWith({
      provider: { phone_number: '+12025550143', address },
      referral: { name: 'Dr. Example', address },
    });
    expect(calledAddresses(task, { phone_number: '+12025550144', address })).toEqual([]);
  });

  test('are empty if clients send another type', () => {
    const task = taskWith({ provider: 'Dr. Example', referral: null, bill: { phone_number: number } });
    expect(calledAddresses(task, null)).toEqual([]);
  });
});

describe('the called place', () => {
  test('has the zones of the number and of its addresses, each once', () => {
    expect(placeOf('+12025550142', [{ state: 'FL', country: 'US' }])).toEqual({
      zones: ['America/New_York', 'America/Chicago'],
    });
  });

  test('has every zone of an ambiguous number', () => {
    expect(placeOf('+19285550100', [{ state: 'HI', country: 'US' }])).toEqual({
      zones: ['America/Denver', 'America/Phoenix', 'Pacific/Honolulu'],
    });
  });

  test('uses UTC if unknown, and the address if only that is known', () => {
    expect(placeOf('+88216123456', [])).toEqual({ zones: ['UTC'] });
    expect(placeOf('+88216123456', [{ state: 'HI', country: 'US' }])).toEqual({
      zones: ['Pacific/Honolulu'],
    });
  });
});
