import { expect, test } from 'vitest';
import { patientTerms } from '#shared/domain/search-terms.ts';

test('a name of very many words has few terms', () => {
  const name = Array.from({ length: 30_000 }, (_, index) => `name${index}`).join(' ');
  const terms = patientTerms({
    first_name: name,
    last_name: 'Example',
    phone_number: '+12025550101',
    date_of_birth: '1980-01-01',
  });
  expect(terms.size).toBeLessThan(250);
});
