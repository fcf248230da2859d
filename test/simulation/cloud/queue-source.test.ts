import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { forThisTest } from '../../support/lifetime.ts';
import { Faults } from '../engine/faults.ts';
import { SeededRandom } from '../engine/random.ts';
import { VirtualClock } from '../engine/virtual-clock.ts';
import { Journal } from '../harness/journal.ts';
import { QueueServer } from './embedded-servers.ts';
import { QueueSource } from './queue-source.ts';

test('time stops until the server has deleted processed messages, however slow it is', async () => {
  const server = await forThisTest(QueueServer.start());
  const { origin } = server;
  const queueUrl = `http://127.0.0.1:${server.server.port}/000000000000/work`;
  await origin.askJson('AmazonSQS.CreateQueue', '1.0', { QueueName: 'work' });
  await origin.askJson('AmazonSQS.SendMessage', '1.0', { QueueUrl: queueUrl, MessageBody: '{}' });
  const ask = origin.askJson.bind(origin);
  let isDeleting = false;
  origin.askJson = async (target, version, input) => {
    if (!target.endsWith('DeleteMessage')) return ask(target, version, input);
    isDeleting = true;
    await setTimeout(300);
    const answer = await ask(target, version, input);
    isDeleting = false;
    return answer;
  };
  const clock = new VirtualClock(new Date());
  const source = new QueueSource({
    mapping: {
      sourceArn: 'arn:work',
      functionName: 'worker',
      batchSize: 1,
      concurrency: 1,
      patterns: [],
      maxRetries: 0,
      deadLettersArn: null,
    },
    queueName: 'work',
    queueUrl,
    server,
    fleet: {
      invoke: (functionName, _, onEnd) =>
        onEnd({ kind: 'succeeded', payload: {} }, { id: '1', functionName, taskIds: [], isDisturbed: false }),
    },
    clock,
    random: new SeededRandom('1'),
    faults: new Faults(new SeededRandom('2'), 0),
    journal: new Journal(clock, null),
  });
  source.wake(1);
  const wasDeleting: boolean[] = [];
  while (await clock.step()) wasDeleting.push(isDeleting);
  expect(wasDeleting.length).toBeGreaterThan(2);
  expect(wasDeleting).not.toContain(true);
  expect(source.isEmpty).toBe(true);
});
