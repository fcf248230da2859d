import { expect, test } from 'vitest';
import { handleLine } from '#shared/voice-agent/built-in-model/line.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { planWith, type Talk, talk } from './talking.ts';

const item = clientItem('question_0', 'How many books may a reader borrow?', null, []);
const plan = planWith({
  task_type: 'CUSTOM_TASK',
  callee: 'office',
  items: [item],
  subject: 'with a question',
});

function handle(reply: string): Talk {
  const question = { text: item.question, fields: [], kind: 'question' as const };
  return talk(handleLine, [reply], { plan, memory: { pending: item.key, last_words: [question] } });
}

const elsewhere = "That's the lending department, upstairs.";

test('whoever is not in charge is asked to put us through', () => {
  const { returned, words } = handle(elsewhere).last;
  expect(returned).toBe(true);
  expect(words).toContain('transfer me');
});

test('whoever answers all the same is not', () => {
  const { returned, words } = handle(`Eight books at a time. ${elsewhere}`).last;
  expect(returned).toBe(false);
  expect(words).toBe('');
});
