import { expect, test } from 'vitest';
import { claim, told } from './told-in.ts';

test.each([
  [
    'denied',
    "The visit was denied on October 9th. The x-ray from that day paid $88, but that's a different claim.",
  ],
  ['denied', 'The one for $265 is denied. The other, the x-ray, was paid, $88.'],
  ['paid', "Hers is paid. The dentist's one is still pending, that's not hers."],
  ['pending', 'That one is pending. The other claim was paid in June.'],
])('the claim asked for is %s: "%s"', (status, said) => {
  const found = told(claim, 'claim_status', said);
  expect(found).toMatchObject({ claim_status: status });
  expect(found).not.toHaveProperty('paid_amount');
});
