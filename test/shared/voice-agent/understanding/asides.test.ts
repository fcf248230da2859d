import { expect, test } from 'vitest';
import { type Heard, understand } from '#shared/voice-agent/understanding/understand.ts';

const hear = (said: string): Heard => understand(said, 1, { today: '2026-11-20', after: 'yes-no-question' });

test.each(['Gary! Question for you!', "Hold on, I'll ask Gary. Gary?", 'Pam? Pam, which tab is that?'])(
  'words to somebody else in the room only ask us to wait: "%s"',
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
])('an exclamation, or a name asked once, calls nobody: "%s"', (said, act) => {
  const { moves } = hear(said);
  expect(moves.map((move) => move.act)).not.toContain('hold');
  expect(moves.at(-1)?.act).toBe(act);
});

test.each([
  [
    "Jim, that's not the eighties drawer, that's the nineties. Sorry about that. It's $12 now.",
    "It's $12 now.",
  ],
  ['No, sweetie, hang it on the hook. Sorry. Third grade and up.', 'Third grade and up.'],
  ["It's forty, hon. Same for both.", "It's forty, hon. Same for both."],
])('the words before an apology were for somebody else: "%s"', (said, rest) => {
  const [first] = hear(said).moves.filter(({ act }) => act !== 'hold');
  expect(said.slice(first?.start)).toBe(rest);
});

test.each([
  ["We don't talk to machines, hon. Sorry. Bye now.", 'refuses-machine'],
  ["Hon, take us off your list. Sorry. Don't call again.", 'opts-out'],
  ['You got the wrong number, dear. Sorry. This is a house.', 'wrong-number'],
])('a refusal is never an aside: "%s"', (said, act) => {
  expect(hear(said).moves.map((move) => move.act)).toContain(act);
});
