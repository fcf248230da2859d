import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { lookWhenDue } from '../../../../infra/local/servers/queue-timers.ts';
import { SqsQueue, SqsStore } from '../../../../node_modules/fauxqs/dist/sqs/sqsStore.js';

beforeAll(() => lookWhenDue());

function newQueue(visibilitySeconds = 30): SqsQueue {
  return new SqsQueue('work', 'http://127.0.0.1/work', 'arn:work', {
    VisibilityTimeout: String(visibilitySeconds),
  });
}

const message = () => SqsStore.createMessage('{}');

test('a queue without hidden messages is never checked, however long a receive waits', async () => {
  const queue = newQueue();
  const look = vi.spyOn(queue, 'processTimers');
  const waiting = queue.waitForMessages(20);
  await sleep(300);
  expect(look).not.toHaveBeenCalled();
  queue.enqueue(message());
  await waiting;
  expect(queue.dequeue(1)).toHaveLength(1);
});

test('a waiting receive gets a message delayed after the wait began when it is due', async () => {
  const queue = newQueue();
  const waiting = queue.waitForMessages(20);
  const dueMs = Date.now() + 300;
  queue.enqueue({ ...message(), delayUntil: dueMs + 60_000 });
  queue.enqueue({ ...message(), delayUntil: dueMs });
  await waiting;
  expect(Date.now()).toBeGreaterThanOrEqual(dueMs);
  expect(Date.now()).toBeLessThan(dueMs + 15_000);
  expect(queue.dequeue(10)).toHaveLength(1);
});

test('a waiting receive gets a message again after its visibility timeout, even a changed one', async () => {
  const queue = newQueue(0.2);
  queue.enqueue(message());
  expect(queue.dequeue(1)).toHaveLength(1);
  await queue.waitForMessages(20);
  const [again] = queue.dequeue(1, 60);
  expect(again).toBeDefined();
  queue.changeVisibility(again?.ReceiptHandle ?? '', 0.2);
  await queue.waitForMessages(20);
  expect(queue.dequeue(1)).toHaveLength(1);
});
