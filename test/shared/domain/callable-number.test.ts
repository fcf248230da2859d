import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' };
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max';
import { describe, expect, test } from 'vitest';
import { findNumberProblem, isEmergencyNumber } from '#shared/domain/callable-number.ts';

const short = 'must not be an emergency number or another short number';
const premiumRate = 'must not be a premium-rate number';
const noCountry = 'must begin with a country code that is in use';
const invalid = 'must be a valid number of its country';

const special = 'must not be a satellite, personal, shared-cost or international number';

describe('a number is refused', () => {
  test.each([
    ['emergency, as in North America', '+911', short],
    ['emergency, with the country code of North America', '+1911', short],
    ['emergency, as in Europe', '+112', short],
    ['emergency, with the country code of North America', '+1112', short],
    ['emergency, as in Britain', '+999', short],
    ['emergency, with the country code of Britain', '+44999', short],
    ['emergency, with the country code of Germany', '+49112', short],
    ['emergency, with the country code of China', '+86110', short],
    ['emergency, with the country code of India', '+91112', short],
    ['emergency, of five digits in South Africa', '+2710111', short],
    ['ambulance, of five digits in South Africa', '+2710177', short],
    ['information', '+1411', short],
    ['premium rate, area code 900', '+19005550100', premiumRate],
    ['premium rate, exchange 976', '+12029765550', premiumRate],
    ['premium rate, exchange 976 of an area code too new to be known', '+13799765550', premiumRate],
    ['premium rate in Britain', '+449012345678', premiumRate],
    ['premium rate in Germany', '+499001234567', premiumRate],
    ['premium rate in France', '+33899123456', premiumRate],
    ['premium rate in Australia', '+611900123456', premiumRate],
    ['premium rate, international', '+979123456789', premiumRate],
    ['a country code that no country has', '+99912345678', noCountry],
    ['a country code kept for later', '+21012345678', noCountry],
    ['too short for North America', '+1202555010', invalid],
    ['too long for North America', '+120255501000', invalid],
    ['North American with a second 1', '+112025550100', invalid],
    ['an area code that begins with 1', '+11235550100', invalid],
    ['an area code that begins with 0', '+10235550100', invalid],
    ['an area code that is a service code', '+19115550100', invalid],
    ['an exchange that begins with 1', '+12021550100', invalid],
    ['an exchange that is a service code', '+12029110100', invalid],
    ['too short for Britain', '+4420794', invalid],
    ['too long for France', '+331234567890', invalid],
    ['with the prefix for calls within Britain', '+4402079460000', invalid],
    ['with the prefix for calls within Russia', '+789161234567', invalid],
    ['of a satellite telephone', '+88216123456', special],
    ['of a satellite telephone', '+881612345678', special],
    ['of a ship', '+870773111632', special],
    ['of an international network', '+883510001234', special],
    ['personal, international', '+878101234567890', special],
    ['shared-cost, international', '+80812345678', special],
    ['toll-free, international', '+80012345678', special],
    ['personal in Britain', '+447012345678', special],
    ['for all of Britain, at the cost of whoever calls', '+443001234567', special],
    ['shared-cost in Germany', '+491801234567', special],
    ['shared-cost in Australia', '+61131234', special],
    ['personal, area code 500', '+15005550100', special],
    ['personal, area code 533', '+15335550100', special],
    ['of Canada without a place', '+16225550100', special],
    ['of a carrier, area code 700', '+17005550100', special],
    ['of the government, area code 710', '+17105550100', special],
  ])('%s: %s', (_, number, problem) => {
    expect(findNumberProblem(number, getCountries())).toBe(problem);
  });
});

describe('a number is accepted if its country may be called', () => {
  test.each([
    ['toll-free', '+18005550100'],
    ['toll-free with the digits of a service code', '+18004115550'],
    ['976 in Jamaica, where it is an exchange like others', '+18769765550'],
    ['emergency digits at its end', '+12025550911'],
    ['in London', '+442079460000'],
    ['in Rome, where the 0 is dialed from abroad too', '+390612345678'],
    ['a mobile in Argentina', '+5491123456789'],
    ['of four digits on Niue', '+6834000'],
    ['begins like an emergency number of its country', '+27101112345'],
  ])('%s: %s', (_, number) => {
    expect(findNumberProblem(number, getCountries())).toBeNull();
  });

  test('a mobile number of every country', () => {
    for (const country of getCountries()) {
      const number = `+${getCountryCallingCode(country)}${examples[country]}`;
      expect(findNumberProblem(number, getCountries()), country).toBeNull();
    }
  });
});

describe('with the United States and Canada allowed', () => {
  test.each([
    ['Washington', '+12025550100'],
    ['Toronto', '+14165550100'],
    ['toll-free', '+18335550100'],
  ])('%s may be called: %s', (_, number) => {
    expect(findNumberProblem(number, ['US', 'CA'])).toBeNull();
  });

  test.each([
    ['Jamaica', '+18765550100'],
    ['Jamaica, by its new area code', '+16585550100'],
    ['the Dominican Republic', '+18095550100'],
    ['Bermuda', '+14415550100'],
    ['Puerto Rico', '+17875550100'],
    ['Guam', '+16715550100'],
    ['an area code that nobody has yet', '+13795550100'],
    ['Cuba', '+5351234567'],
    ['Somalia', '+252612345678'],
    ['the Maldives', '+9607712345'],
    ['Ascension', '+24740000'],
    ['London', '+442079460000'],
  ])('%s may not: %s', (_, number) => {
    expect(findNumberProblem(number, ['US', 'CA'])).toBe(
      'must be a number of a country that the project may call (US, CA)',
    );
  });
});

describe('an emergency number is recognized', () => {
  test.each(['+911', '+1911', '+112', '+1112', '+999', '+44999', '+49112', '+86110', '+2710111'])(
    '%s',
    (number) => {
      expect(isEmergencyNumber(number)).toBe(true);
    },
  );

  test.each(['+12', '+15551234567', '+12025550911', '+999123456789012', '+1234567890', '+6834000'])(
    '%s is none',
    (number) => {
      expect(isEmergencyNumber(number)).toBe(false);
    },
  );
});
