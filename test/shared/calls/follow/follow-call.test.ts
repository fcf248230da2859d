import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CallServices } from '#shared/calls/call-services.ts';
import { cancelTask } from '#shared/calls/cancel-task.ts';
import { lookAtCall } from '#shared/calls/follow/look-at-call.ts';
import type { Call } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { Task } from '#shared/domain/task.ts';
import {
  Conversation,
  createConversationItem,
  getConversation,
  replaceConversationItem,
} from '#shared/table/conversation.ts';
import { getDestinationLock } from '#shared/table/destination-lock.ts';
import { rememberNothing } from '#shared/table/idempotency.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { CallWorld } from '../../../support/call-world.ts';
import { answerJson } from '../../../support/http-server.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';
import { wavFile } from '../../../support/wav-file.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await CallWorld.start();
});
afterAll(() => world.stop());
afterEach(() => {
  world.carrier.interfere = () => false;
});

const audio = wavFile({ channels: 2, seconds: 1.5 });

async function dialled(): Promise<{ task: Task; call: Call }> {
  const task = await world.newTask();
  return { task, call: await world.dial(task) };
}

/** A call on which somebody talks, with what came out of it. */
async function talking(result = sampleResult()): Promise<{ task: Task; call: Call }> {
  const { task, call } = await dialled();
  await world.progress(call, 'answered', 2);
  world.results.set(call.id, result);
  return { task, call };
}

function isAtCarrier(recordingSid: string): boolean {
  return world.carrier.recordings.some(({ sid }) => sid === recordingSid);
}

describe('a conversation that reaches its goal', () => {
  type Step = 'session' | 'final' | 'recording';
  const orders: Step[][] = [
    ['session', 'final', 'recording'],
    ['session', 'recording', 'final'],
    ['final', 'session', 'recording'],
    ['final', 'recording', 'session'],
    ['recording', 'session', 'final'],
    ['recording', 'final', 'session'],
  ];

  test.each(orders)('completes call and task, its reports coming as %s, %s, %s', async (...order) => {
    const { task, call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    const steps: Record<Step, () => Promise<void>> = {
      session: () => world.sessionEnded(call),
      final: () => world.progress(call, 'completed', 3, { talk_seconds: 41 }),
      recording: () => world.recordingReady(call, sid),
    };
    for (const step of order) {
      // Every report twice, as a queue may deliver it.
      await steps[step]();
      await steps[step]();
    }
    const completed = await world.call(call);
    expect(completed).toMatchObject({
      status: 'SUCCESS',
      call_outcome: 'The practice opens at eight.',
      result: sampleResult(),
      carrier_progress: 'completed',
      talk_seconds: 41,
      closed_by: 'carrier',
      due_at: null,
      completed_at: world.now.toISOString(),
      recording: {
        status: 'stored',
        key: `recordings/${task.project_id}/${call.id}.wav`,
        bytes: audio.length,
        channels: 2,
        duration_seconds: 1.5,
        reason: null,
      },
    });
    expect(await world.task(task)).toMatchObject({
      status: 'COMPLETED',
      task_outcome: 'The practice opens at eight.',
      result: sampleResult(),
      attempts: 1,
      current_call_id: null,
      last_call_id: call.id,
      next_attempt_at: null,
    });
    expect(await world.storedBytes(completed.recording.key ?? '')).toEqual(audio);
    expect(isAtCarrier(sid)).toBe(false);
  });

  test('completes once when all reports come at the same time', async () => {
    const { task, call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await Promise.all(
      Array.from({ length: 3 }, () => [
        world.sessionEnded(call),
        world.progress(call, 'completed', 3),
        world.recordingReady(call, sid),
      ]).flat(),
    );
    // A transfer that lost against the deletion by another leaves its call stored all the same.
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(await world.task(task)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  });
});

describe('a call that reaches nobody', () => {
  test.each([
    ['busy', 'BUSY', 'The line was busy.'],
    ['no_answer', 'NO_ANSWER', 'Nobody answered.'],
    ['canceled', 'CANCELLED', 'The call was cancelled before anybody answered.'],
    ['failed', 'FAILED', 'The call could not be connected.'],
  ] as const)(
    '%s: completes at once without a recording, and the task waits',
    async (progress, status, outcome) => {
      const { task, call } = await dialled();
      await world.progress(call, progress, 2);
      expect(await world.call(call)).toMatchObject({
        status,
        call_outcome: outcome,
        completed_at: world.now.toISOString(),
        recording: { status: 'none', reason: 'Nobody answered, so nothing was recorded.' },
      });
      expect(await world.task(task)).toMatchObject({
        status: 'IN_PROGRESS',
        attempts: 1,
        current_call_id: null,
        last_call_id: call.id,
        next_attempt_at: new Date(world.now.getTime() + 300_000).toISOString(),
        next_attempt_reason: `${outcome} Attempt 2 of 3 follows.`,
      });
    },
  );

  test('is dialled again by the policy until the attempts are used up', async () => {
    const task = await world.newTask();
    const outcomes = ['busy', 'busy', 'no_answer'] as const;
    const waits = [0, 300, 1800];
    for (const [position, outcome] of outcomes.entries()) {
      world.pass(waits[position] ?? 0);
      expect(await world.isDue(task.id)).toBe(true);
      const call = await world.dial(task);
      expect(call.attempt).toBe(position + 1);
      expect(await world.isDue(task.id)).toBe(false);
      await world.progress(call, outcome, 2);
    }
    expect(await world.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 3 calls: busy, busy, no answer.',
      attempts: 3,
      next_attempt_at: null,
    });
    world.pass(24 * 60 * 60);
    await world.handle({ kind: 'dial', task_id: task.id });
    expect(await world.calls(task)).toHaveLength(3);
  });

  test('is dialled again after a voicemail', async () => {
    const summary = 'A voicemail answered.';
    const { task, call } = await talking(
      sampleResult({ goal_reached: false, definite: false, ending: 'voicemail', summary }),
    );
    await world.progress(call, 'completed', 3);
    await world.lookUntilCompleted(call);
    expect(await world.call(call)).toMatchObject({ status: 'VOICEMAIL', call_outcome: summary });
    expect(await world.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: 'A voicemail answered. Attempt 2 of 3 follows.',
      next_attempt_at: new Date(world.now.getTime() + 300_000).toISOString(),
    });
    world.pass(300);
    expect(await world.dial(task)).toMatchObject({ attempt: 2 });
  });

  test('a number that is not in service ends the task at once', async () => {
    const { task, call } = await dialled();
    await world.progress(call, 'failed', 1, { sip_response_code: '404' });
    expect(await world.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'The number is not in service. No further calls are made.',
    });
  });

  test('a report about a call that is not there is ignored', async () => {
    const { call } = await dialled();
    await world.progress({ ...call, id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'busy', 1);
  });
});

describe('a task that was ended in the meantime', () => {
  test('stays as it is while its call completes', async () => {
    const { task, call } = await dialled();
    const cancelled = { ...(await world.task(task)), status: 'CANCELLED', current_call_id: null };
    await world.table.client.send(
      new PutCommand({
        TableName: world.table.name,
        Item: { pk: `TASK#${task.id}`, sk: 'TASK', type: 'task', ...cancelled },
      }),
    );
    await world.progress(call, 'busy', 2);
    expect(await world.call(call)).toMatchObject({ status: 'BUSY' });
    expect(await world.task(task)).toEqual(cancelled);
  });
});

describe('the last words of a conversation', () => {
  async function startConversation(call: Call, changes: Partial<Conversation> = {}): Promise<void> {
    const conversation = Conversation.parse({
      call_id: call.id,
      task_id: call.task_id,
      project_id: call.project_id,
      carrier_call_sid: call.carrier_call_sid ?? '',
      connection_id: 'connection',
      epoch: 1,
      turn_count: 0,
      offset_ms: 0,
      status: 'open',
      state: null,
      started_at: call.created_at,
      updated_at: call.created_at,
      ...changes,
    });
    await writeTransaction(world.table, [createConversationItem(world.table, conversation)]);
  }

  async function conversationOf(call: Call): Promise<Conversation> {
    const conversation = await getConversation(world.table, call.id);
    if (conversation === null) throw new Error('the conversation is gone');
    return conversation;
  }

  /** A call that the person ended in the middle of its conversation, with all reports in. */
  async function hungUp(result: CallResult): Promise<{ task: Task; call: Call }> {
    const { task, call } = await talking(result);
    await startConversation(call);
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.recordingReady(call, sid);
    await world.progress(call, 'completed', 3);
    return { task, call };
  }

  test('are waited for a moment, and a look on time is asked for', async () => {
    const { call } = await talking();
    await startConversation(call);
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.recordingReady(call, sid);
    await world.progress(call, 'completed', 3);
    expect((await world.call(call)).completed_at).toBeNull();
    expect(world.queued()).toContainEqual({
      body: { kind: 'call-due', task_id: call.task_id, call_id: call.id },
      isDelayed: true,
    });
    const conversation = await conversationOf(call);
    await writeTransaction(world.table, [
      replaceConversationItem(world.table, { ...conversation, epoch: 2, status: 'ended' }),
    ]);
    world.pass(2);
    await world.look(call);
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS' });
  });

  test('are not waited for when the conversation has ended', async () => {
    const { call } = await talking();
    await startConversation(call, { status: 'ended' });
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.recordingReady(call, sid);
    await world.progress(call, 'completed', 3);
    expect(await world.call(call)).toMatchObject({ completed_at: world.now.toISOString() });
  });

  test('that never come hold the call for moments only, and it is told that the person hung up', async () => {
    const { task, call } = await hungUp(
      sampleResult({ goal_reached: false, definite: false, ending: 'hung-up', summary: 'Cut off.' }),
    );
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(4);
    expect(await world.call(call)).toMatchObject({ result: { ending: 'hung-up' } });
    expect(await world.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: new Date(world.now.getTime() + 300_000).toISOString(),
      result: { ending: 'hung-up' },
    });
  });

  test('are waited for as long as a turn is being taken', async () => {
    const { call } = await talking();
    const until = new Date(world.now.getTime() + 12_000).toISOString();
    await startConversation(call, { answering: { turn: 1, until } });
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.recordingReady(call, sid);
    await world.progress(call, 'completed', 3);
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(12);
    expect(seconds).toBeLessThanOrEqual(20);
  });

  test('cannot come any more once the call is completed', async () => {
    const { call } = await hungUp(sampleResult());
    const read = await conversationOf(call);
    await world.lookUntilCompleted(call);
    expect(await conversationOf(call)).toMatchObject({ status: 'ended', epoch: 2 });
    const late = { ...read, epoch: read.epoch + 1 };
    await expect(writeTransaction(world.table, [replaceConversationItem(world.table, late)])).rejects.toThrow(
      TransactionConditionFailed,
    );
  });

  test('that come while the call is being judged are judged with it', async () => {
    const { call } = await hungUp(
      sampleResult({ goal_reached: false, definite: false, ending: 'hung-up', summary: 'Cut off.' }),
    );
    world.pass(4);
    let isWritten = false;
    const { services } = world;
    const interrupted: CallServices = {
      ...services,
      callResult: async (callId) => {
        const judged = await services.callResult(callId);
        if (!isWritten) {
          isWritten = true;
          const conversation = await conversationOf(call);
          await writeTransaction(world.table, [
            replaceConversationItem(world.table, { ...conversation, epoch: conversation.epoch + 1 }),
          ]);
          world.results.set(call.id, sampleResult());
        }
        return judged;
      },
    };
    await lookAtCall(interrupted, call.task_id, call.id);
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', result: sampleResult() });
  });
});

describe('a result that is larger than the table can keep', () => {
  test('costs what stayed unanswered, and neither the end of the call nor that of the task', async () => {
    const questions = Array.from({ length: 1500 }, (_, index) => ({ index, question: 'Why? '.repeat(33) }));
    const task = await world.newTask({ task_data: { questions_to_ask: questions } });
    const call = await world.dial(task);
    const answers = questions.map(({ index, question }) => ({
      key: `question_${index}`,
      question,
      answer: index % 10 === 0 ? 'Because.' : null,
      value: null,
      quote: index % 10 === 0 ? 'Because.' : null,
      turn: index % 10 === 0 ? index : null,
    }));
    world.results.set(call.id, sampleResult({ answers, summary: 'Long. '.repeat(20_000) }));
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.progress(call, 'completed', 3, { talk_seconds: 41 });
    await world.recordingReady(call, sid);
    await world.lookUntilCompleted(call);
    const answered = answers.filter(({ answer }) => answer !== null);
    expect((await world.call(call)).result?.answers).toEqual(answered);
    const ended = await world.task(task);
    expect(ended).toMatchObject({ status: 'COMPLETED', task_outcome: expect.stringMatching(/^Long\..*…$/) });
    expect(ended.result?.answers).toEqual(answered);
  });
});

describe('a conversation that cannot be evaluated', () => {
  test('is tried again for a while and does not hold the call for ever', async () => {
    const { call } = await dialled();
    await world.progress(call, 'answered', 2);
    world.unreadable.add(call.id);
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.recordingReady(call, sid);
    await world.progress(call, 'completed', 3);
    expect(await world.call(call)).toMatchObject({ carrier_progress: 'completed', status: 'IN_PROGRESS' });
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(900);
    expect(seconds).toBeLessThanOrEqual(1500);
    expect(await world.call(call)).toMatchObject({ status: 'FAILED', recording: { status: 'stored' } });
  });
});

describe('the recording', () => {
  test('is fetched again when it is not there yet', async () => {
    const { call } = await talking();
    const recording = world.carrier.addRecording(call.carrier_call_sid ?? '', null);
    await world.progress(call, 'completed', 3);
    await world.recordingReady(call, recording.sid);
    expect(await world.call(call)).toMatchObject({
      status: 'IN_PROGRESS',
      recording: { status: 'awaited', carrier_recording_sid: recording.sid },
    });
    expect(isAtCarrier(recording.sid)).toBe(true);
    recording.media = audio;
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(10);
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(isAtCarrier(recording.sid)).toBe(false);
  });

  test('that is reported before its call’s end and is not there yet is fetched soon all the same', async () => {
    const { call } = await talking();
    const recording = world.carrier.addRecording(call.carrier_call_sid ?? '', null);
    await world.recordingReady(call, recording.sid);
    recording.media = audio;
    await world.progress(call, 'completed', 3);
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(10);
    expect(await world.call(call)).toMatchObject({ closed_by: 'carrier', recording: { status: 'stored' } });
  });

  test('is fetched by one only, as long as that one is at it', async () => {
    const { call } = await talking();
    const recording = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    let isReported = false;
    world.carrier.interfere = ({ url }, response) => {
      if (isReported || !url.includes('.wav')) return false;
      isReported = true;
      // The end of the call is reported, and a look is taken, while the transfer is going on.
      void world
        .progress(call, 'completed', 3)
        .then(() => world.look(call))
        .then(() => response.end(audio));
      return true;
    };
    const before = world.carrier.requests.length;
    await world.recordingReady(call, recording.sid);
    const fetches = world.carrier.requests.slice(before).filter(({ url }) => url.includes('.wav'));
    expect(fetches).toHaveLength(1);
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
  });

  test('that is cut short is neither stored nor deleted, but fetched again', async () => {
    const { call } = await talking();
    const recording = world.carrier.addRecording(call.carrier_call_sid ?? '', audio.subarray(0, 1000));
    await world.progress(call, 'completed', 3);
    await world.recordingReady(call, recording.sid);
    expect(await world.call(call)).toMatchObject({ recording: { status: 'awaited', key: null } });
    await expect(world.storedBytes(`recordings/${call.project_id}/${call.id}.wav`)).rejects.toThrow();
    expect(isAtCarrier(recording.sid)).toBe(true);
    recording.media = audio;
    await world.lookUntilCompleted(call);
    expect(await world.call(call)).toMatchObject({ recording: { status: 'stored', bytes: audio.length } });
  });

  test('is found when the carrier’s report of it was lost', async () => {
    const { call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.progress(call, 'completed', 3);
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(60);
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'stored', carrier_recording_sid: sid },
    });
    expect(isAtCarrier(sid)).toBe(false);
  });

  test('that is absent ends the wait at once, with the reason', async () => {
    const { call } = await talking();
    await world.report(call, {
      type: 'recording',
      carrier_call_sid: call.carrier_call_sid ?? '',
      status: 'absent',
      recording_sid: `RE${'0'.repeat(32)}`,
    });
    await world.progress(call, 'completed', 3);
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: {
        status: 'none',
        reason: 'The carrier made no recording, because the call was too short or silent.',
      },
    });
  });

  test('that never comes does not hold the call for ever', async () => {
    const { call } = await talking();
    await world.progress(call, 'completed', 3);
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(600);
    expect(seconds).toBeLessThanOrEqual(1200);
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'none', reason: 'No recording came from the carrier.' },
    });
  });

  test('of a connection that failed before anybody spoke is not waited for', async () => {
    const { call } = await talking();
    await world.progress(call, 'failed', 3, { talk_seconds: 0 });
    expect(await world.lookUntilCompleted(call)).toBeLessThan(120);
    expect((await world.call(call)).recording.status).toBe('none');
  });

  test('of a call that was ended at our request before anybody spoke is not waited for', async () => {
    const { task, call } = await dialled();
    await world.progress(call, 'answered', 2);
    await cancelTask(world.table, task.project_id, task.id, rememberNothing, () => world.now);
    await world.progress(call, 'completed', 3, { talk_seconds: 0 });
    expect(await world.lookUntilCompleted(call)).toBeLessThan(30);
    expect(await world.call(call)).toMatchObject({ status: 'CANCELLED', recording: { status: 'none' } });
  });

  test('that could not be had in time is stored when it can be had within a day, beside the completed call', async () => {
    const { call } = await talking();
    const recording = world.carrier.addRecording(call.carrier_call_sid ?? '', null);
    await world.progress(call, 'completed', 3);
    await world.recordingReady(call, recording.sid);
    await world.lookUntilCompleted(call);
    const before = await world.call(call);
    recording.media = audio;
    expect(await world.lookUntilSettled(call)).toBeLessThanOrEqual(20 * 60);
    expect(await world.call(call)).toMatchObject({
      status: before.status,
      completed_at: before.completed_at,
      due_at: null,
      recording: { status: 'stored' },
    });
    expect(isAtCarrier(recording.sid)).toBe(false);
  });

  test('that cannot be had for a day is left at the carrier, and nothing waits for it any more', async () => {
    const { call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', null);
    await world.progress(call, 'completed', 3);
    await world.recordingReady(call, sid);
    await world.lookUntilCompleted(call);
    const seconds = await world.lookUntilSettled(call);
    expect(seconds).toBeGreaterThanOrEqual(24 * 3600);
    expect(seconds).toBeLessThanOrEqual(25 * 3600);
    expect(await world.call(call)).toMatchObject({ due_at: null, recording: { status: 'none' } });
    expect(isAtCarrier(sid)).toBe(true);
  });

  test('that exists and cannot be had is given up after its own limit, and left at the carrier', async () => {
    const { call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', null);
    await world.progress(call, 'completed', 3);
    await world.recordingReady(call, sid);
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(3600);
    expect(seconds).toBeLessThanOrEqual(3900 + 300);
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      recording: { status: 'none', carrier_recording_sid: sid },
    });
    expect(isAtCarrier(sid)).toBe(true);
  });

  test('that turns up after the call was completed without it is kept all the same', async () => {
    const { call } = await talking();
    await world.progress(call, 'completed', 3);
    await world.lookUntilCompleted(call);
    const before = await world.call(call);
    world.pass(5 * 60 * 60);
    const recording = world.carrier.addRecording(call.carrier_call_sid ?? '', null);
    await world.recordingReady(call, recording.sid);
    expect(await world.call(call)).toMatchObject({
      completed_at: before.completed_at,
      recording: { status: 'awaited' },
    });
    recording.media = audio;
    expect(await world.lookUntilSettled(call)).toBeLessThanOrEqual(10);
    expect(await world.call(call)).toMatchObject({
      status: before.status,
      completed_at: before.completed_at,
      recording: { status: 'stored' },
    });
    expect(isAtCarrier(recording.sid)).toBe(false);
  });

  test('is deleted at the carrier when the first try to do so failed', async () => {
    const { call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', audio);
    await world.progress(call, 'completed', 3);
    world.carrier.interfere = ({ method }, response) => {
      if (method !== 'DELETE') return false;
      response.writeHead(503).end();
      return true;
    };
    await world.recordingReady(call, sid);
    expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(isAtCarrier(sid)).toBe(true);
    world.carrier.interfere = () => false;
    expect(await world.lookUntilSettled(call)).toBeLessThanOrEqual(10);
    expect(isAtCarrier(sid)).toBe(false);
    expect(await world.call(call)).toMatchObject({ due_at: null, recording: { status: 'stored' } });
  });

  test('of several megabytes passes through', async () => {
    const long = wavFile({ channels: 2, seconds: 10 * 60 });
    const { call } = await talking();
    const { sid } = world.carrier.addRecording(call.carrier_call_sid ?? '', long);
    await world.progress(call, 'completed', 3);
    await world.recordingReady(call, sid);
    const { recording } = await world.call(call);
    expect(recording).toMatchObject({ status: 'stored', bytes: long.length, duration_seconds: 600 });
    expect((await world.storedBytes(recording.key ?? '')).equals(long)).toBe(true);
  });
});

describe('reports that never come', () => {
  test('the end of a call is asked for after its conversation', async () => {
    const { task, call } = await talking();
    const atCarrier = world.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    if (atCarrier === undefined) throw new Error('the carrier has no such call');
    await world.sessionEnded(call);
    Object.assign(atCarrier, { status: 'completed', duration: '41' });
    world.carrier.addRecording(atCarrier.sid, audio);
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(180);
    expect(await world.call(call)).toMatchObject({
      status: 'SUCCESS',
      closed_by: 'sweeper',
      talk_seconds: 41,
      recording: { status: 'stored' },
    });
    expect(await world.task(task)).toMatchObject({ status: 'COMPLETED' });
  });

  test('a call of which nothing is ever heard is asked for', async () => {
    const { call } = await dialled();
    const atCarrier = world.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    Object.assign(atCarrier ?? {}, { status: 'no-answer' });
    expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(180);
    expect(await world.call(call)).toMatchObject({ status: 'NO_ANSWER', closed_by: 'sweeper' });
  });

  test('a call that the carrier leaves open is hung up and closed at its deadline', async () => {
    const { task, call } = await dialled();
    const atCarrier = world.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    if (atCarrier === undefined) throw new Error('the carrier has no such call');
    atCarrier.status = 'ringing';
    const seconds = await world.lookUntilCompleted(call);
    expect(seconds).toBeLessThanOrEqual(2 * 60 * 60);
    expect(atCarrier.status).toBe('completed');
    expect(await world.call(call)).toMatchObject({
      status: 'FAILED',
      closed_by: 'sweeper',
      call_outcome: 'The telephone carrier never reported how the call went on.',
    });
    expect(await world.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: null });
  });

  test('a call that the carrier fails to hang up at its deadline keeps its number until it is down', async () => {
    const { task, call } = await dialled();
    const atCarrier = world.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    if (atCarrier === undefined) throw new Error('the carrier has no such call');
    atCarrier.status = 'ringing';
    let refusals = 2;
    world.carrier.interfere = (request, response) => {
      if (request.method !== 'POST' || refusals === 0) return false;
      refusals -= 1;
      answerJson(response, 500, {});
      return true;
    };
    world.pass(45 + 60 * 60 + 5 * 60);
    for (const isOver of [false, false, true]) {
      expect(atCarrier.status).toBe('ringing');
      await world.look(call);
      expect((await world.call(call)).ended_at !== null).toBe(isOver);
      expect((await getDestinationLock(world.table, call)) === null).toBe(isOver);
      world.pass(30);
    }
    expect(atCarrier.status).toBe('completed');
    expect(await world.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: null });
  });

  test.each(['dialled', 'talking'] as const)(
    'a call that was %s ends within its limits even if the carrier is gone for good',
    async (state) => {
      const { call } = state === 'dialled' ? await dialled() : await talking();
      world.carrier.interfere = (_, response) => {
        response.destroy();
        return true;
      };
      expect(await world.lookUntilCompleted(call)).toBeLessThanOrEqual(3 * 60 * 60);
      expect(await world.call(call)).toMatchObject({ closed_by: 'sweeper', recording: { status: 'none' } });
    },
  );

  test('a look that comes too early asks nobody', async () => {
    const { call } = await dialled();
    const before = world.carrier.requests.length;
    await world.look(call);
    expect(world.carrier.requests.length).toBe(before);
    expect(await world.call(call)).toEqual(call);
  });
});
