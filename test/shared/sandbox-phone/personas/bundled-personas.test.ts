import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CallEnding } from '#shared/domain/call-result.ts';
import { ResultEnding } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';
import { errands, play, runErrand } from '../person/scripted-caller.ts';
import { cast } from '../person/some-person.ts';

const directory = bundledDirectory();
const seeds = Array.from({ length: 12 }, (_, index) => `seed ${index}`);

function called(number: string, seed: string): ReturnType<typeof cast> {
  return cast(personaAt(directory, number), { seed });
}

const opening =
  'Hello, this is an automated assistant calling on behalf of Maya Rivera. I would like to make an appointment.';

describe('the bundled personas', () => {
  test('are those of every file', () => {
    const files = readdirSync(new URL('../../../../shared/sandbox-phone/personas', import.meta.url))
      .filter((name) => name.endsWith('.json') && name !== 'defaults.json')
      .map((name) => name.replace('.json', ''));
    expect(directory.personas.map(({ id }) => id).sort()).toEqual(files.sort());
  });

  test.each(['+12025550100', '+12025550114', '+12025550118', '+12025550121', '+12025559999'])(
    '%s gives an appointment to whoever asks for one',
    (number) => {
      for (const seed of seeds) {
        const { state, hungUp, transcript } = runErrand(called(number, seed), errands.appointment);
        expect(state.booking, transcript.join('\n')).not.toBeNull();
        expect(hungUp).toBe(true);
      }
    },
  );

  test.each(['+12025550101', '+12025550115', '+12025550119', '+12025559999'])(
    '%s tells benefits to whoever can name the member',
    (number) => {
      for (const seed of seeds) {
        const { state, hungUp, transcript } = runErrand(called(number, seed), {
          ...errands.benefits,
          questions: [...errands.benefits.questions, ...errands.benefits.questions],
        });
        expect(state.told, transcript.join('\n')).toEqual(
          expect.arrayContaining(['coverage_active', 'copay', 'deductible']),
        );
        expect(hungUp).toBe(true);
      }
    },
  );

  test.each(['+12025550102', '+12025559999'])('%s tells what became of a claim', (number) => {
    for (const seed of seeds) {
      const { state } = runErrand(called(number, seed), errands.claim);
      expect(state.told).toEqual(expect.arrayContaining(['claim_status', 'paid_amount']));
    }
  });

  test('+12025550103 answers questions about the office', () => {
    for (const seed of seeds) {
      const { state } = runErrand(called('+12025550103', seed), errands.office);
      expect(state.told).toEqual(expect.arrayContaining(['office_hours', 'office_fax']));
    }
  });

  test('+12025550112 is a mailbox', () => {
    const { transcript, hungUp } = play(called('+12025550112', 'a'), 'Please call us back.', null);
    const beep = transcript.indexOf('beep');
    expect(transcript.slice(0, beep).join(' ')).toMatch(/^person: You have reached .* person: .*message/);
    expect(hungUp).toBe(true);
  });

  test.each(['1', '3', '0', '*'])(
    '+12025550114 leads to the scheduler from any branch of its menu (%s)',
    (key) => {
      for (const seed of seeds) {
        const line = called('+12025550114', seed);
        const turns =
          key === '*'
            ? [{ keys: '*' }, { keys: '2' }]
            : [{ keys: key }, 'I would like to make an appointment.'];
        expect(play(line, ...turns).state.stage).toBe('person');
      }
    },
  );

  test('+12025550115 holds for almost a minute with announcements', () => {
    for (const seed of seeds) {
      const { reactions } = play(called('+12025550115', seed), { keys: '22' });
      const heldMs = reactions.reduce(
        (sum, { waitsMs, waitsWith }) => sum + (waitsWith === 'music' ? (waitsMs ?? 0) : 0),
        0,
      );
      expect(heldMs).toBeGreaterThan(50_000);
      expect(reactions.at(-1)?.utterances[0]?.transcribed).toMatch(/Tessa/);
    }
  });

  test('+12025550116 hangs up in mid-call', () => {
    const { state, hungUp } = runErrand(called('+12025550116', 'a'), errands.appointment);
    expect(hungUp).toBe(true);
    expect(state.booking).toBeNull();
  });

  test('+12025550117 is curious and a wrong number', () => {
    const { heard, hungUp } = play(
      called('+12025550117', 'a'),
      opening,
      'I can only tell that to the clinic.',
      'I am sorry.',
      'Goodbye.',
    );
    expect(heard[1]).toMatch(/\?$/);
    expect(heard.join(' ')).toMatch(/wrong number/);
    expect(hungUp).toBe(true);
  });

  test('+12025550118 interrupts the caller', () => {
    const cuts = seeds.filter((seed) => play(called('+12025550118', seed), opening).state.cuts > 0);
    expect(cuts.length).toBeGreaterThan(seeds.length / 2);
  });

  test('+12025550119 is vague at first', () => {
    const vague = seeds.filter(
      (seed) => runErrand(called('+12025550119', seed), errands.benefits).state.vagueAbout.length > 0,
    );
    expect(vague.length).toBeGreaterThan(seeds.length / 2);
  });

  test('+12025550120 refuses machines', () => {
    const { heard, hungUp } = play(called('+12025550120', 'a'), opening, 'I only wanted to ask one thing.');
    expect(heard.at(-1)).toMatch(/again/);
    expect(hungUp).toBe(true);
  });

  test('+12025550121 is busy twice and then answers', () => {
    expect(personaAt(directory, '+12025550121').reach).toEqual(['busy', 'busy', 'answers']);
  });

  test('each have an evaluation with the ending of a call without a goal', () => {
    for (const { id, evaluation } of directory.personas) {
      const isCalled = evaluation.tasks?.length !== 0;
      if (isCalled && evaluation.goal === 'unreachable') expect(evaluation.ending, id).toBeDefined();
    }
  });

  test("know a result's endings, although the phone does not depend on the service", () => {
    expect(ResultEnding.options).toEqual(CallEnding.options);
  });
});
