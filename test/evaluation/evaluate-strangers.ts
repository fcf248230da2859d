import { runCommand, UsageError } from '../../infra/command.ts';
import { ask, peopleOf, type Reached, rowsOf } from './verify-strangers.ts';

const splits = ['dev', 'blind'];

const help = `Asks people who pick up whom we have reached, and counts whom the agent takes for the right party:
strangers, each of whom would hear about the patient, and desks. They say the same whatever the question was.

Usage: npm run evaluate-strangers [-- options]

  --split NAME   dev (may be read, the default) or blind (never read while the agent is worked on)
  --show         what the misjudged people of dev said
  --help         show this text
`;

const options = { split: { type: 'string', default: 'dev' }, show: { type: 'boolean' } } as const;

await runCommand('evaluate-strangers', 'No one was asked', { help, options }, async ({ split, show }) => {
  if (!splits.includes(split)) throw new UsageError(`--split must be ${splits.join(' or ')}`);
  if (show === true && split === 'blind')
    throw new UsageError('--show works only with dev: the people of blind stay unread');
  const reached = peopleOf(split).map(ask);
  const rows = rowsOf(reached).map(({ callee, strangers, mistaken, right, verified }) =>
    [
      callee.padEnd(20),
      `${mistaken} of ${strangers} strangers mistaken for it`.padEnd(40),
      `${verified} of ${right} verified`,
    ].join(''),
  );
  const shown = show === true ? reached.filter(isMisjudged).map(shownOf) : [];
  return [...rows, ...(shown.length > 0 ? ['', ...shown] : [])].join('\n');
});

function isMisjudged({ person, status }: Reached): boolean {
  return (status === 'verified') === person.is_stranger;
}

function shownOf({ person, status, heard }: Reached): string {
  return `${person.callee}, ${person.who}: ${status}\n${heard.map((said) => `  ${said}`).join('\n')}`;
}
