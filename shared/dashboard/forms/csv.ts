/** Rows as CSV (RFC 4180), with the byte order mark that lets Excel recognize UTF-8. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
}

/** Escapes cells that spreadsheets would run as formulas, except phone numbers, so that they can still be dialed. */
const formula = /^[=+\-@\t\r]/;
const phoneNumber = /^\+\d+$/;

function cellText(text: string): string {
  const safe = formula.test(text) && !phoneNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
