import * as z from 'zod/mini';
import { onFirstUse } from '#shared/domain/on-first-use.ts';

/** One message for every mistake. */
export function wholeNumber(
  least: number,
  most: number,
  rule = `must be a whole number from ${least} to ${most}`,
) {
  return z.int(rule).check(z.gte(least, rule), z.lte(most, rule));
}

const countryRule = 'must be two-letter country codes (ISO 3166-1), such as US';

/** Countries, each once. */
export const CountryCodes = z.pipe(
  z
    .array(
      z.string().check(
        z.overwrite((code) => code.toUpperCase()),
        z.refine(isCountry, countryRule),
      ),
    )
    .check(z.minLength(1, countryRule), z.maxLength(300)),
  z.transform((codes: string[]) => [...new Set(codes)]),
);

export const TimeZone = z
  .string()
  .check(z.refine(isTimeZone, 'must be a time zone (IANA), such as America/New_York'));

/** Region codes that are not countries: unions and placeholders. */
const noCountries = ['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ'];
const regionNames = onFirstUse(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));

function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !noCountries.includes(code) && regionNames().of(code) !== undefined;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return /^[A-Z]/.test(name);
  } catch {
    return false;
  }
}
