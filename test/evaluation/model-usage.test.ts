import { expect, test } from 'vitest';
import { ModelUsage } from './model-usage.ts';

const turn = {
  model: 'echo-1',
  rounds: 2,
  input_tokens: 1_000,
  output_tokens: 100,
  cache_read_tokens: 500,
  cache_write_tokens: 500,
};

test('the cost of a call includes all tokens read and written', () => {
  const usage = new ModelUsage();
  usage.report(turn);
  usage.report(turn);
  expect(usage.figures(2, { in: 1, out: 10 })).toMatchObject({
    model_turns: 2,
    rounds: 4,
    input_tokens_per_call: 2_000,
    output_tokens_per_call: 100,
    cost_per_call: 0.003,
  });
  expect(usage.figures(2, null)?.cost_per_call).toBeNull();
});

test('without a language model there is no usage', () => {
  expect(new ModelUsage().figures(3, null)).toBeNull();
});
