import { expect, test } from 'vitest';
import type { AnsweredBy, Call } from '#shared/domain/call.ts';
import { getConversationWithTurns } from '#shared/table/conversation.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';

const fixture = await callFixtureForThisFile();

async function answeredCall(): Promise<Call> {
  const call = await fixture.dial(await fixture.newTask());
  await fixture.progress(call, 'answered', 2);
  return fixture.call(call);
}

function judge(call: Call, answered_by: AnsweredBy, sid = call.carrier_call_sid ?? ''): Promise<void> {
  return fixture.report(call, { type: 'answered-by', carrier_call_sid: sid, answered_by });
}

async function verdictForAgent(call: Call): Promise<AnsweredBy | null> {
  return (await getConversationWithTurns(fixture.table, call.id)).answeredBy;
}

async function conclude(call: Call): Promise<Call> {
  await fixture.progress(call, 'completed', 3, { talk_seconds: 20 });
  await fixture.lookUntilCompleted(call);
  return fixture.call(call);
}

test('a verdict is stored with the call and its conversation, and ends neither', async () => {
  const call = await answeredCall();
  await judge(call, 'machine');
  expect(await fixture.call(call)).toMatchObject({
    answered_by: 'machine',
    status: 'IN_PROGRESS',
    ended_at: null,
  });
  expect(await verdictForAgent(call)).toBe('machine');
});

test('the first verdict counts, whatever is reported later', async () => {
  const call = await answeredCall();
  await judge(call, 'human');
  await judge(call, 'machine');
  await judge(call, 'human');
  expect((await fixture.call(call)).answered_by).toBe('human');
  expect(await verdictForAgent(call)).toBe('human');
});

test('a verdict on another carrier call is ignored', async () => {
  const call = await answeredCall();
  await judge(call, 'machine', `CA${'f'.repeat(32)}`);
  expect((await fixture.call(call)).answered_by).toBeNull();
  expect(await verdictForAgent(call)).toBeNull();
});

test.each([
  ['machine', 'VOICEMAIL'],
  ['fax', 'FAILED'],
  ['unknown', 'FAILED'],
] as const)(
  'a call on which nothing was heard, judged %s, is %s and its task is called again',
  async (verdict, status) => {
    const call = await answeredCall();
    await judge(call, verdict);
    expect(await conclude(call)).toMatchObject({ status, result: null });
    expect(await fixture.task({ id: call.task_id })).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: expect.any(String),
    });
  },
);

test('a conversation that reached its goal is a success, whatever the verdict and its time', async () => {
  const call = await answeredCall();
  fixture.results.set(call.id, sampleResult());
  await fixture.progress(call, 'completed', 3, { talk_seconds: 20 });
  await judge(call, 'machine');
  await fixture.lookUntilCompleted(call);
  expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', answered_by: 'machine' });
  expect((await fixture.task({ id: call.task_id })).status).toBe('COMPLETED');
});

test("a verdict after the call's completion changes nothing", async () => {
  const call = await answeredCall();
  const completed = await conclude(call);
  await judge(call, 'machine');
  expect(await fixture.call(call)).toEqual(completed);
  expect(await verdictForAgent(call)).toBeNull();
});
