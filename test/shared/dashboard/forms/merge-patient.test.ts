import { expect, test } from 'vitest';
import { mergePatient } from '#shared/dashboard/forms/merge-patient.ts';
import { emptyInsurance, emptyPatient } from '#shared/dashboard/forms/patient-form.ts';

const plan = { ...emptyInsurance, company_name: 'Example Health Plan', relationship_to_subscriber: 'SELF' };
const { address } = emptyPatient;
const stored = {
  ...emptyPatient,
  date_of_birth: '1984-07-12',
  address: { ...address, city: 'Salem', state: 'OR' },
  insurance: { ...emptyPatient.insurance, medical: [plan] },
};

test.each([
  ['date_of_birth', { date_of_birth: '07/13/1984' }, 'Date of birth. Now saved: Jul 12, 1984'],
  ['email', { email: 'zoe@example.com' }, 'Email. Now saved: none'],
  ['address-street_name', { address: { ...address, city: 'Sale' } }, 'Address. Now saved: Salem, OR'],
  [
    'insurance-medical-0-company_name',
    { insurance: emptyPatient.insurance },
    'Insurance. Now saved: Example Health Plan, Self',
  ],
])('says at %s what others saved', (field, change, text) => {
  const typed = { ...stored, ...change };
  const { values, errors } = mergePatient({
    opened: { ...stored, [Object.keys(change)[0] ?? '']: 'x' },
    typed,
    stored,
  });
  expect(errors).toEqual({ [field]: `${text}. Save again to replace it` });
  expect(values).toEqual(typed);
});
