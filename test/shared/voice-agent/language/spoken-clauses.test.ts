import { expect, test } from 'vitest';
import { sentencesOf } from '#shared/voice-agent/language/text.ts';

/** The clauses with a question mark in front of those that ask. */
function clauses(said: string): string[] {
  return sentencesOf(said).map(({ text, isQuestion }) => (isQuestion ? `? ${text}` : text));
}

test.each<[string, string[]]>([
  [
    'thank you for calling sample mutual my name is denise how can i help',
    ['thank you for calling sample mutual', 'my name is denise', '? how can i help'],
  ],
  ['sure can i have the members id number please', ['? sure can i have the members id number please']],
  [
    'okay great what insurance does she have and what is the member id',
    ['? okay great what insurance does she have and what is the member id'],
  ],
  [
    'let me check all right i found the policy which benefits do you need',
    ['let me check all right', 'i found the policy', '? which benefits do you need'],
  ],
  [
    'yes the plan is active and the copay is forty dollars',
    ['yes the plan is active', 'and the copay is forty dollars'],
  ],
  [
    'i have tuesday at nine or thursday at two thirty does either of those work for you',
    ['i have tuesday at nine or thursday at two thirty', '? does either of those work for you'],
  ],
  ['i can tell you what the copay is', ['i can tell you what the copay is']],
  [
    'okay so the earliest we have is in three weeks that would be december seventh at ten fifteen',
    ['okay so the earliest we have is in three weeks', 'that would be december seventh at ten fifteen'],
  ],
  ['would a video visit be okay', ['? would a video visit be okay']],
  ['sorry who is this', ['? sorry who is this']],
  ["i don't know if that is covered", ["i don't know if that is covered"]],
  ["what's missing is the itemized bill", ["what's missing is the itemized bill"]],
])('speech without punctuation falls into clauses: %s', (said, expected) => {
  expect(clauses(said)).toEqual(expected);
});

test('clauses are verbatim pieces of what was said', () => {
  const said = 'thank you for holding this is kim how can i help';
  for (const { text, start } of sentencesOf(said)) expect(said.slice(start, start + text.length)).toBe(text);
});

test('where there is punctuation, it alone counts', () => {
  expect(clauses('Can you hold, please? I have it here. What is it.')).toEqual([
    '? Can you hold, please?',
    'I have it here.',
    'What is it.',
  ]);
});

test('sounds that say nothing are no words', () => {
  expect(sentencesOf('um').length).toBe(0);
  expect(sentencesOf('The copay is, um, forty dollars.')[0]?.plain).toBe('the copay is, 40 dollars.');
  expect(sentencesOf('uh-huh')[0]?.plain).toBe('uh-huh');
});
