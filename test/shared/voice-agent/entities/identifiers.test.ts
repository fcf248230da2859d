import { describe, expect, test } from 'vitest';
import { found } from './found.ts';

const identifiers = (said: string): string[] => found(said, 'identifier').map(({ value }) => value);

describe('identifiers', () => {
  test.each<[string, ...string[]]>([
    ['the confirmation number is RC-48213', 'RC-48213'],
    ['it is RC 48213', 'RC48213'],
    ['The computer gives one. K956.', 'K956'],
    ['a98-8916 how copy', 'A98-8916'],
    ['A987 is the number', 'A987'],
    ['that is a 98-8916', '98-8916'],
    ['R C dash 4 8 2 1 3', 'RC-48213'],
    ['r c four eight two one three', 'RC48213'],
    ['C R four eight two', 'CR482'],
    ['your number is kb-nine zero two six', 'KB-9026'],
    ['It would be RD-five hundred two.', 'RD-502'],
    ['we are in the mid-two hundred range'],
    ['M-T-dash-three-one-eight-eight', 'M-T-3188'],
    ['c r oh four eight two', 'CR0482'],
    ['A as in apple, 4, 4, 9', 'A449'],
    ['R as in Robert F four two', 'RF42'],
    ['it is r as in robert f as in frank seven one two', 'RF712'],
    ['b for boy, d like david 9 9 1', 'BD991'],
    ['B as in boy double seven 1', 'B771'],
    ['P, as in Paul, 6614', 'P6614'],
    ["Q F nine one zero zero's the confirmation", 'QF9100'],
    ["Q F 8271's the confirmation", 'QF8271'],
    ['B triple 0 4', 'B0004'],
    ['the door code is star seven seven one', '*771'],
    ['press pound 4 4 1 2 at the keypad', '#4412'],
    ['charlie romeo four eight two', 'CR482'],
    ['the reference is november oscar seven seven one', 'NO771'],
    ['K I M 4 4 1 0', 'KIM4410'],
    ['5-5-0-9-1-7-G', '550917G'],
    ['your code is QWXZPL', 'QWXZPL'],
    ['claim number is 48213', '48213'],
    ['the claim number is four eight two, one three seven', '482137'],
    ['reference number four four oh two one', '44021'],
    ['reference 10 4 8 2 1', '104821'],
    ['NPI 1234567893', '1234567893'],
    ['npi one two three four five six seven eight nine three', '1234567893'],
    ['CPT 97110', '97110'],
    ["there is one, it's on the slip, one hk695", 'HK695'],
    ['sure we do have one kd4471', 'KD4471'],
    ['group number is 0 0 7 4 1', '00741'],
    ['member id is XGH123456', 'XGH123456'],
    ["it's EV567, E V 5 6 7", 'EV567'],
    ['your code is TMB34013. T like Tom, M like Mary, B like boy', 'TMB34013'],
    ['the reference is K 4 5, 5 5, 5', 'K45555'],
    ['Yours is H6230. Letter H, then the six.', 'H6230'],
    ['QQ-614. Two Qs.', 'QQ-614'],
    ["It's D 3 3 8. 7.", 'D3387'],
    ['the ticket is T slash 4 4 1', 'T/441'],
    ['my reference is capital R then 4 4 8', 'R448'],
    ['check number eight eight oh one five two', '880152'],
    ['R. C. 4 8 2 1', 'RC4821'],
    ['eight four, uh, seven seven, nine two', '847792'],
    ['confirmation AB12CD34', 'AB12CD34'],
    ['W dash two two dash nine', 'W-22-9'],
    ['two references, RC-481 and RC-482', 'RC-481', 'RC-482'],
  ])('%s', (said, ...expected) => {
    expect(identifiers(said)).toEqual(expected);
  });

  test.each([
    'in 180 days',
    'a 30 day supply',
    'the PPO plan',
    'YES I CAN DO THAT',
    'one moment please',
    'twenty percent',
    '$1,250.00',
    'ten thirty on tuesday',
    'november 24',
    'november twenty four twenty twenty six',
    '11/24/2026',
    'call 202-555-0143',
    'my number is two oh two five five five oh one four three',
    'I have two openings',
    'a 40 dollar copay',
    'between 9 and 11',
    'is 30 okay',
    'thirty visits',
    'this is a test',
    'born 3/14/1985',
    'for 2 people',
    'fifty a year is the limit',
    "he's put six hundred toward it",
    'the old one and the new one',
    'drivers cannot break a twenty',
  ])('none in: %s', (said) => {
    expect(identifiers(said)).toEqual([]);
  });
});

describe('phone numbers', () => {
  test.each<[string, ...string[]]>([
    ['202-555-0143', '+12025550143'],
    ['(202) 555-0143', '+12025550143'],
    ['+1 202 555 0143', '+12025550143'],
    ['202.555.0143', '+12025550143'],
    ['2025550143', '+12025550143'],
    ['1-202-555-0143', '+12025550143'],
    ['two oh two five five five oh one four three', '+12025550143'],
    ['two zero two, five five five, zero one four three', '+12025550143'],
    ['call us at two oh two triple five oh one forty three', '+12025550143'],
    ['area code 202 then 555 0143', '+12025550143'],
    ['two oh two, five fifty five, oh one forty three', '+12025550143'],
    ['my number is 202 555 0143 extension 12', '+12025550143'],
    ['202-555-0143 or 202-555-0144', '+12025550143', '+12025550144'],
    ['555-0143'],
    ['npi 1234567893'],
    ['the reference number is 48213'],
  ])('%s', (said, ...expected) => {
    expect(found(said, 'phone').map(({ value }) => value)).toEqual(expected);
  });
});
