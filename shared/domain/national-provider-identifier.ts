/** Prefix of every NPI for its check digit: health care in the United States (ISO 7812). */
const issuer = '80840';

/**
 * Whether a text is a National Provider Identifier: ten digits, the last a check digit (Luhn, including the issuer's
 * prefix).
 */
export function isNationalProviderIdentifier(text: string): boolean {
  if (!/^[12]\d{9}$/.test(text)) return false;
  const digits = [...`${issuer}${text}`].map(Number).reverse();
  const sum = digits.reduce((total, digit, place) => total + (place % 2 === 0 ? digit : doubled(digit)), 0);
  return sum % 10 === 0;
}

/** Twice the digit, reduced to the sum of its digits. */
function doubled(digit: number): number {
  return digit < 5 ? digit * 2 : digit * 2 - 9;
}
