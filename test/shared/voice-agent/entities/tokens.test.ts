import { describe, expect, test } from 'vitest';
import { tokenize } from '#shared/voice-agent/entities/tokens.ts';

const norms = (said: string): string =>
  tokenize(said)
    .map(({ norm }) => norm)
    .join(' ');

describe('number words become numbers', () => {
  test.each([
    ['forty five', '45'],
    ['forty-five', '45'],
    ['one hundred and fifty', '150'],
    ['a hundred', '100'],
    ['a hundred and fifty dollars', '150 dollars'],
    ['ten thirty', '10 30'],
    ['12-fifty', '12 50'],
    ['fifteen hundred dollars', '1500 dollars'],
    ['one thousand five hundred dollars', '1500 dollars'],
    ['2 thousand dollars', '2000 dollars'],
    ['two k', '2000'],
    ['$2.5k', '$ 2500'],
    ['two and a half thousand', '2500'],
    ['two point five', '2.5'],
    ['1,250.00', '1250.00'],
    ['six hundred twenty dollars', '620 dollars'],
    ['nineteen eighty-five', '19 85'],
    ['twenty twenty-six', '20 26'],
    ['twenty twenty six', '20 26'],
    ['two thousand twenty six', '2026'],
    ['four eight oh two one', '4 8 0 2 1'],
    ['ten oh five', '10 0 5'],
    ['november twenty fourth at ten thirty', 'november 24th at 10 30'],
    ['the twenty first', 'the 21st'],
    ['twenty-fourth', '24th'],
    ['the 24th', 'the 24th'],
    ['one thirty pm', '1 30 pm'],
    ['K I M 4 4 1 0', 'k i m 4 4 1 0'],
    ['2 K 7', '2 k 7'],
    ['007', '007'],
  ])('%s', (said, expected) => {
    expect(norms(said)).toBe(expected);
  });

  test.each([
    'one moment',
    'one second',
    'that one works',
    'the first available',
    'no one is here',
    'oh okay',
  ])('words that only look like numbers stay: %s', (said) => {
    expect(norms(said)).toBe(said);
    expect(tokenize(said).every(({ kind }) => kind === 'word')).toBe(true);
  });
});

describe('words', () => {
  test.each([
    ["It isn't, it’s not", 'it is not , it is not'],
    ['I dont know and she cant', 'i do not know and she can not'],
    ["what's the member's name", "what is the member's name"],
    ["we won't, let's see", 'we will not , let us see'],
  ])('contractions expanded: %s', (said, expected) => {
    expect(norms(said)).toBe(expected);
  });

  test.each([
    ['Dr. Okafor has 10:30 a.m. Tuesday.', ['stop']],
    ["You've reached St. Alder Medical Center.", ['stop']],
    ["It's at 12 Main St. We open at nine.", ['stop', 'stop']],
    ['About 21 days. ¿Algo más?', ['stop', 'question']],
    ['At 10 a.m. Does that work?', ['stop', 'question']],
    ['R. C. 4 8 2. Okay?', ['stop', 'question']],
    ['It is $40.50, flat.', ['comma', 'stop']],
    ['um, uh-huh; okay...', ['filler', 'comma', 'stop', 'stop']],
  ])('sentence ends and fillers are distinguished: %s', (said, expected) => {
    const marks = ['stop', 'question', 'comma', 'filler'];
    expect(
      tokenize(said)
        .map(({ kind }) => kind)
        .filter((kind) => marks.includes(kind)),
    ).toEqual(expected);
  });

  test('keep their positions, so the text can be reassembled', () => {
    const said = '  Sure.  The “copay” is, um, forty-five dollars — isn’t it? It’s 12-fifty. ';
    for (const { text, start, end } of tokenize(said)) expect(said.slice(start, end)).toBe(text);
    expect(
      tokenize(said)
        .map(({ before, text }) => before + text)
        .join(''),
    ).toBe(said.trimEnd());
  });
});

describe('letters with periods', () => {
  test.each([
    ['Member I.D.?', 'member id ?'],
    ['the N.P.I., please', 'the npi , please'],
    ['Is it for an M.R.I. or a C.T.?', 'is it for an mri or a ct ?'],
    ['I have her I.D. Go on.', 'i have her id . go on .'],
    ['Is that the id. Or not', 'is that the id . or not'],
    ['at 9 a.m. sharp', 'at 9 am sharp'],
  ])('of a common abbreviation are one word: "%s"', (said, expected) => {
    expect(norms(said)).toBe(expected);
  });

  test('otherwise spell', () => {
    expect(norms('C.L.T. 552')).toBe('c l t 552');
  });
});
