/**
 * A calendar date as people in the United States write it, as `YYYY-MM-DD`: `7/12/1984`. Returns anything
 * else unchanged.
 */
export function toIsoDate(text: string): string {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim()) ?? [];
  return year === '' ? text.trim() : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
