import { expect, test } from 'vitest';
import { readOptions, usage } from './options.ts';

test('without options the personas of the repository are called on the stack', () => {
  expect(readOptions([])).toMatchObject({
    inProcess: false,
    split: 'repository',
    peopleDirectory: null,
    seeds: 3,
    conversations: 204,
    noise: 0,
    now: null,
    jsonFile: null,
  });
});

test('every option is parsed', () => {
  const now = '2026-11-22T02:00:00.000Z';
  const args = [
    '--in-process',
    '--model',
    'openai',
    '--trials',
    '4',
    '--price-in',
    '1',
    '--price-out',
    '5',
    '--split',
    'dev',
    '--noise',
    '0.5',
    '--now',
    now,
    '--seeds',
    '2',
    '--json',
    '/x.json',
  ];
  expect(readOptions(args)).toMatchObject({
    inProcess: true,
    model: 'openai',
    trials: 4,
    prices: { in: 1, out: 5 },
    split: 'dev',
    noise: 0.5,
    now: new Date(now),
    seeds: 2,
    conversations: 100_000,
    jsonFile: '/x.json',
  });
});

test('a running stack is given by its URL and its outputs file', () => {
  expect(readOptions(['--stack', 'https://api.example.com/prod/', '--outputs', '/tmp/o.json'])).toMatchObject(
    {
      stack: { baseUrl: 'https://api.example.com/prod', outputsFile: '/tmp/o.json' },
      conversations: 204,
    },
  );
});

test.each([
  [['--model', 'openai'], '--model needs --in-process'],
  [['--trials', '2'], '--trials needs --in-process'],
  [['--in-process', '--model', 'echo'], '--model must be one of'],
  [['--in-process', '--price-in', '1'], 'given together'],
  [['--stack', 'https://api.example.com/prod'], '--stack and --outputs are given together'],
  [['--stack', 'https://api.example.com', '--outputs', 'o.json', '--in-process'], 'exclude each other'],
  [['--stack', 'api', '--outputs', 'o.json'], '--stack must be an address'],
  [['--split', 'test'], '--split must be one of'],
  [['--noise', '0.5'], '--noise needs --in-process'],
  [['--now', '2026-11-22'], '--now needs --in-process'],
  [['--in-process', '--noise', '2'], 'from 0 to 1'],
  [['--in-process', '--now', 'soon'], 'must be an instant'],
  [['--people', 'x', '--split', 'dev'], 'name different people'],
  [['--seeds', '7'], 'from 1 to 6'],
])('%j is refused', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});

test('the help lists every option', () => {
  expect(readOptions(['--help'])).toBe('help');
  for (const option of [
    'in-process',
    'model',
    'trials',
    'price-in',
    'price-out',
    'split',
    'people',
    'only',
    'seeds',
    'conversations',
    'at-a-time',
    'noise',
    'now',
    'transcripts',
    'all-transcripts',
    'json',
    'help',
  ])
    expect(usage).toContain(`--${option}`);
});
