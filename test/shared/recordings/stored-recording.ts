import { expect } from 'vitest';
import type { Call } from '#shared/domain/call.ts';
import type { CallFixture } from '../../support/call-fixture.ts';
import { recordingKeyOf } from '../../support/call-identifiers.ts';

export async function expectStoredWhole(
  fixture: CallFixture,
  call: Call,
  bytes: Buffer,
  channels: number,
): Promise<void> {
  expect(await fixture.call(call)).toMatchObject({
    status: 'SUCCESS',
    due_at: null,
    recording: {
      status: 'stored',
      key: recordingKeyOf(call),
      bytes: bytes.length,
      channels,
      waveform: Array.from({ length: channels }, () => expect.stringMatching(/^5+$/)),
      at_carrier: false,
    },
  });
  expect((await fixture.storedBytes(recordingKeyOf(call))).equals(bytes)).toBe(true);
}
