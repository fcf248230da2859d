import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { findHeldSlot } from '#shared/calls/capacity/held-slot.ts';
import { log, withLogContext } from '#shared/observability/log.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { capturedLog } from '../../../support/captured-log.ts';
import { respondJson } from '../../../support/http-server.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';
import { wavFile } from '../../../support/wav-file.ts';

const fixture = await callFixtureForThisFile();

const audio = wavFile({ channels: 2, seconds: 1.5 });

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

  test.each(orders)('completes call and task with its reports in the order %s, %s, %s', async (...order) => {
    const { task, call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, audio);
    const steps: Record<Step, () => Promise<void>> = {
      session: () => fixture.sessionEnded(call),
      final: () => fixture.progress(call, 'completed', 3, { talk_seconds: 41 }),
      recording: () => fixture.recordingReady(call, sid),
    };
    for (const step of order) {
      // Every report twice, because queues may duplicate it.
      await steps[step]();
      await steps[step]();
    }
    const completed = await fixture.call(call);
    expect(completed).toMatchObject({
      status: 'SUCCESS',
      call_outcome: 'The practice opens at eight.',
      result: sampleResult(),
      carrier_progress: 'completed',
      talk_seconds: 41,
      closed_by: 'carrier',
      due_at: null,
      completed_at: fixture.now.toISOString(),
      recording: {
        status: 'stored',
        key: `recordings/${task.project_id}/${call.id}.wav`,
        bytes: audio.length,
        channels: 2,
        duration_seconds: 1.5,
        reason: null,
      },
    });
    expect(await fixture.task(task)).toMatchObject({
      status: 'COMPLETED',
      task_outcome: 'The practice opens at eight.',
      result: sampleResult(),
      attempts: 1,
      current_call_id: null,
      last_call_id: call.id,
      next_attempt_at: null,
    });
    expect(await fixture.storedBytes(completed.recording.key ?? '')).toEqual(audio);
    expect(fixture.isAtCarrier(sid)).toBe(false);
  });

  test('completes once if all reports arrive together', async () => {
    const { task, call } = await fixture.newTalking();
    const { sid } = fixture.addRecording(call, audio);
    await Promise.all(
      Array.from({ length: 3 }, () => [
        fixture.sessionEnded(call),
        fixture.progress(call, 'completed', 3),
        fixture.recordingReady(call, sid),
      ]).flat(),
    );
    // A transfer that lost against another deletion still leaves its call stored.
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', recording: { status: 'stored' } });
    expect(await fixture.task(task)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  });
});

describe('a call without an answer', () => {
  test.each([
    ['busy', 'BUSY', 'The line was busy.'],
    ['no_answer', 'NO_ANSWER', 'Nobody answered.'],
    ['canceled', 'CANCELLED', 'The call was canceled before anyone answered.'],
    ['failed', 'FAILED', 'The call could not be connected.'],
  ] as const)(
    '%s: completes at once without a recording, and the task waits',
    async (progress, status, outcome) => {
      const { task, call } = await fixture.newDialled();
      await fixture.progress(call, progress, 2);
      expect(await fixture.call(call)).toMatchObject({
        status,
        call_outcome: outcome,
        completed_at: fixture.now.toISOString(),
        recording: { status: 'none', reason: 'Nobody answered, so nothing was recorded.' },
      });
      expect(await fixture.task(task)).toMatchObject({
        status: 'IN_PROGRESS',
        attempts: 1,
        current_call_id: null,
        last_call_id: call.id,
        next_attempt_at: new Date(fixture.now.getTime() + 300_000).toISOString(),
        next_attempt_reason: `${outcome} Attempt 2 of 3 scheduled.`,
      });
    },
  );

  test('is redialed by the policy until no attempts are left', async () => {
    const task = await fixture.newTask();
    const outcomes = ['busy', 'busy', 'no_answer'] as const;
    const waits = [0, 300, 1800];
    for (const [position, outcome] of outcomes.entries()) {
      fixture.pass(waits[position] ?? 0);
      expect(await fixture.isDue(task.id)).toBe(true);
      const call = await fixture.dial(task);
      expect(call.attempt).toBe(position + 1);
      expect(await fixture.isDue(task.id)).toBe(false);
      await fixture.progress(call, outcome, 2);
    }
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'Not reached after 3 calls: busy, busy, no answer.',
      attempts: 3,
      next_attempt_at: null,
    });
    fixture.pass(24 * 60 * 60);
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(await fixture.calls(task)).toHaveLength(3);
  });

  test('is redialed after a voicemail', async () => {
    const summary = 'Reached voicemail.';
    const { task, call } = await fixture.newTalking(
      sampleResult({ goal_reached: false, definite: false, ending: 'voicemail', summary }),
    );
    await fixture.progress(call, 'completed', 3);
    await fixture.lookUntilCompleted(call);
    expect(await fixture.call(call)).toMatchObject({ status: 'VOICEMAIL', call_outcome: summary });
    expect(await fixture.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: 'Reached voicemail. Attempt 2 of 3 scheduled.',
      next_attempt_at: new Date(fixture.now.getTime() + 300_000).toISOString(),
    });
    fixture.pass(300);
    expect(await fixture.dial(task)).toMatchObject({ attempt: 2 });
  });

  test('a number that is not in service ends the task at once', async () => {
    const { task, call } = await fixture.newDialled();
    await fixture.progress(call, 'failed', 1, { sip_response_code: '404' });
    expect(await fixture.task(task)).toMatchObject({
      status: 'FAILED',
      task_outcome: 'The number is not in service. No further calls are made.',
    });
  });

  test('stores and logs why the carrier failed it', async () => {
    const { call } = await fixture.newDialled();
    const carrier_call_sid = String((await fixture.call(call)).carrier_call_sid);
    const written = await capturedLog(() =>
      withLogContext({}, async () => {
        await fixture.report(call, {
          type: 'progress',
          progress: 'failed',
          carrier_call_sid,
          sequence: 3,
          sip_response_code: null,
          talk_seconds: null,
          error_code: '13227',
        });
        log('done');
      }),
    );
    expect(await fixture.call(call)).toMatchObject({ status: 'FAILED', carrier_error_code: '13227' });
    expect(written).toMatch(/"event":"done".*"carrier_says":"Carrier error 13227: The account may not call/);
  });

  test.each([
    ['13227', 1],
    ['64102', 1],
    // Concerns this number only, or is temporary.
    ['13225', 0],
    ['64108', 0],
  ])('with error %s alarms the operator %i times', async (error_code, times) => {
    const { call } = await fixture.newDialled();
    const written = await capturedLog(() => fixture.progress(call, 'failed', 1, { error_code }));
    const lines = written.split('\n').filter((line) => line.includes('"carrier-refuses-our-configuration"'));
    expect(lines).toHaveLength(times);
    if (times > 0) expect(JSON.parse(lines[0] ?? '')).toMatchObject({ remedy: expect.stringMatching(/\.$/) });
  });

  test('a report about an unknown call is ignored', async () => {
    const { call } = await fixture.newDialled();
    await fixture.progress({ ...call, id: '01890a5d-ac96-774b-bcce-b302099a8057' }, 'busy', 1);
  });
});

describe('a task that ended meanwhile', () => {
  test('does not change while its call completes', async () => {
    const { task, call } = await fixture.newDialled();
    const cancelled = { ...(await fixture.task(task)), status: 'CANCELLED', current_call_id: null };
    await fixture.table.client.send(
      new PutCommand({
        TableName: fixture.table.name,
        Item: { pk: `TASK#${task.id}`, sk: 'TASK', type: 'task', ...cancelled },
      }),
    );
    await fixture.progress(call, 'busy', 2);
    expect(await fixture.call(call)).toMatchObject({ status: 'BUSY' });
    expect(await fixture.task(task)).toEqual(cancelled);
  });
});

describe('a result too large for the table', () => {
  test('loses unanswered questions, but neither call nor task fails to end', async () => {
    const questions = Array.from({ length: 1500 }, (_, index) => ({ index, question: 'Why? '.repeat(33) }));
    const task = await fixture.newTask({ task_data: { questions_to_ask: questions } });
    const call = await fixture.dial(task);
    const answers = questions.map(({ index, question }) => ({
      key: `question_${index}`,
      question,
      answer: index % 10 === 0 ? 'Because.' : null,
      value: null,
      quote: index % 10 === 0 ? 'Because.' : null,
      turn: index % 10 === 0 ? index : null,
      needs_review: false,
    }));
    fixture.results.set(call.id, sampleResult({ answers, summary: 'Long. '.repeat(20_000) }));
    const { sid } = fixture.addRecording(call, audio);
    await fixture.progress(call, 'completed', 3, { talk_seconds: 41 });
    await fixture.recordingReady(call, sid);
    await fixture.lookUntilCompleted(call);
    const answered = answers.filter(({ answer }) => answer !== null);
    expect((await fixture.call(call)).result?.answers).toEqual(answered);
    const ended = await fixture.task(task);
    expect(ended).toMatchObject({ status: 'COMPLETED', task_outcome: expect.stringMatching(/^Long\..*…$/) });
    expect(ended.result?.answers).toEqual(answered);
  });
});

describe('a conversation that cannot be evaluated', () => {
  test('is retried for a while and does not hold the call forever', async () => {
    const { call } = await fixture.newDialled();
    await fixture.progress(call, 'answered', 2);
    fixture.unreadable.add(call.id);
    const { sid } = fixture.addRecording(call, audio);
    await fixture.recordingReady(call, sid);
    await fixture.progress(call, 'completed', 3);
    expect(await fixture.call(call)).toMatchObject({ carrier_progress: 'completed', status: 'IN_PROGRESS' });
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(900);
    expect(seconds).toBeLessThanOrEqual(1500);
    expect(await fixture.call(call)).toMatchObject({ status: 'FAILED', recording: { status: 'stored' } });
  });
});

describe('missing reports', () => {
  test('the end of a call is checked after its conversation', async () => {
    const { task, call } = await fixture.newTalking();
    const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    if (atCarrier === undefined) throw new Error('the carrier has no such call');
    await fixture.sessionEnded(call);
    Object.assign(atCarrier, { status: 'completed', duration: '41' });
    fixture.carrier.addRecording(atCarrier.sid, audio);
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(180);
    expect(await fixture.call(call)).toMatchObject({
      status: 'SUCCESS',
      closed_by: 'sweeper',
      talk_seconds: 41,
      recording: { status: 'stored' },
    });
    expect(await fixture.task(task)).toMatchObject({ status: 'COMPLETED' });
  });

  test('a call without any report is checked', async () => {
    const { call } = await fixture.newDialled();
    const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    Object.assign(atCarrier ?? {}, { status: 'no-answer' });
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(180);
    expect(await fixture.call(call)).toMatchObject({ status: 'NO_ANSWER', closed_by: 'sweeper' });
  });

  test('a call that the carrier leaves open is hung up and closed at its deadline', async () => {
    const { task, call } = await fixture.newDialled();
    const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    if (atCarrier === undefined) throw new Error('the carrier has no such call');
    atCarrier.status = 'ringing';
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeLessThanOrEqual(2 * 60 * 60);
    expect(atCarrier.status).toBe('completed');
    expect(await fixture.call(call)).toMatchObject({
      status: 'FAILED',
      closed_by: 'sweeper',
      call_outcome: 'The telephone carrier never reported the outcome of the call.',
    });
    expect(await fixture.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: null });
  });

  test('a call that the carrier fails to hang up at its deadline keeps its number until it ends', async () => {
    const { task, call } = await fixture.newDialled();
    const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === call.carrier_call_sid);
    if (atCarrier === undefined) throw new Error('the carrier has no such call');
    atCarrier.status = 'ringing';
    let refusals = 2;
    fixture.carrier.interfere = (request, response) => {
      if (request.method !== 'POST' || refusals === 0) return false;
      refusals -= 1;
      respondJson(response, 500, {});
      return true;
    };
    fixture.pass(45 + 75 * 60 + 5 * 60);
    for (const isOver of [false, false, true]) {
      expect(atCarrier.status).toBe('ringing');
      await fixture.look(call);
      expect((await fixture.call(call)).ended_at !== null).toBe(isOver);
      expect((await findHeldSlot(fixture.table, call)) === null).toBe(isOver);
      fixture.pass(30);
    }
    expect(atCarrier.status).toBe('completed');
    expect(await fixture.task(task)).toMatchObject({ status: 'IN_PROGRESS', current_call_id: null });
  });

  test.each(['dialed', 'talking'] as const)(
    'a call that was %s ends within its limits even if the carrier is gone for good',
    async (state) => {
      const { call } = state === 'dialed' ? await fixture.newDialled() : await fixture.newTalking();
      fixture.carrier.interfere = (_, response) => {
        response.destroy();
        return true;
      };
      expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(3 * 60 * 60);
      expect(await fixture.call(call)).toMatchObject({ closed_by: 'sweeper', recording: { status: 'none' } });
    },
  );

  test('an early check makes no request', async () => {
    const { call } = await fixture.newDialled();
    const before = fixture.carrier.requests.length;
    await fixture.look(call);
    expect(fixture.carrier.requests.length).toBe(before);
    expect(await fixture.call(call)).toEqual(call);
  });
});
