/** A date in a sentence. */
export interface FoundDate {
  readonly text: string;
  /** `YYYY-MM-DD`; without a year `--MM-DD`. */
  readonly iso: string;
  readonly day: number;
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const written = new RegExp(
  `\\b(?:\\w+day, )?(${months.join('|')}) (\\d{1,2})(?:st|nd|rd|th)?(?:,? ((?:19|20)\\d\\d))?\\b`,
  'gi',
);
const numeric = /\b((?:19|20)\d\d)-(\d\d)-(\d\d)(?:T\d\d:\d\d)?\b/g;

/** The dates of a text, and the text without them, so that their digits are not taken for other numbers. */
export function withoutDates(text: string): { readonly dates: readonly FoundDate[]; readonly rest: string } {
  const dates: FoundDate[] = [];
  const rest = text
    .replace(numeric, (whole, year: string, month: string, day: string) => {
      dates.push({ text: whole, iso: `${year}-${month}-${day}`, day: Number(day) });
      return ' ';
    })
    .replace(written, (whole, name: string, day: string, year: string | undefined) => {
      const month = String(months.indexOf(name.toLowerCase()) + 1).padStart(2, '0');
      dates.push({ text: whole, iso: `${year ?? '-'}-${month}-${day.padStart(2, '0')}`, day: Number(day) });
      return ' ';
    });
  return { dates, rest };
}
