import { describe, expect, test } from 'vitest';
import { SpokenText } from '#shared/voice-agent/language-model/spoken-text.ts';

/** What is spoken of a text that comes in pieces of this many characters. */
function spoken(written: string, size: number): string {
  const text = new SpokenText();
  const words: string[] = [];
  for (let start = 0; start < written.length; start += size) {
    words.push(...text.push(written.slice(start, start + size)));
  }
  return [...words, ...text.finish()].join(' ');
}

describe("a model's text", () => {
  test.each([
    ['words', 'Thank you, Dana. What is the copay?', 'Thank you, Dana. What is the copay?'],
    ['line breaks', 'Thank you.\n\nWhat is\nthe copay?', 'Thank you. What is the copay?'],
    ['thoughts', '<thinking>They said 40.</thinking>Thank you.', 'Thank you.'],
    ['thoughts that never end', 'Thank you. <think>The copay is', 'Thank you.'],
    ['other tags', '<speak>Thank <b>you</b>.</speak>', 'Thank you.'],
    ['stage directions', 'Thank you. [pauses] And the copay?', 'Thank you. And the copay?'],
    ['a direction cut off', 'Thank you. [presses', 'Thank you.'],
    ['emphasis and code', '**Thank you.** The `copay`, _please_?', 'Thank you. The copay, please?'],
    ['lists', '- Thank you.\n  - What is the copay?\n# Next', 'Thank you. What is the copay? Next'],
    ['emoji', 'Thank you! 😊 Goodbye.', 'Thank you! Goodbye.'],
    ['our own marks', '<notes>open: copay</notes> What is the copay?', 'What is the copay?'],
    ['comparisons', 'Is 4 < 5 right?', 'Is 4 5 right?'],
    ['amounts and dashes', 'The copay is $40 - is that right?', 'The copay is $40 - is that right?'],
    [
      'a tool call as text',
      'Hi! {"name": "wait", "arguments": {"a": {}}} And the copay?',
      'Hi! And the copay?',
    ],
    ['one in tags', 'Hi! <function=wait>{"name": "Dana"}</function> And the copay?', 'Hi! And the copay?'],
    ['one in a code block', 'Hi!\n```json\n{"name": "wait"}\n```\nAnd the copay?', 'Hi! And the copay?'],
    ['one after a control token', 'Hi! <|python_tag|>note_person(name="Dana")', 'Hi!'],
    [
      'only the last channel',
      '<|channel|>analysis<|message|>They said 40.<|end|><|start|>assistant<|channel|>final<|message|>Thank you.',
      'Thank you.',
    ],
    ['nothing', '  \n ', ''],
  ])('%s: only words are spoken, in any pieces', (_, written, expected) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(spoken(written, size), `pieces of ${size}`).toBe(expected);
    }
  });

  test('releases a word once it is complete', () => {
    const text = new SpokenText();
    expect(text.push('Thank y')).toEqual(['Thank']);
    expect(text.push('ou. Wh')).toEqual(['you.']);
    expect(text.push('at')).toEqual([]);
    expect(text.finish()).toEqual(['What']);
  });
});
