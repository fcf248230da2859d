import { expect, test } from 'vitest';
import type { CallPlan, PlanItem } from '#shared/voice-agent/call-plan/call-plan.ts';
import { clientItem } from '#shared/voice-agent/call-plan/items.ts';
import { evidenceIn } from '#shared/voice-agent/core/evidence.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

/** Below this the agent asks once more. */
const leastSure = 0.55;

function answerTo(question: string, said: string): { value: unknown; quote: string; isSure: boolean } | null {
  const item: PlanItem = clientItem('question_0', question, null, []);
  const plan = { items: [item], facts: [] } as unknown as CallPlan;
  const heard = understand(said, 1, {
    today: '2026-11-22',
    after: item.kind === 'yes-no' ? 'yes-no-question' : 'question',
    expecting: item.kind === 'money' ? ['money'] : item.kind === 'date' ? ['date'] : [],
  });
  const found = evidenceIn(heard, plan, item).find(({ key }) => key === item.key);
  if (found === undefined) return null;
  return { value: found.value, quote: found.quote, isSure: found.confidence >= leastSure };
}

test.each([
  ['What does a copy cost?', 'It was ten dollars for years, and now it is $14.', 14],
  ['What does a copy cost?', "It's $20 a page. No, sorry, $12.", 12],
  ['When is the next class?', 'We had one Saturday. So the next is a week from Thursday.', '2026-12-03'],
  ['Is there a fee for the form?', 'The form, no fee.', false],
])('%s "%s" is answered by what stands', (question, said, value) => {
  expect(answerTo(question, said)).toMatchObject({ value, isSure: true });
});

test.each([
  ['Are you open on Sundays?', 'Yes, of course. No Sundays, no.'],
  ['Do you keep the vaccine in stock?', 'It is kept in stock, only the children one is not kept in stock.'],
  ['How late is the shop open on Fridays?', 'I look the ticket.'],
])('%s "%s" is asked once more', (question, said) => {
  expect(answerTo(question, said)?.isSure ?? false).toBe(false);
});

test('a free answer is quoted whole', () => {
  const said = 'We speak English and Polish here, and we can call an interpreter.';
  expect(answerTo('Which languages do you speak at the office?', said)).toMatchObject({ quote: said });
});
