import { expect, test } from 'vitest';
import { type Heard, understand } from '#shared/voice-agent/understanding/understand.ts';

const hear = (said: string): Heard => understand(said, 1, { today: '2026-11-20', after: 'yes-no-question' });

test.each(['Gary! Question for you!', "Hold on, I'll ask Gary. Gary?", 'Pam? Pam, which tab is that?'])(
  'words to somebody else in the room ask us to wait, and nothing else: "%s"',
  (said) => {
    const { moves } = hear(said);
    expect(moves.map(({ act }) => act)).toEqual(moves.map(() => 'hold'));
    expect(moves.some(({ isQuestion }) => isQuestion)).toBe(false);
  },
);

test.each([
  ["Great! What's her date of birth?", 'asks-fact'],
  ['Bingo! Found her.', 'back'],
  ['Castellan? What is the first name?', 'asks-fact'],
])('an exclamation or a name that is asked once calls nobody: "%s"', (said, act) => {
  const { moves } = hear(said);
  expect(moves.map((move) => move.act)).not.toContain('hold');
  expect(moves.at(-1)?.act).toBe(act);
});
