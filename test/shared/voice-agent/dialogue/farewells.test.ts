import { describe, expect, test } from 'vitest';
import {
  type Farewell,
  FarewellId,
  farewellHandoff,
  farewellWords,
  parseFarewellHandoff,
} from '#shared/voice-agent/dialogue/farewells.ts';

const callback_number = '+12025550143';

describe('farewells', () => {
  test.each(FarewellId.options)('%s is passed by name and says goodbye without personal data', (id) => {
    const farewell: Farewell = { farewell: id, callback_number };
    expect(parseFarewellHandoff(farewellHandoff(farewell))).toEqual(farewell);
    const words = farewellWords(farewell);
    expect(words).toMatch(/Goodbye\.$/);
    expect(words).not.toMatch(/patient|insurance|claim|appointment|doctor|member|health/i);
  });

  test('a voicemail gets the callback number digit by digit, twice', () => {
    expect(farewellWords({ farewell: 'voicemail', callback_number })).toBe(
      'Hello. This is an automated assistant. Please call us back at 2 0 2, 5 5 5, 0 1 4 3. I repeat: 2 0 ' +
        '2, 5 5 5, 0 1 4 3. Thank you. Goodbye.',
    );
  });

  test('a voicemail gets the organization, if known, and no more', () => {
    const farewell: Farewell = { farewell: 'voicemail', callback_number, organization: 'Example Care' };
    expect(parseFarewellHandoff(farewellHandoff(farewell))).toEqual(farewell);
    expect(farewellWords(farewell)).toBe(
      'Hello. This is an automated assistant from Example Care. Please call us back at 2 0 2, 5 5 5, 0 1 4 ' +
        '3. I repeat: 2 0 2, 5 5 5, 0 1 4 3. Thank you. Goodbye.',
    );
  });

  test('without a number no voicemail is left', () => {
    expect(farewellWords({ farewell: 'voicemail' })).toBeNull();
  });

  test.each([
    undefined,
    '',
    'thanks',
    '{}',
    '{"farewell":"so long"}',
    '{"farewell":"voicemail","callback_number":"soon"}',
    'null',
    '{',
  ])('data without a name: %s', (data) => {
    expect(parseFarewellHandoff(data)).toBeNull();
  });
});
