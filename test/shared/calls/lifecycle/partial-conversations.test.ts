import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallServices } from '#shared/calls/call-services.ts';
import { handleCallMessage } from '#shared/calls/handle-call-message.ts';
import type { Call } from '#shared/domain/call.ts';
import type { CallEnding } from '#shared/domain/call-result.ts';
import type { Task } from '#shared/domain/task.ts';
import { Conversation, createConversationItem, putTurnItem } from '#shared/table/conversation.ts';
import { createConversationPlanItem } from '#shared/table/conversation-plan.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { patient } from '../../../support/conversation.ts';
import { sampleProject } from '../../../support/sample-tasks.ts';

/* Calls together with their conversations by the voice agent: no finding is lost in between. */

let fixture: CallFixture;
let services: CallServices;
beforeAll(async () => {
  fixture = await CallFixture.start();
  services = { ...fixture.services, callResult: (callId) => loadCallResult(fixture.table, callId) };
});
afterAll(() => fixture.stop());

const questions = [
  { index: 0, question: 'What are your office hours?' },
  { index: 1, question: 'What is the fax number for records?' },
  { index: 2, question: 'Are you accepting new patients?' },
];

interface Spoken {
  /** How long we were on hold before, and when the call ended. */
  readonly heldSeconds?: readonly [number, number];
  /** The person's answers, by the key of the question. */
  readonly answers: Readonly<Record<string, string>>;
  /** How we ended the conversation; null when the person hung up. */
  readonly reason: Exclude<CallEnding, 'hung-up'> | null;
}

/** Dials the task and holds a conversation. Returns the call and its questions. */
async function converse(
  task: Task,
  { answers, reason, heldSeconds: [heldBefore, heldLast] = [0, 0] }: Spoken,
): Promise<{ call: Call; asked: string[] }> {
  const before = await fixture.task(task);
  const call = await fixture.dial(task);
  await fixture.progress(call, 'answered', 2);
  const plan = createCallPlan(before, patient, sampleProject());
  const said = Object.entries(answers);
  const conversation = Conversation.parse({
    call_id: call.id,
    task_id: task.id,
    project_id: task.project_id,
    carrier_call_sid: call.carrier_call_sid,
    connection_id: 'connection',
    epoch: 1,
    turn_count: 1 + said.length,
    offset_ms: 0,
    status: reason === null ? 'open' : 'ended',
    state: {
      model: 'test',
      memory: null,
      record: {
        ...emptyRecord,
        answers: said.map(([key, words], position) => ({
          key,
          answer: words,
          value: words,
          quote: words,
          turn: position + 1,
        })),
        ending: reason === null ? null : { reason, farewell: 'thanks' },
      },
    },
    held_ms: heldBefore * 1000,
    waiting_since:
      heldLast === 0 ? null : new Date(fixture.services.now().getTime() - heldLast * 1000).toISOString(),
    started_at: call.created_at,
    updated_at: call.created_at,
  });
  const turn = { call_id: call.id, offset_ms: 0, created_at: call.created_at };
  await writeTransaction(fixture.table, [
    createConversationItem(fixture.table, conversation),
    createConversationPlanItem(fixture.table, call.project_id, call.id, plan),
    putTurnItem(fixture.table, call.project_id, { ...turn, index: 0, role: 'assistant', content: 'Hello.' }),
    ...said.map(([, content], position) =>
      putTurnItem(fixture.table, call.project_id, { ...turn, index: position + 1, role: 'user', content }),
    ),
  ]);
  await end(call);
  return { call, asked: plan.items.map(({ key }) => key) };
}

/** The carrier's reports of the end, and then time passes. */
async function end(call: Call): Promise<void> {
  const handle = (message: Parameters<typeof handleCallMessage>[1]) => handleCallMessage(services, message);
  const ids = { task_id: call.task_id, call_id: call.id };
  const carrier_call_sid = call.carrier_call_sid ?? '';
  const recording_sid = `RE${'0'.repeat(32)}`;
  await handle({
    kind: 'carrier-event',
    ...ids,
    event: { type: 'recording', carrier_call_sid, status: 'absent', recording_sid },
  });
  await handle({
    kind: 'carrier-event',
    ...ids,
    event: {
      type: 'progress',
      progress: 'completed',
      carrier_call_sid,
      sequence: 3,
      sip_response_code: null,
      talk_seconds: 41,
    },
  });
  fixture.pass(5);
  await handle({ kind: 'call-due', ...ids });
  expect((await fixture.call(call)).completed_at).not.toBeNull();
}

async function newTask(): Promise<Task> {
  return fixture.newTask({ patient_id: patient.id, task_data: { questions_to_ask: questions } });
}

describe('a person who hangs up in mid-call', () => {
  test('leaves the hold time until the end', async () => {
    const task = await newTask();
    const held = await converse(task, { answers: {}, reason: null, heldSeconds: [60, 20] });
    expect((await fixture.call(held.call)).hold_seconds).toBe(80);
  });

  test('is asked only open questions in the next call, and the task ends with all answers', async () => {
    const task = await newTask();
    const hungUp = await converse(task, { answers: { question_0: 'Nine to five.' }, reason: null });
    expect(hungUp.asked).toEqual(['question_0', 'question_1', 'question_2']);
    expect(await fixture.call(hungUp.call)).toMatchObject({
      status: 'SUCCESS',
      result: { ending: 'hung-up' },
    });
    expect(await fixture.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason: expect.stringMatching(/Attempt 2 of 3 scheduled\.$/),
      result: { goal_reached: false },
    });

    fixture.pass(300);
    const rest = { question_1: '202 555 0155.', question_2: 'Yes, we are.' };
    const second = await converse(task, { answers: rest, reason: 'finished' });
    expect(second.asked).not.toContain('question_0');
    const done = await fixture.task(task);
    expect(done).toMatchObject({
      status: 'COMPLETED',
      attempts: 2,
      task_outcome: expect.stringContaining(
        'Learned in another call: What are your office hours? Nine to five.',
      ),
      result: { goal_reached: true, ending: 'finished' },
    });
    expect(
      done.result?.answers.map(({ key, quote, turn, call_id }) => [
        key,
        quote,
        turn,
        call_id ?? second.call.id,
      ]),
    ).toEqual([
      ['question_0', 'Nine to five.', 1, hungUp.call.id],
      ['question_1', '202 555 0155.', 1, second.call.id],
      ['question_2', 'Yes, we are.', 2, second.call.id],
    ]);
    // Each call only uses what it heard itself.
    expect((await fixture.call(second.call)).result?.answers.map(({ key }) => key)).not.toContain(
      'question_0',
    );
  });

  test('followed by an unanswered call leaves the findings', async () => {
    const task = await newTask();
    const { call } = await converse(task, { answers: { question_0: 'Nine to five.' }, reason: null });
    fixture.pass(300);
    await converse(task, { answers: {}, reason: 'voicemail' });
    fixture.pass(1800);
    await fixture.progress(await fixture.dial(task), 'no_answer', 2);
    const failed = await fixture.task(task);
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 3 });
    expect(failed.task_outcome).toMatch(
      /^No definite answer after 3 calls: hung up, voicemail, no answer\. Last conversation: .*Nine to five\./,
    );
    expect(failed.result?.answers.filter(({ answer }) => answer !== null)).toEqual([
      {
        key: 'question_0',
        question: 'What are your office hours?',
        answer: 'Nine to five.',
        value: 'Nine to five.',
        quote: 'Nine to five.',
        turn: 1,
        needs_review: false,
        call_id: call.id,
      },
    ]);
    const statuses = (await fixture.calls(task)).map(({ status }) => status);
    expect(statuses).toEqual(['NO_ANSWER', 'VOICEMAIL', 'SUCCESS']);
  });
});
