import { isNationalProviderIdentifier } from '#shared/domain/national-provider-identifier.ts';
import type { TaskField } from './new-task-fields.ts';

export const separator = /[,\n]/;

/** CPT, with the letter of categories II and III, or HCPCS level II, each with or without a modifier. */
const procedureCode = /^(?:\d{4}[\dFTMUA]|[A-V]\d{4})(?:-[\dA-Z]{2})?$/i;
const amount = /^(?:[A-Z]{3} ?|[$€£] ?)?\d{1,3}(?:,?\d{3})*(?:\.\d{2})?(?: ?[A-Z]{3})?$/;

/** Checks beyond the schema, because the API accepts whatever its clients mean. */
export function isWellFormed(text: string, { kind }: TaskField): boolean {
  switch (kind) {
    case 'npi':
      return isNationalProviderIdentifier(text);
    case 'codes':
      return entriesOf(text).every((code) => procedureCode.test(code));
    case 'amount':
      return amount.test(text);
    default:
      return true;
  }
}

/** Entries separated by commas or line breaks. */
export function entriesOf(text: string): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
