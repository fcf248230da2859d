import { expect, test } from 'vitest';
import type { CarrierRecording } from '#shared/carrier/carrier-responses.ts';
import { longestRecording, recordingToRetain } from '#shared/recordings/longest-recording.ts';

function recording(
  sid: string,
  durationSeconds: number | null,
  status: CarrierRecording['status'] = 'completed',
): CarrierRecording {
  return { sid, status, durationSeconds };
}

test.each<[string, CarrierRecording[], string]>([
  ['it is the only one', [recording('reported', 3)], 'reported'],
  ['nothing is listed yet', [], 'reported'],
  ['only another one is listed yet', [recording('other', 60)], 'reported'],
  [
    'it is listed as still being made',
    [recording('reported', 1, 'in-progress'), recording('other', 60)],
    'reported',
  ],
  ['another one is as long', [recording('other', 3), recording('reported', 3)], 'reported'],
  ['nobody knows how long they are', [recording('other', null), recording('reported', null)], 'reported'],
  [
    'a longer one is still being made',
    [recording('reported', 3), recording('other', 60, 'in-progress')],
    'reported',
  ],
  ['a longer one is there', [recording('reported', 3), recording('other', 60)], 'other'],
])('of a reported recording and others, when %s', (_, listed, kept) => {
  expect(recordingToRetain('reported', listed)).toBe(kept);
});

test('of unreported recordings the longest complete one is chosen', () => {
  expect(
    longestRecording([
      recording('a', 3),
      recording('b', 60, 'absent'),
      recording('c', 9),
      recording('d', null),
    ]),
  ).toEqual(recording('c', 9));
  expect(longestRecording([recording('b', null, 'in-progress')])).toBeNull();
});
