import { describe, expect, test } from 'vitest';
import type { CallServices } from '#shared/calls/call-services.ts';
import { reconcileCall } from '#shared/calls/carrier-events/reconcile-call.ts';
import type { Call } from '#shared/domain/call.ts';
import type { CallResult } from '#shared/domain/call-result.ts';
import type { Task } from '#shared/domain/task.ts';
import {
  Conversation,
  createConversationItem,
  getConversation,
  replaceConversationItem,
} from '#shared/table/conversation.ts';
import { TransactionConditionFailed, writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { sampleResult } from '../../../support/sample-tasks.ts';
import { wavFile } from '../../../support/wav-file.ts';

const fixture = await callFixtureForThisFile();

const audio = wavFile({ channels: 2, seconds: 1.5 });

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
    await writeTransaction(fixture.table, [createConversationItem(fixture.table, conversation)]);
  }

  async function conversationOf(call: Call): Promise<Conversation> {
    const conversation = await getConversation(fixture.table, call.id);
    if (conversation === null) throw new Error('the conversation is gone');
    return conversation;
  }

  /** A call that the person ended in mid-conversation, after all reports. */
  async function hungUp(result: CallResult): Promise<{ task: Task; call: Call }> {
    const { task, call } = await fixture.newTalking(result);
    await startConversation(call);
    const { sid } = fixture.addRecording(call, audio);
    await fixture.recordingReady(call, sid);
    await fixture.progress(call, 'completed', 3);
    return { task, call };
  }

  test('are awaited briefly, with a check in time', async () => {
    const { call } = await fixture.newTalking();
    await startConversation(call);
    const { sid } = fixture.addRecording(call, audio);
    await fixture.recordingReady(call, sid);
    await fixture.progress(call, 'completed', 3);
    expect((await fixture.call(call)).completed_at).toBeNull();
    expect(fixture.queued()).toContainEqual({
      body: { kind: 'call-due', task_id: call.task_id, call_id: call.id },
      isDelayed: true,
    });
    const conversation = await conversationOf(call);
    await writeTransaction(fixture.table, [
      replaceConversationItem(fixture.table, { ...conversation, epoch: 2, status: 'ended' }),
    ]);
    fixture.pass(2);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS' });
  });

  test('are not awaited after the conversation has ended', async () => {
    const { call } = await fixture.newTalking();
    await startConversation(call, { status: 'ended' });
    const { sid } = fixture.addRecording(call, audio);
    await fixture.recordingReady(call, sid);
    await fixture.progress(call, 'completed', 3);
    expect(await fixture.call(call)).toMatchObject({ completed_at: fixture.now.toISOString() });
  });

  test('that never come hold the call only briefly, which then counts as hung up', async () => {
    const { task, call } = await hungUp(
      sampleResult({ goal_reached: false, definite: false, ending: 'hung-up', summary: 'Cut off.' }),
    );
    expect(await fixture.lookUntilCompleted(call)).toBeLessThanOrEqual(4);
    expect(await fixture.call(call)).toMatchObject({ result: { ending: 'hung-up' } });
    expect(await fixture.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_at: new Date(fixture.now.getTime() + 300_000).toISOString(),
      result: { ending: 'hung-up' },
    });
  });

  test('are awaited while a turn is in progress', async () => {
    const { call } = await fixture.newTalking();
    const until = new Date(fixture.now.getTime() + 12_000).toISOString();
    await startConversation(call, { answering: { turn: 1, until } });
    const { sid } = fixture.addRecording(call, audio);
    await fixture.recordingReady(call, sid);
    await fixture.progress(call, 'completed', 3);
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(12);
    expect(seconds).toBeLessThanOrEqual(20);
  });

  test('cannot be added once the call is completed', async () => {
    const { call } = await hungUp(sampleResult());
    const read = await conversationOf(call);
    await fixture.lookUntilCompleted(call);
    expect(await conversationOf(call)).toMatchObject({ status: 'ended', epoch: 2 });
    const late = { ...read, epoch: read.epoch + 1 };
    await expect(
      writeTransaction(fixture.table, [replaceConversationItem(fixture.table, late)]),
    ).rejects.toThrow(TransactionConditionFailed);
  });

  test('that arrive during the evaluation are evaluated, too', async () => {
    const { call } = await hungUp(
      sampleResult({ goal_reached: false, definite: false, ending: 'hung-up', summary: 'Cut off.' }),
    );
    fixture.pass(4);
    let isWritten = false;
    const { services } = fixture;
    const interrupted: CallServices = {
      ...services,
      callResult: async (callId) => {
        const judged = await services.callResult(callId);
        if (!isWritten) {
          isWritten = true;
          const conversation = await conversationOf(call);
          await writeTransaction(fixture.table, [
            replaceConversationItem(fixture.table, { ...conversation, epoch: conversation.epoch + 1 }),
          ]);
          fixture.results.set(call.id, sampleResult());
        }
        return judged;
      },
    };
    await reconcileCall(interrupted, call.task_id, call.id);
    expect(await fixture.call(call)).toMatchObject({ status: 'SUCCESS', result: sampleResult() });
  });
});
