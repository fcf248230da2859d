import { dayText } from '../layout/day.tsx';
import { relationshipNames } from '../layout/insurance-words.ts';
import type { FieldErrors } from './form-values.ts';
import { type Edit, mergeEdit, nowSaved } from './merge-edit.ts';
import { type PatientForm, patientField } from './patient-form.ts';

const labels: Readonly<Record<string, string>> = {
  first_name: 'First name',
  last_name: 'Last name',
  date_of_birth: 'Date of birth',
  phone_number: 'Phone number',
  email: 'Email',
  external_id: 'MRN',
  address: 'Address',
  primary_care_provider: 'Primary care provider',
  insurance: 'Insurance',
} satisfies Record<keyof PatientForm, string>;

/** The first field of each group. */
const firstFields: Readonly<Record<string, string>> = {
  address: patientField(['address', 'street_name']),
  primary_care_provider: patientField(['primary_care_provider', 'name']),
  insurance: patientField(['insurance', 'medical', 0, 'company_name']),
};

/** Merges groups as a whole: an address made of two people's halves would be nobody's. */
export function mergePatient(edit: Edit<PatientForm>): { values: PatientForm; errors: FieldErrors } {
  const { values, conflicts } = mergeEdit(edit);
  const errors = conflicts.map(([name, stored]) => {
    const saved = name === 'date_of_birth' ? dayText(String(stored)) : textsIn(stored).join(', ');
    return [firstFields[name] ?? name, nowSaved(labels[name] ?? name, saved || 'none')];
  });
  return { values, errors: Object.fromEntries(errors) };
}

const namesByCode: ReadonlyMap<string, string> = new Map(Object.entries(relationshipNames));

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  const text = String(value);
  return text === '' ? [] : [namesByCode.get(text) ?? text];
}
