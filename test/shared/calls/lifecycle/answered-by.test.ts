import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnsweredBy, Call } from '#shared/domain/call.ts';
import { getConversationWithTurns } from '#shared/table/conversation.ts';
import { CallWorld } from '../../../support/call-world.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await CallWorld.start();
});
afterAll(() => world.stop());

async function answeredCall(): Promise<Call> {
  const call = await world.dial(await world.newTask());
  await world.progress(call, 'answered', 2);
  return world.call(call);
}

function judge(call: Call, answered_by: AnsweredBy, sid = call.carrier_call_sid ?? ''): Promise<void> {
  return world.report(call, { type: 'answered-by', carrier_call_sid: sid, answered_by });
}

async function verdictForAgent(call: Call): Promise<AnsweredBy | null> {
  return (await getConversationWithTurns(world.table, call.id)).answeredBy;
}

async function conclude(call: Call): Promise<Call> {
  await world.progress(call, 'completed', 3, { talk_seconds: 20 });
  await world.lookUntilCompleted(call);
  return world.call(call);
}

test('a verdict stands on the call and beside its conversation, and ends neither', async () => {
  const call = await answeredCall();
  await judge(call, 'machine');
  expect(await world.call(call)).toMatchObject({
    answered_by: 'machine',
    status: 'IN_PROGRESS',
    ended_at: null,
  });
  expect(await verdictForAgent(call)).toBe('machine');
});

test('the first verdict counts, however often and whatever else is reported', async () => {
  const call = await answeredCall();
  await judge(call, 'human');
  await judge(call, 'machine');
  await judge(call, 'human');
  expect((await world.call(call)).answered_by).toBe('human');
  expect(await verdictForAgent(call)).toBe('human');
});

test('a verdict on another call at the carrier reaches nobody', async () => {
  const call = await answeredCall();
  await judge(call, 'machine', `CA${'f'.repeat(32)}`);
  expect((await world.call(call)).answered_by).toBeNull();
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
    expect(await world.task({ id: call.task_id })).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: expect.any(String),
    });
  },
);

test('a conversation that reached its goal is a success, whatever the verdict and whenever it comes', async () => {
  const call = await answeredCall();
  world.results.set(call.id, sampleResult());
  await world.progress(call, 'completed', 3, { talk_seconds: 20 });
  await judge(call, 'machine');
  await world.lookUntilCompleted(call);
  expect(await world.call(call)).toMatchObject({ status: 'SUCCESS', answered_by: 'machine' });
  expect((await world.task({ id: call.task_id })).status).toBe('COMPLETED');
});

test('a verdict after the call was completed changes nothing', async () => {
  const call = await answeredCall();
  const completed = await conclude(call);
  await judge(call, 'machine');
  expect(await world.call(call)).toEqual(completed);
  expect(await verdictForAgent(call)).toBeNull();
});
