import { type CountryCallingCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Country code of the international premium-rate service. */
const internationalPremiumRate: CountryCallingCode = '979';
const northAmerica: CountryCallingCode = '1';

/** The only emergency numbers as long as complete numbers of their country: South Africa's. */
const longEmergencyNumbers = ['+2710111', '+2710177'];

/** Area code and exchange of a North American number: neither begins with 0 or 1. */
const northAmericanNumber = /^[2-9]\d{2}[2-9]\d{6}$/;
/** Codes such as 911 and 411 are dialed alone. */
const serviceArea = /^\d11/;
const serviceExchange = /^\d{3}\d11/;
/** Area code 900, in all its countries, and exchange 976 of the United States and Canada. */
const premiumArea = /^900/;
const premiumExchange = /^\d{3}976/;

/** Ranges of North America without a place: personal numbers, and those of carriers and the government. */
const placelessArea = /^([5-7]00|710|6(22|33|44|55|66|77|88))/;
/** Kinds of numbers that may cost extra, or that follow a person anywhere. */
const specialTypes: ReadonlySet<string | undefined> = new Set([
  'PREMIUM_RATE',
  'PERSONAL_NUMBER',
  'SHARED_COST',
  'UAN',
  'PAGER',
]);
/** Emergency numbers, alone or after a country code. */
const emergencyNumber = /^(1\d\d|911|99\d|000)$/;

/** Whether the number reaches an emergency service. @param phoneNumber E.164 */
export function isEmergencyNumber(phoneNumber: string): boolean {
  const digits = parsePhoneNumberFromString(phoneNumber)?.nationalNumber ?? phoneNumber.slice(1);
  return (
    [digits, phoneNumber.slice(1)].some((dialed) => emergencyNumber.test(dialed)) ||
    longEmergencyNumbers.includes(phoneNumber)
  );
}

/**
 * Why a number may not be called in these countries, as the predicate of a sentence; null if it may.
 * Never callable are emergency and premium-rate numbers, numbers without a place (satellite, personal, shared-cost and
 * international ranges) and numbers invalid in their country. Countries are those of libphonenumber's metadata, which
 * separates the islands of the North American plan from the United States and Canada.
 *
 * @param phoneNumber E.164
 * @param countries ISO 3166-1
 */
export function findNumberProblem(phoneNumber: string, countries: readonly string[]): string | null {
  const number = parsePhoneNumberFromString(phoneNumber);
  if (isShortNumber(phoneNumber, number)) return 'must not be an emergency number or another short number';
  if (number === undefined) return 'must begin with a country code that is in use';
  if (isPremiumRate(number)) return 'must not be a premium-rate number';
  if (!isWellFormed(phoneNumber, number)) return 'must be a valid number of its country';
  if (isPlaceless(number)) {
    return 'must not be a satellite, personal, shared-cost or international number';
  }
  // An area code too new to be known may be an island's, where a call costs many times as much.
  if (number.country !== undefined && countries.includes(number.country)) return null;
  return `must be a number of a country that the project may call (${countries.join(', ')})`;
}

/** Whether it has no place, or is in a premium-rate range. */
function isPlaceless(number: PhoneNumber): boolean {
  if (number.isNonGeographic() || specialTypes.has(number.getType())) return true;
  return number.countryCallingCode === northAmerica && placelessArea.test(number.nationalNumber);
}

/** Whether this is a short number of a country: 112, also after a country code. */
function isShortNumber(phoneNumber: string, number: PhoneNumber | undefined): boolean {
  const digits = number?.nationalNumber ?? phoneNumber.slice(1);
  return digits.length <= 3 || longEmergencyNumbers.includes(phoneNumber);
}

function isPremiumRate(number: PhoneNumber): boolean {
  if (number.countryCallingCode === internationalPremiumRate) return true;
  if (number.countryCallingCode === northAmerica) {
    return premiumArea.test(number.nationalNumber) || (isOnMainland(number) && hasPremiumExchange(number));
  }
  return number.getType() === 'PREMIUM_RATE';
}

function hasPremiumExchange({ nationalNumber }: PhoneNumber): boolean {
  return premiumExchange.test(nationalNumber);
}

/** Includes unknown new area codes, which belong to the United States or Canada. */
function isOnMainland({ country }: PhoneNumber): boolean {
  return country === undefined || country === 'US' || country === 'CA';
}

function isWellFormed(phoneNumber: string, number: PhoneNumber): boolean {
  // A national prefix, such as the 0 in +44 020…, is understood and dropped, but must not be dialed.
  if (number.number !== phoneNumber || !number.isPossible()) return false;
  return number.countryCallingCode !== northAmerica || isNorthAmerican(number);
}

function isNorthAmerican(number: PhoneNumber): boolean {
  const digits = number.nationalNumber;
  if (!northAmericanNumber.test(digits) || serviceArea.test(digits)) return false;
  // Toll-free numbers have no exchanges; 1-800-411-… is in use.
  return !serviceExchange.test(digits) || number.getType() === 'TOLL_FREE';
}
