import { expect, test } from 'vitest';
import { wasAnswered } from '#shared/domain/call.ts';
import { sampleCall, sampleProject, sampleTask } from '../../support/sample-tasks.ts';

const claimed = sampleCall(sampleTask(sampleProject()));

test.each([
  ['answered', {}, true],
  ['completed', {}, true],
  ['ringing', {}, false],
  ['busy', {}, false],
  ['failed', {}, false],
  ['failed', { status: 'FAILED', talk_seconds: 0 }, false],
  ['failed', { status: 'FAILED', talk_seconds: 12 }, true],
  ['failed', { status: 'FAILED', session_status: 'failed' }, true],
  ['ringing', { answered_by: 'machine' }, true],
  ['failed', { answered_by: 'unknown' }, true],
  ['ringing', { status: 'SUCCESS' }, true],
  ['failed', { status: 'VOICEMAIL' }, true],
  ['canceled', { status: 'CANCELLED' }, false],
] as const)('a call that is %s with %j was answered: %s', (carrier_progress, changes, expected) => {
  expect(wasAnswered({ ...claimed, carrier_progress, ...changes })).toBe(expected);
});
