import { describe, expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task, TaskStatus } from '#shared/domain/task.ts';
import { completedEvent, firstMessageIdAt, webhookMessageId } from '#shared/webhooks/completed-event.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';

const project = sampleProject();
const task = sampleTask(project);
const call = sampleCall(task);
const at = '2026-03-02T15:05:00.000Z';

const taskChange = (from: TaskStatus, to: TaskStatus, changes: Partial<Task> = {}) =>
  completedEvent(
    { type: 'task', ...task, status: from },
    { type: 'task', ...task, status: to, updated_at: at, ...changes },
  );

describe('task.completed', () => {
  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)(
    'is what a task that becomes %s means, with its last call',
    (status) => {
      expect(taskChange('IN_PROGRESS', status, { last_call_id: call.id })).toEqual({
        projectId: project.id,
        payload: { event: 'task.completed', task_id: task.id, call_id: call.id, timestamp: at },
      });
    },
  );

  test('has no call when none was made', () => {
    expect(taskChange('PENDING', 'CANCELLED')?.payload.call_id).toBeNull();
  });

  test('is not sent again by a change of a task that is over, nor by one of a task that goes on', () => {
    expect(taskChange('COMPLETED', 'COMPLETED')).toBeNull();
    expect(taskChange('PENDING', 'IN_PROGRESS')).toBeNull();
    expect(taskChange('IN_PROGRESS', 'IN_PROGRESS')).toBeNull();
  });
});

describe('call.completed', () => {
  const ended = { type: 'call', ...call, status: 'SUCCESS' };

  test('waits for transcript and recording, not only for the end of the call', () => {
    expect(completedEvent({ type: 'call', ...call }, ended)).toBeNull();
    expect(completedEvent(ended, { ...ended, completed_at: at })).toEqual({
      projectId: project.id,
      payload: { event: 'call.completed', task_id: task.id, call_id: call.id, timestamp: at },
    });
    expect(
      completedEvent({ ...ended, completed_at: at }, { ...ended, completed_at: at, version: 9 }),
    ).toBeNull();
  });
});

test('a change of anything else means no event', () => {
  expect(completedEvent({ type: 'conversation' }, { type: 'conversation' })).toBeNull();
});

test('a webhook id is one per event, thing and endpoint', () => {
  const [first, second] = [uuidv7(), uuidv7()];
  const payload = { event: 'call.completed', task_id: task.id, call_id: call.id, timestamp: at } as const;
  const ids = [
    webhookMessageId(payload, first),
    webhookMessageId(payload, second),
    webhookMessageId({ ...payload, event: 'task.completed' }, first),
    webhookMessageId({ ...payload, call_id: uuidv7() }, first),
  ];
  expect(new Set(ids).size).toBe(4);
});

test('webhook ids sort by the time of their events', () => {
  const webhookId = uuidv7();
  const times = ['2026-03-02T15:05:00.000Z', '2026-03-02T15:05:00.001Z', '2026-11-02T00:00:00.000Z'];
  const ids = times.map((timestamp) =>
    webhookMessageId({ event: 'task.completed', task_id: uuidv7(), call_id: null, timestamp }, webhookId),
  );
  expect(ids.toSorted()).toEqual(ids);
  expect(firstMessageIdAt(Date.parse(times[1] ?? '')) > (ids[0] ?? '')).toBe(true);
  expect(firstMessageIdAt(Date.parse(times[1] ?? '')) < (ids[1] ?? '')).toBe(true);
});
