import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { peopleReplies } from '../../infra/people-replies.ts';

const kennel = {
  id: 'larch-hill-kennel',
  about: 'A kennel that tells what a guest dog needs.',
  numbers: ['+12025550131'],
  name: 'Pru',
  business: 'Larch Hill Kennel',
  voice: 'slt',
  greeting: ['{business}.'],
  knows: { shots: { text: 'rabies and bordetella' }, price: { money: 41 }, open: { yes: true } },
  desks: [
    {
      desk: 'kennel',
      purpose: ['dog'],
      topics: [
        {
          topic: 'shots',
          asked_by: ['shots'],
          says: ['Mind the gate. A guest dog needs {shots}.'],
          vaguely: ['The usual ones.'],
          client_question: 'Which shots does a dog need?',
          answered_by: 'shots',
        },
        {
          topic: 'open',
          asked_by: ['open'],
          says: ['We are open on Sunday.'],
          tells: ['open'],
          client_question: 'Are you open on Sunday?',
          answered_by: 'open',
        },
      ],
    },
  ],
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'people-replies-'));
  for (const split of ['train-1', 'dev-1']) await mkdir(join(directory, split));
  await writeFile(join(directory, 'train-1/larch-hill-kennel.json'), JSON.stringify(kennel));
  await cp(join(directory, 'train-1'), join(directory, 'dev-1'), { recursive: true });
});
afterAll(() => rm(directory, { recursive: true }));

test('the sentence with the fact is an answer; asides and vague replies are not', async () => {
  const families = await peopleReplies(directory);
  const labelOf = (reply: string): string[] =>
    families.filter(({ pairs }) => pairs.some(([, said]) => said === reply)).map(({ label }) => label);
  expect(labelOf('A guest dog needs rabies and bordetella.')).toEqual(['answers']);
  expect(labelOf('The usual ones.')).toEqual(['unknown']);
  expect(labelOf('We are open on Sunday.').concat(labelOf('Mind the gate.'))).not.toContain('answers');
});

test('only personas of the training splits reply, and always the same', async () => {
  const once = await peopleReplies(directory);
  expect(once.flatMap(({ pairs }) => pairs).map(([question]) => question)).toContain(
    'Which shots does a dog need?',
  );
  await rm(join(directory, 'dev-1'), { recursive: true });
  expect(await peopleReplies(directory)).toEqual(once);
});
