import { expect, test } from 'vitest';
import { compareFact } from './compare.ts';

const reported = (value: string | number | boolean | null, answer = String(value)) => ({ value, answer });

test.each([
  [{ type: 'money', value: 40 }, reported(40), 'right'],
  [{ type: 'money', value: 620.5 }, reported(null, '$620.50 has been met'), 'right'],
  [{ type: 'money', value: 40 }, reported(45), 'wrong'],
  [{ type: 'money', value: 40 }, reported(null, 'it depends'), 'incomparable'],
  [{ type: 'percent', value: 20 }, reported(20), 'right'],
  [{ type: 'number', value: 30 }, reported(null, 'within 30 days'), 'right'],
  [{ type: 'text', value: 'in process' }, reported('pending'), 'right'],
  [
    { type: 'text', value: 'from $1,180 to $2,650' },
    reported(null, 'one thousand one hundred eighty dollars up to two thousand six hundred fifty dollars'),
    'right',
  ],
  [{ type: 'text', value: 'denied' }, reported('pending'), 'wrong'],
  [{ type: 'text', value: 'noon' }, reported('No lunch after noon.'), 'right'],
  [{ type: 'text', value: 'noon' }, reported('Not at noon.'), 'wrong'],
  [{ type: 'text', value: 'approved, but nothing is paid yet' }, reported('approved'), 'right'],
  [{ type: 'yes', value: true }, reported(false), 'wrong'],
  [{ type: 'yes', value: false }, reported(false, 'no'), 'right'],
  [{ type: 'phone', value: '+12025550166' }, reported('+12025550166'), 'right'],
  [{ type: 'phone', value: '+12025550166' }, reported('+12025550167'), 'wrong'],
  [{ type: 'identifier', value: 'RF48213' }, reported('R F 4 8 2 1 3'), 'right'],
  [{ type: 'identifier', value: 'RF48213' }, reported('RF48231'), 'wrong'],
  [{ type: 'date', value: '2026-11-09' }, reported('2026-11-09'), 'right'],
  [{ type: 'date', value: '2026-11-09' }, reported('2026-11-19'), 'wrong'],
  [{ type: 'moment', value: '2026-11-24T10:30' }, reported('2026-11-24T10:30'), 'right'],
  [{ type: 'moment', value: '2026-11-24T10:30' }, reported('2026-11-24T10:45'), 'wrong'],
  [{ type: 'text', value: 'processed and partially paid' }, reported('partially paid'), 'right'],
  [{ type: 'text', value: 'processed and partially paid' }, reported('denied'), 'wrong'],
  [
    { type: 'text', value: 'Monday through Thursday' },
    reported('Monday to Thursday, never on Fridays.'),
    'right',
  ],
  [{ type: 'text', value: 'nine to half past four' }, reported('nine to half past four sundays no'), 'right'],
  [{ type: 'text', value: 'the signed form' }, reported('not the signed form'), 'wrong'],
  [{ type: 'text', value: 'the signed form' }, reported('the signed form, nothing else'), 'right'],
  [
    { type: 'text', value: 'five thirty in the evening' },
    reported('No later than five thirty in the evening.'),
    'right',
  ],
  [{ type: 'text', value: 'the signed form' }, reported('nothing but the form'), 'right'],
  [{ type: 'text', value: 'the signed form' }, reported('nothing of the signed form'), 'wrong'],
  [{ type: 'text', value: 'required at once' }, reported('not required at once, no'), 'wrong'],
  [{ type: 'text', value: 'the itemized bill' }, reported(true, 'We still need the itemized bill.'), 'right'],
  [{ type: 'text', value: 'star two zero six' }, reported('*206'), 'right'],
  [{ type: 'text', value: 'star two zero six' }, reported('*209'), 'wrong'],
  [{ type: 'text', value: 'Dr. Okafor' }, reported('Dr. Lindqvist'), 'wrong'],
] as const)('%j reported as %j is %s', (known, answer, verdict) => {
  expect(compareFact(known, answer)).toBe(verdict);
});
