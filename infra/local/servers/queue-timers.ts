import { SqsQueue } from '../../../node_modules/fauxqs/dist/sqs/sqsStore.js';

interface Look {
  readonly atMs: number;
  readonly timer: NodeJS.Timeout;
}

/**
 * Wakes queues when a hidden message is due. The package polls each awaited queue fifty times a second, which takes an
 * idle stack more time than everything else. Affected queues stay in order.
 */
export function lookWhenDue(): void {
  const looks = new WeakMap<SqsQueue, Look>();
  const { enqueue, dequeue, changeVisibility } = SqsQueue.prototype;
  const everySoOften: unknown = Reflect.get(SqsQueue.prototype, 'startPollTimerIfNeeded');

  const lookAt = (queue: SqsQueue, atMs: number): void => {
    const planned = looks.get(queue);
    if (queue.isFifo() || !Number.isFinite(atMs) || (planned !== undefined && planned.atMs <= atMs)) return;
    clearTimeout(planned?.timer);
    const look = (): void => {
      looks.delete(queue);
      queue.processTimers();
      lookAt(queue, nextDueMs(queue));
    };
    looks.set(queue, { atMs, timer: setTimeout(look, Math.max(atMs - Date.now(), 1)) });
  };
  const lookForHandle = (queue: SqsQueue, receiptHandle: string): void =>
    lookAt(queue, queue.inflightMessages.get(receiptHandle)?.visibilityDeadline ?? Number.POSITIVE_INFINITY);

  Object.assign(SqsQueue.prototype, {
    enqueue(this: SqsQueue, message: Parameters<typeof enqueue>[0]): void {
      enqueue.call(this, message);
      lookAt(this, message.delayUntil ?? Number.POSITIVE_INFINITY);
    },
    dequeue(this: SqsQueue, ...wanted: Parameters<typeof dequeue>): ReturnType<typeof dequeue> {
      const received = dequeue.apply(this, wanted);
      for (const { ReceiptHandle } of received) lookForHandle(this, ReceiptHandle);
      return received;
    },
    changeVisibility(this: SqsQueue, receiptHandle: string, timeoutSeconds: number): void {
      changeVisibility.call(this, receiptHandle, timeoutSeconds);
      lookForHandle(this, receiptHandle);
    },
    startPollTimerIfNeeded(this: SqsQueue): void {
      // What was hidden when the server started is due at some time, too.
      if (!this.isFifo()) lookAt(this, nextDueMs(this));
      else if (typeof everySoOften === 'function') everySoOften.call(this);
    },
  });
}

/** When the next hidden message is to be seen, in milliseconds since 1970; infinity without one. */
function nextDueMs({ delayedMessages, inflightMessages }: SqsQueue): number {
  let atMs = Number.POSITIVE_INFINITY;
  for (const { delayUntil = atMs } of delayedMessages) atMs = Math.min(atMs, delayUntil);
  for (const { visibilityDeadline } of inflightMessages.values()) atMs = Math.min(atMs, visibilityDeadline);
  return atMs;
}
