import { describe, expect, test } from 'vitest';
import type { AnsweredBy } from '#shared/domain/call.ts';
import type { DialogueEvent } from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { type LikelyListener, likelyListener } from '#shared/voice-agent/dialogue/likely-listener.ts';
import { transcript } from '../../../support/dialogue-turns.ts';

const opening = 'Hello, this is an automated assistant.';
const silence: DialogueEvent = { type: 'silence', seconds: 9 };

function listenerAfter(
  answeredBy: AnsweredBy | null,
  lines: readonly string[],
  event = silence,
): LikelyListener | null {
  return likelyListener({ answeredBy, history: transcript(...lines), event });
}

describe('the verdict on who answered', () => {
  test.each(['human', 'machine', 'fax'] as const)('%s holds for the first words', (verdict) => {
    expect(listenerAfter(verdict, [opening])).toBe(verdict);
    expect(listenerAfter(verdict, [opening, 'P: Maple Dental.', 'P: Please speak.'])).toBe(verdict);
    expect(listenerAfter(verdict, ['P: Maple Dental.', opening, 'Have I reached a clinic?'])).toBe(verdict);
    expect(listenerAfter(verdict, [opening, 'P: Maple Dental.', 'Have I reached a clinic?'])).toBe(verdict);
    expect(listenerAfter(verdict, [opening], { type: 'heard', text: 'Maple Dental.', turn: 1 })).toBe(
      verdict,
    );
  });

  test.each([
    ['somebody has answered us', [opening, 'P: Maple Dental.', 'Have I reached a clinic?', 'P: You have.']],
    [
      'a menu has led on',
      [opening, 'P: For appointments, press 2.', '[pressed 2]', 'P: Hello, Priya speaking.'],
    ],
    ['somebody answered us, and we speak again', [opening, 'P: Yes?', 'Is it you?', 'P: Yes.', 'Good.']],
  ])('is obsolete when %s', (_, lines) => {
    expect(listenerAfter('machine', lines)).toBeNull();
  });

  test('is obsolete for the first reply to us', () => {
    const asked = [opening, 'P: Maple Dental.', 'Have I reached a clinic?'];
    expect(listenerAfter('machine', asked, { type: 'heard', text: 'Yes.', turn: 3 })).toBeNull();
  });

  test.each([null, 'unknown'] as const)('that is %s says nothing', (verdict) => {
    expect(listenerAfter(verdict, [opening])).toBeNull();
  });
});
