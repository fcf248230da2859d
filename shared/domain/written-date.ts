/**
 * Converts a calendar date as written in the United States to `YYYY-MM-DD`: `7/12/1984`, `Jul 12, 1984`. Returns
 * anything else unchanged.
 */
export function toIsoDate(text: string): string {
  const [, month = '', day = '', year = ''] =
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ??
    /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i.exec(text.trim()) ??
    [];
  const number = /^\d/.test(month) ? month : monthNumber(month);
  return number === '' ? text.trim() : `${year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);

/** The number of a month's name or abbreviation; empty for anything else. */
function monthNumber(name: string): string {
  const index = name === '' ? -1 : months.findIndex((month) => month.startsWith(name.toLowerCase()));
  return index === -1 ? '' : String(index + 1);
}

/** A day in prose: `July 12, 1984`. @param date `YYYY-MM-DD` */
export function writtenDay(date: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}
