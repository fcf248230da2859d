import { describe, expect, test } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Task } from '#shared/domain/task.ts';
import type { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import type { SandboxRecording } from '#shared/sandbox-phone/store/sandbox-recording.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../support/sample-tasks.ts';
import type { Evidence } from './evidence.ts';
import { findProblems, openWork } from './verdict.ts';
import { eventName, type SeenWebhook } from './webhook-witness.ts';

const callId = uuidv7();
const task: Task = sampleTask(sampleProject(), {
  status: 'COMPLETED',
  attempts: 1,
  last_call_id: callId,
  next_attempt_at: null,
});
const made = sampleCall(task);
const call: Call = {
  ...made,
  id: callId,
  status: 'SUCCESS',
  carrier_call_sid: 'CA1',
  completed_at: sampleTime,
  recording: { ...made.recording, status: 'stored', carrier_recording_sid: 'RE1' },
};
const carrierCall: SandboxCall = {
  sid: 'CA1',
  type: 'call',
  account_sid: 'AC1',
  to: call.phone_number,
  from: '+12025550199',
  status: 'completed',
  url: null,
  url_method: 'POST',
  fallback_url: null,
  twiml: null,
  parent_sid: null,
  direction: 'outbound-api',
  status_callback: `http://127.0.0.1:3000/carrier/status/${task.id}/${call.id}#rc=3`,
  status_callback_method: 'POST',
  status_callback_events: [],
  machine_detection: null,
  answered_by: null,
  queue_ms: 0,
  ring_timeout_seconds: 45,
  time_limit_seconds: 3600,
  end_requested: null,
  line_seen_at: sampleTime,
  is_final_reported: true,
  start_time: null,
  end_time: null,
  duration_seconds: 12,
  sip_response_code: 200,
  failure: null,
  person: null,
  transcript: [],
  response_times_ms: [],
  created_at: sampleTime,
  updated_at: sampleTime,
};
const recording: SandboxRecording = {
  sid: 'RE1',
  type: 'recording',
  account_sid: 'AC1',
  call_sid: 'CA1',
  status: 'deleted',
  channels: 2,
  track: 'both',
  source: 'StartCallRecordingTwiML',
  start_time: sampleTime,
  duration_seconds: 12,
  error_code: null,
  dual_key: null,
  mono_key: null,
  created_at: sampleTime,
  updated_at: sampleTime,
};
const evidence: Evidence = {
  tasks: [task],
  calls: [call],
  carrierCalls: [carrierCall],
  carrierRecordings: [recording],
  deadLetters: { CallDeadLetterQueueUrl: 0 },
};
const seen: SeenWebhook[] = [
  { event: eventName('call.completed', call.id), webhookId: 'msg_1' },
  { event: eventName('task.completed', task.id), webhookId: 'msg_2' },
  // Once more, as if the sender had died before it could record the response.
  { event: eventName('task.completed', task.id), webhookId: 'msg_2' },
];

function problems(changes: Partial<Evidence>, webhooks = seen, ordered = [task.id]): string {
  return findProblems({ ...evidence, ...changes }, ordered, webhooks).join('\n');
}

describe('after the kills', () => {
  test('a complete run without duplicates has no problems and no open work', () => {
    expect(problems({})).toBe('');
    expect(openWork(evidence, seen)).toEqual([]);
  });

  test.each<[string, Partial<Evidence>, string]>([
    ['a lost task', { tasks: [], calls: [], carrierCalls: [], carrierRecordings: [] }, 'is lost'],
    ['a task too many', { tasks: [task, { ...task, id: uuidv7(), attempts: 0 }] }, 'exists besides'],
    ['a task that goes on', { tasks: [{ ...task, status: 'IN_PROGRESS' }] }, 'did not end: IN_PROGRESS'],
    ['an ended task that is due', { tasks: [{ ...task, next_attempt_at: sampleTime }] }, 'waits for another'],
    ['a miscounted attempt', { tasks: [{ ...task, attempts: 2 }] }, 'counts 2 attempts and has 1 calls'],
    ['an attempt with two calls', { calls: [call, { ...call, id: uuidv7() }] }, 'has several calls'],
    [
      'a call that was dialed twice',
      { carrierCalls: [carrierCall, { ...carrierCall, sid: 'CA2' }] },
      'times',
    ],
    ['a call that nobody follows', { calls: [{ ...call, carrier_call_sid: null }] }, 'followed by nobody'],
    ['an open call', { calls: [{ ...call, completed_at: null }] }, 'was not completed'],
    [
      'a call that is open at the carrier',
      { carrierCalls: [{ ...carrierCall, status: 'ringing' }] },
      'still open',
    ],
    [
      'a lost recording',
      { calls: [{ ...call, recording: { ...call.recording, status: 'none' } }] },
      'was made and is not stored',
    ],
    [
      'a recording without end',
      { carrierRecordings: [{ ...recording, status: 'in-progress' }] },
      'never ended',
    ],
    [
      'dead letters',
      { deadLetters: { CallDeadLetterQueueUrl: 3 } },
      '3 messages are in CallDeadLetterQueueUrl',
    ],
  ])('%s is a problem', (_, changes, words) => {
    expect(problems(changes)).toContain(words);
  });

  test.each<[string, SeenWebhook[], string]>([
    ['a webhook that did not come', seen.slice(1), 'never came'],
    [
      'a second id for one event',
      [...seen, { ...seen[1], event: seen[1]?.event ?? '', webhookId: 'msg_3' }],
      'several ids',
    ],
    ['one id for two events', seen.map(({ event }) => ({ event, webhookId: 'msg_1' })), 'for several events'],
    ['a webhook of nothing', [...seen, { event: 'call.completed x', webhookId: 'msg_9' }], 'means nothing'],
  ])('%s is a problem', (_, webhooks, words) => {
    expect(problems({}, webhooks)).toContain(words);
  });

  test('open work is awaited', () => {
    const open = {
      ...evidence,
      tasks: [{ ...task, status: 'IN_PROGRESS' as const }],
      carrierCalls: [{ ...carrierCall, status: 'queued' as const }],
    };
    expect(openWork(open, [])).toEqual(['1 tasks', '1 calls at the carrier', '1 webhooks']);
  });
});
