import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { judgeAnswer } from '#shared/sandbox-phone/line/machine-detection.ts';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';
import { cast, somePersona } from '../person/some-person.ts';
import { accountSid, PhoneFixture } from '../phone-fixture.ts';
import { script } from '../scripted-agent.ts';

const settings = {
  callback: null,
  callback_method: 'POST',
  timeout_ms: 30_000,
  silence_timeout_ms: 5000,
} as const;

describe('the verdict', () => {
  test.each([
    ['+12025550100', 'human'],
    ['+12025550112', 'machine_start'],
    ['+12025550114', 'machine_start'],
    ['+12025550115', 'machine_start'],
    ['+12025550119', 'unknown'],
    ['+12025550122', 'fax'],
    ['+12025559999', 'human'],
  ])('on %s is %s', (number, answeredBy) => {
    const character = cast(personaAt(bundledDirectory(), number));
    expect(judgeAnswer(character, settings).answeredBy).toBe(answeredBy);
  });

  test('for a number that is sometimes unavailable follows the call', () => {
    const changes = { reach: ['voicemail', 'answers'] };
    expect(judgeAnswer(somePersona(changes, { reach: 'voicemail' }), settings).answeredBy).toBe(
      'machine_start',
    );
    expect(judgeAnswer(somePersona(changes, { reach: 'answers' }), settings).answeredBy).toBe('human');
  });

  test('comes after some seconds, the same in the same call', () => {
    const times = Array.from(
      { length: 20 },
      (_, seed) => judgeAnswer(somePersona({}, { seed: `${seed}` }), settings).afterMs,
    );
    for (const afterMs of times) {
      expect(afterMs).toBeGreaterThanOrEqual(2500);
      expect(afterMs).toBeLessThanOrEqual(4500);
    }
    expect(new Set(times).size).toBeGreaterThan(5);
    expect(judgeAnswer(somePersona({}, { seed: '7' }), settings).afterMs).toBe(times[7]);
  });

  test('on a silent person is unknown, after the requested silence', () => {
    expect(judgeAnswer(somePersona({ greeting: [] }), settings)).toEqual({
      answeredBy: 'unknown',
      afterMs: 5000,
    });
  });

  test('that takes too long is unknown', () => {
    expect(judgeAnswer(somePersona({ greeting: [] }), { ...settings, timeout_ms: 3000 })).toEqual({
      answeredBy: 'unknown',
      afterMs: 3000,
    });
  });
});

describe('on the line', () => {
  let fixture: PhoneFixture;
  beforeAll(async () => {
    fixture = await PhoneFixture.start();
  });
  afterAll(() => fixture.stop());
  beforeEach(() => fixture.reset());

  function detecting(more: Record<string, string> = {}): Record<string, string> {
    return {
      MachineDetection: 'Enable',
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: `${fixture.baseUrl}/amd`,
      ...more,
    };
  }

  /** Plays the call with a person whose network reports verdicts differently. */
  function playWith(amd_callback: PersonaFile['network']['amd_callback']): Promise<void> {
    const { directory } = fixture.line;
    const people = directory.personas.map((person) => ({
      ...person,
      network: { ...person.network, amd_callback },
    }));
    return fixture.play({ directory: { ...directory, personas: people } });
  }

  function paths(): string[] {
    return fixture.callbacks.map(({ path, form }) =>
      path === '/status' ? `${path} ${form.CallStatus ?? ''}` : path,
    );
  }

  test('the verdict is reported once, by four signed members, and stored with the call', async () => {
    fixture.agent = script('What are your office hours?');
    const sid = await fixture.place('+12025550103', detecting());
    await fixture.play();
    const [form] = fixture.formsOf('/amd');
    expect(form).toEqual({
      AccountSid: accountSid,
      CallSid: sid,
      AnsweredBy: 'human',
      MachineDetectionDuration: expect.stringMatching(/^\d{4}$/),
    });
    expect(fixture.formsOf('/amd')).toHaveLength(1);
    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(paths().indexOf('/amd')).toBeGreaterThan(paths().indexOf('/status in-progress'));
    expect(paths().indexOf('/amd')).toBeLessThan(paths().indexOf('/status completed'));
    const resource = await (await fixture.request('GET', `/Calls/${sid}.json`)).json();
    expect(resource).toMatchObject({ answered_by: 'human', status: 'completed' });
  });

  test('a fax answers with its tone and hangs up after a while', async () => {
    const sid = await fixture.place('+12025550122', detecting());
    await fixture.play();
    expect(fixture.formsOf('/amd')).toMatchObject([{ AnsweredBy: 'fax' }]);
    const call = await fixture.call(sid);
    expect(call).toMatchObject({ status: 'completed', answered_by: 'fax', transcript: [] });
    expect(call.duration_seconds).toBeGreaterThanOrEqual(30);
  });

  test('nothing is reported if not requested, or without an answer', async () => {
    fixture.agent = script('What are your office hours?');
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    expect((await fixture.call(sid)).answered_by).toBeNull();
    await fixture.place('+12025550110', detecting());
    await fixture.play();
    expect(fixture.formsOf('/amd')).toEqual([]);
  });

  test('without a URL the verdict is only stored with the call', async () => {
    const sid = await fixture.place('+12025550112', detecting({ AsyncAmdStatusCallback: '' }));
    fixture.agent = () => ({ end: '{}' });
    await fixture.play();
    expect(fixture.formsOf('/amd')).toEqual([]);
    expect((await fixture.call(sid)).answered_by).toBe('machine_start');
  });

  test('a call that ends before the verdict is unknown', async () => {
    fixture.answers.set('/answer', () => ({ status: 200, body: '<Response><Hangup/></Response>' }));
    await fixture.place('+12025550103', detecting());
    await fixture.play();
    expect(fixture.formsOf('/amd')).toMatchObject([{ AnsweredBy: 'unknown' }]);
  });

  test('the verdict may come after the hang-up, or never', async () => {
    fixture.agent = script('What are your office hours?');
    await fixture.place('+12025550103', detecting());
    await playWith('after-final');
    expect(paths().indexOf('/amd')).toBeGreaterThan(paths().indexOf('/status completed'));
    fixture.callbacks.length = 0;
    await fixture.place('+12025550103', detecting());
    await playWith('never');
    expect(fixture.formsOf('/amd')).toEqual([]);
  });

  test('a failing receiver is retried as often as its URL asks', async () => {
    fixture.agent = script('What are your office hours?');
    fixture.answers.set('/amd', () => ({ status: 503 }));
    await fixture.place(
      '+12025550103',
      detecting({ AsyncAmdStatusCallback: `${fixture.baseUrl}/amd#rc=2&rp=5xx` }),
    );
    await fixture.play();
    expect(fixture.formsOf('/amd')).toHaveLength(3);
  });
});
