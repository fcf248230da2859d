import { proceedWithQuestions } from '#shared/voice-agent/built-in-model/questions.ts';
import type { PlanItem } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { planWith, type Talk, talk } from './talking.ts';

export const notice = {
  ...clientItem('question_0', 'How many days ahead does a ride have to be booked?', null, []),
  required: true,
};
export const ships = { ...clientItem('question_1', 'Do you ship to Ohio?', null, []), required: true };
export const coverage = {
  ...clientItem('coverage_active', 'Is the coverage currently active?', null, []),
  required: true,
};
export const ticket = {
  ...clientItem('question_2', 'What is the ticket number?', null, []),
  required: false,
};

/** What comes of these replies, the first of them to the question for an item. */
export function outcomeOf(item: PlanItem, ...replies: readonly string[]): Talk {
  const plan = planWith({
    task_type: 'CUSTOM_TASK',
    callee: 'office',
    items: [item],
    subject: 'with a question',
  });
  const question = { text: item.question, fields: [], kind: 'question' as const };
  return talk(proceedWithQuestions, replies, {
    plan,
    memory: { pending: item.key, attempts: { [item.key]: 1 }, last_words: [question], purpose_said: true },
  });
}
