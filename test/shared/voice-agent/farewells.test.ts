import { describe, expect, test } from 'vitest';
import {
  FarewellId,
  farewellHandoff,
  farewellSentence,
  parseFarewellHandoff,
} from '#shared/voice-agent/farewells.ts';

describe('farewells', () => {
  test.each(FarewellId.options)('%s travels by name and says goodbye without a word about anybody', (id) => {
    expect(parseFarewellHandoff(farewellHandoff(id))).toBe(id);
    const sentence = farewellSentence(id);
    expect(sentence).toMatch(/Goodbye\.$/);
    expect(sentence).not.toMatch(/patient|insurance|claim|appointment|doctor|member|health/i);
  });

  test.each([undefined, '', 'thanks', '{}', '{"farewell":"so long"}', 'null', '{'])(
    'data that names none: %s',
    (data) => {
      expect(parseFarewellHandoff(data)).toBeNull();
    },
  );
});
