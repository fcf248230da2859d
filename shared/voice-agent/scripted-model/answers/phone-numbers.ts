/** The first telephone number in a plain text, in E.164; numbers of ten digits count as North American. */
export function findPhoneNumber(plain: string): string | null {
  for (const match of plain.matchAll(/\+?\d(?:[\s().,-]{0,3}\d){6,14}/g)) {
    const digits = match[0].replaceAll(/\D/g, '');
    if (digits.length === 10) return `+1${digits}`;
    if (digits.length === 11 && digits.startsWith('1')) return `+${digits}`;
    if (match[0].startsWith('+')) return `+${digits}`;
    // A local number without area code is kept as it was said.
    if (digits.length === 7) return digits;
  }
  return null;
}
