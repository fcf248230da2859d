import { expect, test } from 'vitest';
import { createConversationItem, putTurnItem } from '#shared/table/conversation.ts';
import { createConversationPlanItem } from '#shared/table/conversation-plan.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { createCallPlan } from '#shared/voice-agent/call-plan/create-call-plan.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';
import { patient } from '../../../support/conversation.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask } from '../../../support/sample-tasks.ts';
import { booked, booking } from './booked-conversation.ts';

const { table } = await forThisFile(startEmbeddedTable());

test('the result of a stored conversation is read with its transcript; without one there is none', async () => {
  const task = sampleTask(sampleProject(), { task_type: 'SCHEDULE_APPOINTMENT' });
  const call = sampleCall(task);
  expect(await loadCallResult(table, call.id)).toBeNull();
  await writeTransaction(table, [
    createConversationItem(table, {
      call_id: call.id,
      task_id: task.id,
      project_id: task.project_id,
      carrier_call_sid: 'CA0000000000000000000000000000000a',
      connection_id: 'c-1',
      epoch: 3,
      turn_count: booking.length,
      offset_ms: 9000,
      status: 'ended',
      state: { model: 'any', record: { ...emptyRecord, answers: booked }, memory: null },
      started_at: task.created_at,
      updated_at: task.created_at,
    }),
    createConversationPlanItem(
      table,
      call.project_id,
      call.id,
      createCallPlan(task, patient, sampleProject()),
    ),
    ...booking.map((turn) => putTurnItem(table, call.project_id, { ...turn, call_id: call.id })),
  ]);
  expect(await loadCallResult(table, call.id)).toMatchObject({
    goal_reached: true,
    reference_number: 'RC-48213',
  });
});
