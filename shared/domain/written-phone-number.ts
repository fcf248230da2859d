import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { onFirstUse } from './on-first-use.ts';

/** Separators that people write between the digits of a number. */
const separators = /[\s()./\u2010-\u2013-]/g;

/**
 * Converts a written number to E.164: `(202) 555-0143`, `202-555-0143`, `1 202 555 0143`, `+1 202 555 0143`. A number
 * without a country code belongs to `country`. An invalid number, or one with an extension, which would be lost, comes
 * back without separators, for the schema to refuse.
 *
 * @param country ISO 3166, two capital letters
 */
export function toE164(text: string, country: string): string {
  const bare = text.replace(separators, '');
  if (bare.startsWith('+') || !isSupportedCountry(country)) return bare;
  const number = parsePhoneNumberFromString(text.trim(), { defaultCountry: country, extract: false });
  return number === undefined || number.ext !== undefined || !number.isPossible() ? bare : number.number;
}

/** As written in its country, with the country code first: `+1 (202) 555-0143`. @param phoneNumber E.164 */
export function phoneNumberText(phoneNumber: string): string {
  const number = parsePhoneNumberFromString(phoneNumber);
  // A number that parses only by dropping something must not be shown as another number.
  if (number?.number !== phoneNumber) return phoneNumber;
  const northAmerican = /^(\d{3})(\d{3})(\d{4})$/.exec(number.nationalNumber);
  if (number.countryCallingCode === '1' && northAmerican !== null) {
    const [, area, exchange, line] = northAmerican;
    return `+1 (${area}) ${exchange}-${line}`;
  }
  return number.formatInternational();
}

/** A text with every E.164 number in it formatted by `phoneNumberText`. */
export function withWrittenNumbers(text: string): string {
  return text.replaceAll(/\+[1-9]\d{7,14}\b/g, phoneNumberText);
}

const offered: readonly CountryCode[] = [
  'US',
  'CA',
  'MX',
  'GB',
  'IE',
  'AU',
  'NZ',
  'DE',
  'AT',
  'CH',
  'FR',
  'ES',
];
/** Countries that the settings offer, by name. */
export const countryChoices = onFirstUse(() => {
  const names = new Intl.DisplayNames('en-US', { type: 'region' });
  return offered.map((value) => ({ value, label: names.of(value) ?? value }));
});
