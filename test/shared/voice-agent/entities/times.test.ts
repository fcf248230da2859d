import { describe, expect, test } from 'vitest';
import { found, momentsIn, timesIn } from './found.ts';

describe('times', () => {
  test.each<[string, ...string[]]>([
    ['10:30', '10:30'],
    ['10:30 a.m.', '10:30'],
    ['2 PM', '14:00'],
    ['2pm', '14:00'],
    ['two p m', '14:00'],
    ['10 p.m. on the dot', '22:00'],
    ['ten thirty', '10:30'],
    ['two fifteen', '14:15'],
    ['ten oh five', '10:05'],
    ['12-fifty', '12:50'],
    ["three o'clock", '15:00'],
    ['three o clock', '15:00'],
    ['half past nine', '9:30'],
    ['quarter to three', '14:45'],
    ['a quarter to four', '15:45'],
    ['a quarter after 10', '10:15'],
    ['ten past eleven', '11:10'],
    ['twenty minutes to one', '12:40'],
    ['noon', '12:00'],
    ['twelve noon', '12:00'],
    ['at nine', '9:00'],
    ['around four', '16:00'],
    ['at 1030', '10:30'],
    ['1030 am', '10:30'],
    ['8:15 in the morning', '8:15'],
    ['two thirty in the afternoon', '14:30'],
    ['six in the evening', '18:00'],
    ['9, 11 or 2:30', '9:00', '11:00', '14:30'],
    ['nine eleven or two thirty', '9:11', '14:30'],
    ['9 or 11 am', '9:00', '11:00'],
    ['eight or nine am', '8:00', '9:00'],
    ['Tuesday 10 or 2', '10:00', '14:00'],
    ['tuesday at ten or two', '10:00', '14:00'],
    ['Tuesday morning at 9', '9:00'],
    ['between 2 and 4 pm', '14:00-16:00'],
    ['between nine and eleven', '9:00-11:00'],
    ['from 9 to 11:30', '9:00-11:30'],
    ['visitors are welcome from ten until seven', '10:00-19:00'],
    ['9-11am', '9:00-11:00'],
    ['we are open nine to five', '9:00-17:00'],
    ['after 2', '14:00-24:00'],
    ['any time after three thirty', '15:30-24:00'],
    ['before 10', '0:00-10:00'],
    ['the first thing I have is December 8th at 1:30', '13:30'],
    ['14:15', '14:15'],
    ['late afternoon', 'late afternoon'],
    ['in the mornings', 'morning'],
    ['first thing in the morning', 'early morning'],
    ['mornings or afternoons', 'morning', 'afternoon'],
    ['I could do say eleven forty five', '11:45'],
    ['um at uh seven thirty', '7:30'],
  ])('%s', (said, ...expected) => {
    expect(timesIn(said)).toEqual(expected);
  });

  test.each([
    'a $40 copay',
    '30 visits',
    '15 minutes early',
    '202-555-0143',
    'reference 10 4 8 2 1',
    'CPT 97110',
    'he will not say one word',
    '20 percent',
    'at 10 percent',
    'after 3 visits',
    'good morning this is dana',
    'the copay is ten thirty',
    'between 40 and 50 dollars',
    'an eighty twenty plan',
    'about 5 business days',
    'until 2027',
    'around 10 patients',
    'she runs between two buildings',
  ])('none in: %s', (said) => {
    expect(timesIn(said)).toEqual([]);
  });
});

describe('moments', () => {
  test.each<[string, ...string[]]>([
    [
      'Tuesday at 10 or 10:30, and Thursday the 3rd at 2',
      '2026-11-17 10:00',
      '2026-11-17 10:30',
      '2026-12-03 14:00',
    ],
    [
      'tuesday at ten or ten thirty and thursday the third at two',
      '2026-11-17 10:00',
      '2026-11-17 10:30',
      '2026-12-03 14:00',
    ],
    ['November 24th at 10:30', '2026-11-24 10:30'],
    ['november twenty fourth ten thirty', '2026-11-24 10:30'],
    ['10:30 on Tuesday the 24th', '2026-11-24 10:30'],
    ['two pm on the third', '2026-12-03 14:00'],
    ['10 or 11 on Thursday', '2026-11-19 10:00', '2026-11-19 11:00'],
    ['I have Monday at 9 or Wednesday at 3:15', '2026-11-23 9:00', '2026-11-25 15:15'],
    ['tomorrow morning at eight fifteen', '2026-11-17 8:15'],
    ['Tuesday the 24th. I have 10:00 or 2:30.', '2026-11-24 10:00', '2026-11-24 14:30'],
    ['next week I have monday at nine', '2026-11-23 9:00'],
    ['she is all set for december eighth at one thirty pm with dr okafor', '2026-12-08 13:30'],
    ['her first one on Monday, eight sharp', '2026-11-23 8:00'],
    ['a week from thursday at noon', '2026-11-26 12:00'],
  ])('%s', (said, ...expected) => {
    expect(momentsIn(said)).toEqual(expected);
  });

  test.each(['Tuesday afternoon', 'between 9 and 11 on Tuesday', 'sometime in December', 'at 9'])(
    'none in: %s',
    (said) => {
      expect(momentsIn(said)).toEqual([]);
    },
  );

  test('cover the words of both', () => {
    const [first, second] = found('We have Tuesday the 24th at 10 or at 2:30.', 'moment');
    expect(first?.text).toBe('Tuesday the 24th at 10');
    expect(second?.text).toBe('2:30');
  });
});
