import type { LineServices } from '#shared/sandbox-phone/line/line-services.ts';
import { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import type { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import type { PhoneFixture } from '../phone-fixture.ts';

export const number = '+12025550150';

/** The bundled people, and the test's own person at `number`. */
export function somebody(members: object): Partial<LineServices> {
  const { personas, defaults } = bundledDirectory();
  const person = PersonaFile.parse({
    id: 'somebody',
    about: 'For this test.',
    numbers: [number],
    name: 'Ines',
    business: 'Hilltop Clinic',
    voice: 'rms',
    ring_ms: [0, 100],
    greeting: ['Hello, this is Ines.'],
    ...members,
  });
  return { speech: 'tones', directory: { personas: [person, ...personas], defaults } };
}

/** Calls a person with these members, until the call ends. */
export async function play(fixture: PhoneFixture, members: object, pace = 0): Promise<SandboxCall> {
  const sid = await fixture.place(number);
  await fixture.play({ ...somebody(members), pace });
  return fixture.call(sid);
}

export function framesOf(fixture: PhoneFixture, ...types: string[]): Record<string, unknown>[] {
  return fixture.frames.filter(({ type }) => types.includes(type));
}

export function prompts(fixture: PhoneFixture): string[] {
  return framesOf(fixture, 'prompt').map(({ voicePrompt }) => String(voicePrompt));
}

/** The last recording. */
export async function channels(
  fixture: PhoneFixture,
): Promise<readonly [person: Int16Array, agent: Int16Array]> {
  const sid = fixture.formsOf('/recording').at(-1)?.RecordingSid ?? '';
  const [person = new Int16Array(), agent = new Int16Array()] = (await fixture.sound(sid, 2)).channels;
  return [person, agent];
}

export function part(samples: Int16Array, fromMs: number, toMs: number): Int16Array {
  return samples.subarray(Math.round(fromMs * 8), Math.round(toMs * 8));
}

export const office = { desks: [{ borrowed_from: 'office-manager' }] };
