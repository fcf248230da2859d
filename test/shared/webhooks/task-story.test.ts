import { expect, test } from 'vitest';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { Task } from '#shared/domain/task.ts';
import { cancelTask } from '#shared/tasks/cancel-task.ts';
import { newEvents, type ProjectEvent } from '#shared/webhooks/events.ts';
import { callFixtureForThisFile } from '../../support/call-fixture.ts';
import { respondJson } from '../../support/http-server.ts';
import { sampleResult } from '../../support/sample-tasks.ts';
import { wavFile } from '../../support/wav-file.ts';

const fixture = await callFixtureForThisFile();

/** The events that clients get about a task and its calls, as the stream delivers their changes. */
function storyOf(task: Task) {
  const items = new Map<string, Record<string, unknown>>([[task.id, { type: 'task', ...task }]]);
  const events: ProjectEvent[] = [];
  return {
    events,
    /** Reads the changes since the last time. */
    async goOn(): Promise<void> {
      const calls = (await fixture.calls(task)).toReversed();
      const current = [
        ...calls.map((call) => ({ type: 'call', ...call })),
        { type: 'task', ...(await fixture.task(task)) },
      ];
      const changed = current.flatMap((item) => {
        const before = items.get(item.id) ?? { ...item, carrier_call_sid: null, completed_at: null };
        items.set(item.id, item);
        return newEvents(before, item);
      });
      events.push(...changed.toSorted((one, other) => one.sequence - other.sequence));
    },
    names: () => events.map(({ payload }) => payload.event),
    sequences: () => events.map(({ sequence }) => sequence),
  };
}

function expectIncreasing(sequences: readonly number[]): void {
  expect(sequences.toSorted((one, other) => one - other)).toEqual(sequences);
  expect(new Set(sequences).size).toBe(sequences.length);
}

const doubtful: CallResult = sampleResult({
  answers: [
    {
      key: 'question_0',
      question: 'When do you open?',
      answer: 'At eight',
      value: null,
      quote: 'at eight, I think',
      turn: 1,
      needs_review: true,
    },
  ],
});

test('a task that the carrier first throttles has one started event, each event after its cause', async () => {
  const task = await fixture.newTask();
  const story = storyOf(task);
  fixture.carrier.interfere = ({ method }, response) => {
    if (method !== 'POST') return false;
    respondJson(response, 429, { code: 20429 });
    return true;
  };
  await fixture.handle({ kind: 'dial', task_id: task.id });
  await story.goOn();
  expect(await fixture.task(task)).toMatchObject({ status: 'PENDING', attempts: 0 });
  expect(story.names()).toEqual(['task.started']);

  fixture.carrier.interfere = () => false;
  fixture.pass(60);
  const busy = await fixture.dial(task);
  await story.goOn();
  await fixture.progress(busy, 'busy', 2);
  await story.goOn();
  fixture.pass(3_600);
  const talked = await fixture.dial(task);
  await story.goOn();
  fixture.results.set(talked.id, doubtful);
  await fixture.progress(talked, 'answered', 2);
  await fixture.progress(talked, 'completed', 3, { talk_seconds: 20 });
  await story.goOn();
  await fixture.lookUntilCompleted(talked);
  await story.goOn();

  expect(story.names()).toEqual([
    'task.started',
    'call.started',
    'call.completed',
    'call.started',
    'call.completed',
    'task.needs_review',
    'task.completed',
  ]);
  expectIncreasing(story.sequences());
  const { started_at } = await fixture.task(task);
  expect(story.events[0]?.payload).toEqual({
    event: 'task.started',
    task_id: task.id,
    call_id: null,
    timestamp: started_at,
  });
});

test('a call that the carrier refuses has failed without a start', async () => {
  const task = await fixture.newTask();
  const story = storyOf(task);
  fixture.carrier.interfere = ({ method }, response) => {
    if (method !== 'POST') return false;
    respondJson(response, 400, { code: 21211 });
    return true;
  };
  await fixture.handle({ kind: 'dial', task_id: task.id });
  await story.goOn();
  expect(story.names()).toEqual(['task.started', 'call.failed', 'call.completed', 'task.completed']);
  expectIncreasing(story.sequences());
});

test("the end of a call after its task's cancellation is announced after that", async () => {
  const task = await fixture.newTask();
  const story = storyOf(task);
  const call = await fixture.dial(task);
  await story.goOn();
  fixture.results.set(call.id, sampleResult());
  await fixture.progress(call, 'answered', 2);
  await fixture.sessionEnded(call);
  await fixture.progress(call, 'completed', 3, { talk_seconds: 40 });
  // Only the recording is missing, so nothing marks the call.
  await cancelTask(fixture.table, { projectId: task.project_id, taskId: task.id, now: () => fixture.now });
  await story.goOn();
  const recording = fixture.addRecording(call, wavFile({ channels: 2, seconds: 1 }));
  await fixture.recordingReady(call, recording.sid);
  await fixture.lookUntilCompleted(call);
  await story.goOn();
  expect(story.names()).toEqual(['task.started', 'call.started', 'task.completed', 'call.completed']);
  expectIncreasing(story.sequences());
});
