import * as z from 'zod/mini';

/** What a row of an import names a patient by, or keyed hashes of it; null for what is missing or cannot be read. */
export const NamedPerson = z.object({
  external_id: z.nullable(z.string()),
  /** A `sameNameKey`. */
  name: z.nullable(z.string()),
  date_of_birth: z.nullable(z.string()),
});
export type NamedPerson = z.infer<typeof NamedPerson>;

/** Whether a row may mean the patient. Different external IDs are different people, even with the same name. */
export function mayMean(row: NamedPerson, patient: NamedPerson): boolean {
  if (row.external_id !== null && patient.external_id !== null) {
    return row.external_id === patient.external_id;
  }
  const isSameDate = row.date_of_birth === null || row.date_of_birth === patient.date_of_birth;
  return row.name !== null && row.name === patient.name && isSameDate;
}
