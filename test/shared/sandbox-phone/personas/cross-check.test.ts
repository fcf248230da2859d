import { describe, expect, test } from 'vitest';
import { crossCheckAll } from '#shared/sandbox-phone/personas/cross-check.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { somePerson } from '../person/some-person.ts';

const nobody = { ...bundledDirectory(), personas: [] };

function problemsOf(changes: Record<string, unknown>): string[] {
  return crossCheckAll([somePerson(changes)], nobody).map(({ id, path, rule }) => `${id} ${path} ${rule}`);
}

function atDesk(desk: Record<string, unknown>): Record<string, unknown> {
  return { desks: [{ desk: 'desk', ...desk }] };
}

const topic = { topic: 'fee', asked_by: ['fee'], says: ['{fee}'] };

describe('the parts of a file', () => {
  test('are consistent in the bundled ones', () => {
    expect(crossCheckAll(bundledDirectory().personas, nobody)).toEqual([]);
    expect(problemsOf({})).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a first stage that is none', { line: { first: 'menu', stages: {} } }, 'line.first leads to "menu"'],
    [
      'a stage nothing leads to',
      { line: { stages: { queue: { kind: 'hold', ms: [1, 2], to: 'person' } } } },
      'line.stages.queue is a stage nothing leads to',
    ],
    [
      'a range that begins at its end',
      { line: { first: 'queue', stages: { queue: { kind: 'hold', ms: [2, 1], to: 'person' } } } },
      'line.stages.queue.ms begins with the greater number',
    ],
    [
      'a key that leads nowhere',
      {
        line: {
          first: 'menu',
          stages: { menu: { kind: 'menu', says: ['…'], choices: { '1': { to: 'x' } } } },
        },
      },
      'line.stages.menu.choices.1.to leads to "x"',
    ],
    [
      'words for a key that there is not',
      {
        line: {
          first: 'menu',
          stages: { menu: { kind: 'menu', says: ['…'], choices: {}, spoken: { '2': ['two'] } } },
        },
      },
      'line.stages.menu.spoken.2 is for a key',
    ],
    [
      'digits that are none',
      {
        line: {
          first: 'id',
          stages: { id: { kind: 'entry', says: ['…'], digits: '(', slot: 'id', to: 'person' } },
        },
      },
      'line.stages.id.digits does not describe digits',
    ],
    [
      'a stage with a name that means something else',
      { line: { stages: { person: { kind: 'hold', ms: [1, 1], to: 'hang-up' } } } },
      'line.stages.person has the name',
    ],
    [
      'a transfer to nowhere',
      atDesk({ transfer: { says: ['One moment.'], to: 'billing' } }),
      'desks.0.transfer.to leads to "billing"',
    ],
    [
      'a colleague who transfers to nowhere',
      {
        line: {
          first: 'bo',
          stages: {
            bo: {
              kind: 'person',
              name: 'Bo',
              greeting: ['Bo.'],
              desks: [{ desk: 'a', transfer: { says: ['…'], to: 'cy' } }],
            },
          },
        },
      },
      'line.stages.bo.desks.0.transfer.to leads to "cy"',
    ],
    ['a desk of somebody unknown', { desks: [{ borrowed_from: 'zoe' }] }, 'desks.0.borrowed_from names zoe'],
    [
      'a phrase with a fact that nobody knows',
      atDesk({ topics: [{ ...topic, says: ['It is {price}.'] }] }),
      'desks.0.topics.0.says.0 has {price}',
    ],
    [
      'a phrase with a value that is never asked for',
      atDesk({ welcome: ['Hello {said.member_id}.'] }),
      'desks.0.welcome.0 has {said.member_id}',
    ],
    [
      'a told fact that nobody knows',
      atDesk({ topics: [{ ...topic, tells: ['price'] }] }),
      'desks.0.topics.0.tells names price',
    ],
    [
      'an answer that its topic does not tell',
      atDesk({ topics: [{ ...topic, answered_by: 'hours' }] }),
      'desks.0.topics.0.answered_by is hours',
    ],
    [
      'a choice between nothing',
      atDesk({ needs: [{ slot: 'status', hears: 'choice', ask: ['New?'] }] }),
      'desks.0.needs.0.choices has nothing',
    ],
    [
      'a fact said wrong that nobody knows',
      { temper: { misspeaks: { fact: 'price', instead: '$1', corrects: ['{right}'] } } },
      'temper.misspeaks.fact names price',
    ],
    [
      'a fact said wrong that is never said',
      {
        knows: { hidden: { number: 1 } },
        ...atDesk({}),
        temper: { misspeaks: { fact: 'hidden', instead: '2', corrects: ['{right}'] } },
      },
      'temper.misspeaks.fact is hidden, which is nowhere said',
    ],
    [
      'a report of a fact that nobody knows',
      { evaluation: { reports: { plan_name: 'plan' } } },
      'evaluation.reports.plan_name names plan',
    ],
    [
      'an ending of what need not end so',
      { evaluation: { ending: 'voicemail' } },
      'evaluation.ending is only for',
    ],
  ])('are refused for %s, with ID, path and rule', (_, changes, problem) => {
    const problems = problemsOf(changes);
    expect(problems[0]).toContain(`receptionist ${problem}`);
    expect(problems).toHaveLength(1);
  });

  test('may come from another persona', () => {
    const borrower = somePerson({
      id: 'borrower',
      knows: {},
      desks: [{ borrowed_from: 'clinic-front-desk' }],
    });
    expect(crossCheckAll([borrower], bundledDirectory())).toEqual([]);
  });
});
