/** Rows as a file for a spreadsheet (RFC 4180), with the byte order mark by which Excel knows UTF-8. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('')}`;
}

/** Spreadsheets carry out what begins like a formula; a phone number is none, and stays one that can be dialed. */
const formula = /^[=+\-@\t\r]/;
const phoneNumber = /^\+\d+$/;

function cellText(text: string): string {
  const safe = formula.test(text) && !phoneNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
