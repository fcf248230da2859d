import { CsvError, parse } from 'csv-parse/sync';
import { ServiceError } from '#shared/domain/errors.ts';
import { importLimits } from '#shared/domain/import.ts';
import { type ColumnMeaning, columnsNamed, isAddedHeading } from './import-columns.ts';

export interface ImportedFile {
  readonly headings: readonly string[];
  /** The meaning of each column; null for ignored ones. */
  readonly columns: readonly (ColumnMeaning | null)[];
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[];
}

/** Reads a CSV file as spreadsheets write it. Throws `invalid_request` when no row can be checked. */
export function readImportFile(text: string): ImportedFile {
  if (text.startsWith('PK')) throw refused('This is a workbook. Save it as CSV UTF-8 and choose that file');
  if (text.includes('\ufffd')) {
    throw refused('Some characters cannot be read. Save the file as CSV UTF-8 to keep names correct');
  }
  const [headings = [], ...records] = recordsOf(withoutSeparatorLine(text));
  const columns = columnsNamed(headings);
  if (columns.every((column) => column === null)) {
    throw refused('The first row must name the columns, such as “First name”; start from a template');
  }
  const twice = headings.find((_, at) => columns[at] !== null && columns.indexOf(columns[at] ?? null) !== at);
  if (twice !== undefined) throw refused(`Two columns have the same meaning; remove one called “${twice}”`);
  const rows = records
    .map((cells, at) => ({ number: at + 2, cells: cells.map(withoutGuard) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  if (rows.length === 0) throw refused('The file has headings but no rows');
  if (rows.length > importLimits.rows) {
    throw refused(`The file has ${rows.length} rows; split it into files of at most ${importLimits.rows}`);
  }
  const long = rows.find(({ cells }) => Buffer.byteLength(cells.join()) > importLimits.rowBytes);
  if (long !== undefined) throw refused(`Row ${long.number} is too long`);
  return { headings, columns, rows };
}

/** Headings of ignored columns, except those that we added. */
export function ignoredHeadings({ headings, columns }: ImportedFile): string[] {
  return headings.filter((heading, at) => columns[at] === null && heading !== '' && !isAddedHeading(heading));
}

/** Removes the first line that some programs write to tell spreadsheets the separator. */
function withoutSeparatorLine(text: string): string {
  return text.replace(/^\ufeff?"?sep=.?"?\r?\n/i, '');
}

/** Removes the apostrophe that our own files put before formulas. */
function withoutGuard(cell: string): string {
  return cell.replace(/^'(?=[=+\-@])/, '');
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      trim: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refused('A quotation mark in the file is not closed; save it as CSV again');
  }
}

/** Spreadsheets in many locales separate by semicolons; the heading row shows which. */
function delimiterOf(text: string): string {
  const heading = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (mark: string): number => heading.split(mark).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

function refused(detail: string): ServiceError {
  return new ServiceError('invalid_request', detail);
}
