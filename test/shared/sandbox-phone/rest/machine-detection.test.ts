import { describe, expect, test } from 'vitest';
import { readMachineDetection } from '#shared/sandbox-phone/rest/machine-detection.ts';
import { RestError } from '#shared/sandbox-phone/rest/rest-error.ts';
import type { MachineDetection } from '#shared/sandbox-phone/store/sandbox-call.ts';

const callback = 'https://api.example.test/amd';
const asked = { MachineDetection: 'Enable', AsyncAmd: 'true' };

function read(form: Record<string, string>): MachineDetection | null {
  return readMachineDetection(new URLSearchParams(form), callback, 'POST');
}

function refusalOf(form: Record<string, string>): RestError {
  try {
    read(form);
  } catch (error) {
    if (error instanceof RestError) return error;
  }
  throw new Error('a refusal was expected');
}

describe('answering-machine detection', () => {
  test('is off unless requested', () => {
    expect(read({})).toBeNull();
    expect(read({ MachineDetection: '', AsyncAmd: 'true' })).toBeNull();
  });

  test("has the carrier's default settings", () => {
    expect(read(asked)).toEqual({
      callback,
      callback_method: 'POST',
      timeout_ms: 30_000,
      silence_timeout_ms: 5000,
    });
    expect(
      read({
        ...asked,
        MachineDetectionTimeout: '12',
        MachineDetectionSilenceTimeout: '2000',
        MachineDetectionSpeechThreshold: '6000',
        MachineDetectionSpeechEndThreshold: '500',
      }),
    ).toMatchObject({ timeout_ms: 12_000, silence_timeout_ms: 2000 });
  });

  test.each([
    { MachineDetection: 'Disable' },
    { MachineDetectionTimeout: '2' },
    { MachineDetectionTimeout: '60' },
    { MachineDetectionTimeout: '4.5' },
    { MachineDetectionSpeechThreshold: '999' },
    { MachineDetectionSpeechThreshold: '6001' },
    { MachineDetectionSpeechEndThreshold: '499' },
    { MachineDetectionSpeechEndThreshold: '5001' },
    { MachineDetectionSilenceTimeout: '1999' },
    { MachineDetectionSilenceTimeout: 'long' },
  ])('with %j is refused like by the carrier', (change) => {
    expect(refusalOf({ ...asked, ...change })).toMatchObject({ status: 400, code: 21234 });
  });

  test.each([
    ['holds up the answer', { MachineDetection: 'Enable' }],
    ['holds up the answer by a plain no', { MachineDetection: 'Enable', AsyncAmd: 'false' }],
    ['waits for the end of a greeting', { MachineDetection: 'DetectMessageEnd', AsyncAmd: 'true' }],
  ])('that %s is refused in plain words, because the sandbox does not play it', (_, form) => {
    const refusal = refusalOf(form);
    expect(refusal).toMatchObject({ status: 400, code: 20001 });
    expect(refusal.message).toContain('The sandbox phone supports');
  });
});
