import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import { eventsOf, firstMessageIdAt, newEvents, webhookMessageId } from '#shared/webhooks/events.ts';
import { sampleCall, sampleProject, sampleResult, sampleTask } from '../../support/sample-tasks.ts';

const project = sampleProject();
const task = sampleTask(project);
const call = sampleCall(task);
const at = '2026-03-02T15:05:00.000Z';

const taskItem = (changes: Partial<Task>) => ({ type: 'task', ...task, ...changes });
const callItem = (changes: Partial<Call>) => ({ type: 'call', ...call, ...changes });
const namesOf = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  newEvents(before, after).map(({ payload }) => payload.event);

describe('task.completed', () => {
  test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)(
    'is what a task that becomes %s means, with its last call',
    (status) => {
      const over = taskItem({ status, updated_at: at, last_call_id: call.id, attempts: 1 });
      expect(newEvents(taskItem({ status: 'IN_PROGRESS' }), over)).toEqual([
        {
          projectId: project.id,
          payload: { event: 'task.completed', task_id: task.id, call_id: call.id, timestamp: at },
          sequence: 15,
        },
      ]);
    },
  );

  test('has no call if none was made', () => {
    const [event] = newEvents(taskItem({}), taskItem({ status: 'CANCELLED' }));
    expect(event).toMatchObject({ payload: { call_id: null }, sequence: 5 });
  });

  test('is not sent again for changes of a finished task, or for an unfinished one', () => {
    expect(namesOf(taskItem({ status: 'COMPLETED' }), taskItem({ status: 'COMPLETED' }))).toEqual([]);
    expect(namesOf(taskItem({}), taskItem({ status: 'IN_PROGRESS' }))).toEqual([]);
  });
});

const doubtful = sampleResult({
  answers: [
    {
      key: 'question_0',
      question: 'When?',
      answer: 'At eight',
      value: null,
      quote: 'at eight',
      turn: 1,
      needs_review: true,
    },
  ],
});

describe('task.needs_review', () => {
  test('precedes task.completed if an answer needs review', () => {
    const over = taskItem({ status: 'COMPLETED', result: doubtful });
    expect(namesOf(taskItem({ status: 'IN_PROGRESS' }), over)).toEqual([
      'task.needs_review',
      'task.completed',
    ]);
  });

  test('follows task.completed when the call that the task was canceled during ends', () => {
    const before = taskItem({ status: 'CANCELLED', attempts: 1, current_call_id: call.id });
    const after = taskItem({ status: 'CANCELLED', attempts: 1, result: doubtful });
    expect(newEvents(before, after)).toMatchObject([
      { payload: { event: 'task.needs_review', timestamp: task.updated_at }, sequence: 18 },
    ]);
    expect(newEvents(before, { ...after, result: null })).toEqual([]);
    expect(newEvents(after, after)).toEqual([]);
  });

  test('is not sent before the end of the task, or when its follow-up is reopened', () => {
    expect(namesOf(taskItem({}), taskItem({ status: 'IN_PROGRESS', result: doubtful }))).toEqual([]);
    const over = { status: 'COMPLETED', result: doubtful } as const;
    const done = { version: 1, assignee: null, due: null, notes: [], done_at: at, done_by: 'x@example.com' };
    const reopened = { ...done, version: 2, done_at: null, done_by: null };
    expect(
      namesOf(taskItem({ ...over, follow_up_work: done }), taskItem({ ...over, follow_up_work: reopened })),
    ).toEqual([]);
  });
});

test('task.started comes only with the first claim, whatever its outcome', () => {
  const claimed = taskItem({ status: 'IN_PROGRESS', attempts: 1, started_at: at });
  expect(newEvents(taskItem({}), claimed)).toEqual([
    {
      projectId: project.id,
      payload: { event: 'task.started', task_id: task.id, call_id: null, timestamp: at },
      sequence: 10,
    },
  ]);
  const released = taskItem({ started_at: at });
  expect(namesOf(claimed, released)).toEqual([]);
  expect(namesOf(released, claimed)).toEqual([]);
});

describe('call.started', () => {
  test('comes once the carrier has accepted the call, with its start time', () => {
    const taken = callItem({ carrier_call_sid: 'CA1', updated_at: at });
    expect(newEvents(callItem({}), taken)).toEqual([
      {
        projectId: project.id,
        payload: {
          event: 'call.started',
          task_id: task.id,
          call_id: call.id,
          timestamp: call.created_at,
        },
        sequence: 11,
      },
    ]);
    expect(namesOf(taken, callItem({ carrier_call_sid: 'CA1', carrier_progress: 'ringing' }))).toEqual([]);
  });

  test('never comes for a call that the carrier refused', () => {
    expect(namesOf(callItem({}), callItem({ status: 'FAILED', completed_at: at }))).toEqual([
      'call.failed',
      'call.completed',
    ]);
  });
});

describe('call.completed', () => {
  const ended = callItem({ status: 'SUCCESS', carrier_call_sid: 'CA1' });

  test('waits for transcript and recording, not only for the end of the call', () => {
    expect(namesOf(callItem({ carrier_call_sid: 'CA1' }), ended)).toEqual([]);
    expect(newEvents(ended, { ...ended, completed_at: at })).toEqual([
      {
        projectId: project.id,
        payload: { event: 'call.completed', task_id: task.id, call_id: call.id, timestamp: at },
        sequence: 13,
      },
    ]);
    expect(namesOf({ ...ended, completed_at: at }, { ...ended, completed_at: at, version: 9 })).toEqual([]);
  });

  test.each(['SUCCESS', 'VOICEMAIL', 'NO_ANSWER', 'BUSY', 'CANCELLED'] as const)(
    'comes without call.failed for a call that is %s',
    (status) => {
      expect(namesOf(ended, callItem({ status, carrier_call_sid: 'CA1', completed_at: at }))).toEqual([
        'call.completed',
      ]);
    },
  );
});

test('other changes cause no event', () => {
  expect(newEvents({ type: 'conversation' }, { type: 'conversation' })).toEqual([]);
});

describe('the sequence', () => {
  const sequencesOf = (...items: Record<string, unknown>[]) =>
    items.flatMap((item) => eventsOf(item).map(({ sequence }) => sequence));
  const failed = { status: 'FAILED', carrier_call_sid: 'CA1', completed_at: at } as const;

  test('increases from the first call to the end of the task', () => {
    const sequences = sequencesOf(
      taskItem({ started_at: at }),
      callItem(failed),
      callItem({ ...failed, attempt: 2 }),
      taskItem({
        status: 'COMPLETED',
        attempts: 2,
        result: doubtful,
      }),
    );
    expect(sequences).toHaveLength(9);
    expect(new Set(sequences).size).toBe(9);
    expect(sequences.toSorted((one, other) => one - other)).toEqual(sequences);
  });

  test("is higher for the end of a call that ends after its task's cancellation", () => {
    const sequences = sequencesOf(
      callItem({ carrier_call_sid: 'CA1' }),
      taskItem({ status: 'CANCELLED', attempts: 1 }),
      callItem({ status: 'FAILED', completed_at: at, outlived_task: true }),
    );
    expect(sequences).toEqual([11, 15, 16, 17]);
  });
});

test('a webhook ID is unique per event, object and endpoint', () => {
  const [first, second] = [uuidv7(), uuidv7()];
  const payload = { event: 'call.completed', task_id: task.id, call_id: call.id, timestamp: at } as const;
  const ids = [
    webhookMessageId(payload, first),
    webhookMessageId(payload, second),
    webhookMessageId({ ...payload, event: 'task.completed' }, first),
    webhookMessageId({ ...payload, event: 'call.failed' }, first),
    webhookMessageId({ ...payload, call_id: uuidv7() }, first),
    webhookMessageId({ ...payload, event: 'call.started', call_id: uuidv7() }, first),
    webhookMessageId({ ...payload, event: 'call.started', call_id: uuidv7() }, first),
  ];
  expect(new Set(ids).size).toBe(7);
});

test('webhook IDs sort by event time', () => {
  const webhookId = uuidv7();
  const times = ['2026-03-02T15:05:00.000Z', '2026-03-02T15:05:00.001Z', '2026-11-02T00:00:00.000Z'];
  const ids = times.map((timestamp) =>
    webhookMessageId({ event: 'task.completed', task_id: uuidv7(), call_id: null, timestamp }, webhookId),
  );
  expect(ids.toSorted()).toEqual(ids);
  expect(firstMessageIdAt(Date.parse(times[1] ?? '')) > (ids[0] ?? '')).toBe(true);
  expect(firstMessageIdAt(Date.parse(times[1] ?? '')) < (ids[1] ?? '')).toBe(true);
});
