import { type CountryCallingCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Country code of the international premium-rate service, all of whose numbers are such. */
const internationalPremiumRate: CountryCallingCode = '979';
const northAmerica: CountryCallingCode = '1';

/** The only emergency numbers that are as long as some complete number of their country: South Africa's. */
const longEmergencyNumbers = ['+2710111', '+2710177'];

/** Area code and exchange of a North American number: neither begins with 0 or 1. */
const northAmericanNumber = /^[2-9]\d{2}[2-9]\d{6}$/;
/** Codes such as 911 and 411 are dialled by themselves. */
const serviceArea = /^\d11/;
const serviceExchange = /^\d{3}\d11/;
/** Area code 900, in all its countries, and the exchange 976 of the United States and Canada. */
const premiumArea = /^900/;
const premiumExchange = /^\d{3}976/;

/**
 * What forbids to call a number, as a rule that completes a sentence about it; null when nothing does.
 * Refused are emergency and premium-rate numbers and what no number of its country looks like. A number need
 * not be assigned as far as is known: numbering plans grow faster than any table of them. Rules of the North
 * American plan: NANPA, "About the North American Numbering Plan"; of all others: libphonenumber's metadata.
 *
 * @param phoneNumber E.164
 */
export function findNumberProblem(phoneNumber: string): string | null {
  const number = parsePhoneNumberFromString(phoneNumber);
  if (isShortNumber(phoneNumber, number)) return 'must not be an emergency number or another short number';
  if (number === undefined) return 'must begin with a country code that is in use';
  if (isPremiumRate(number)) return 'must not be a premium-rate number';
  if (!isWellFormed(phoneNumber, number)) return 'must be a valid number of its country';
  return null;
}

/** Whether this is a short number of a country: 112, also with a country code before it. */
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

/** Also with an area code that is too new to be known: new ones are of the United States or Canada. */
function isOnMainland({ country }: PhoneNumber): boolean {
  return country === undefined || country === 'US' || country === 'CA';
}

function isWellFormed(phoneNumber: string, number: PhoneNumber): boolean {
  // A prefix for calls within the country, such as the 0 in +44 020…, is understood and left out, but not dialled so.
  if (number.number !== phoneNumber || !number.isPossible()) return false;
  return number.countryCallingCode !== northAmerica || isNorthAmerican(number);
}

function isNorthAmerican(number: PhoneNumber): boolean {
  const digits = number.nationalNumber;
  if (!northAmericanNumber.test(digits) || serviceArea.test(digits)) return false;
  // Toll-free numbers have no exchanges; 1-800-411-… is in use.
  return !serviceExchange.test(digits) || number.getType() === 'TOLL_FREE';
}
