import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bundledDirectory, personaAt } from '#shared/sandbox-phone/personas/directory.ts';
import { PersonaError, putPersonas, readPersonas } from '#shared/sandbox-phone/personas/own-personas.ts';
import {
  cachedDirectory,
  listPersonas,
  loadDirectory,
  type PersonaBucket,
} from '#shared/sandbox-phone/personas/persona-bucket.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../../support/embedded-queues.ts';

const neighbour = {
  id: 'neighbour',
  about: 'Lives next door.',
  numbers: ['+12025550150'],
  name: 'Ines',
  business: 'Home',
  voice: 'slt',
  greeting: ['Hello?'],
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'voice-agent-people-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function write(files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

async function problemsOf(files: Record<string, unknown>): Promise<string[]> {
  await write(files);
  const error: unknown = await readPersonas(directory).catch((thrown: unknown) => thrown);
  if (!(error instanceof PersonaError)) throw new Error(`no problem was found: ${String(error)}`);
  return error.problems.map((problem) => problem.replaceAll(`${directory}/`, ''));
}

describe('custom personas', () => {
  test('are read from the JSON files of a directory', async () => {
    await write({
      'a.json': neighbour,
      'b.json': { ...neighbour, id: 'other', numbers: [] },
      'notes.txt': 'x',
    });
    expect((await readPersonas(directory)).map(({ id }) => id)).toEqual(['neighbour', 'other']);
  });

  test('may be written like the bundled ones', async () => {
    const bundled = await readFile('shared/sandbox-phone/personas/clinic-front-desk.json', 'utf8');
    await write({ 'clinic.json': bundled });
    expect(await readPersonas(directory)).toEqual(
      bundledDirectory().personas.filter(({ id }) => id === 'clinic-front-desk'),
    );
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['no JSON', { 'a.json': '{"id":' }, /^a\.json: is not JSON \(.+\); correct it/],
    [
      'a missing member',
      { 'a.json': { ...neighbour, name: undefined } },
      /^a\.json: name must be a string; add or correct it$/,
    ],
    [
      'an unknown member',
      { 'a.json': { ...neighbour, temper: { moody: true } } },
      /^a\.json: temper\.moody is not a member .+; remove it/,
    ],
    [
      'a value outside its list',
      { 'a.json': { ...neighbour, voice: 'bass' } },
      /^a\.json: voice must be one of slt, rms, awb, kal16, kal; choose/,
    ],
    [
      'a fact of the wrong type',
      { 'a.json': { ...neighbour, knows: { copay: { money: 'forty' } } } },
      /^a\.json: knows\.copay\.money must be a number; /,
    ],
    [
      'a fact of no known kind',
      { 'a.json': { ...neighbour, knows: { copay: { dollars: 40 } } } },
      /^a\.json: knows\.copay must have exactly one of text, money, percent.+; keep one/,
    ],
    [
      'a pattern that is none',
      {
        'a.json': {
          ...neighbour,
          desks: [{ desk: 'door', purpose: ['...'], topics: [] }],
        },
      },
      /^a\.json: desks\.0\.purpose\.0 is not a pattern; correct it/,
    ],
    [
      'a number that is none',
      { 'a.json': { ...neighbour, numbers: ['555-0150'] } },
      /^a\.json: numbers\.0 is no telephone number; write it as \+1/,
    ],
    [
      'a stage that leads nowhere',
      {
        'a.json': {
          ...neighbour,
          line: { first: 'menu', stages: { menu: { kind: 'hold', ms: [1, 2], to: 'front' } } },
        },
      },
      /^a\.json: line\.stages\.menu\.to leads to "front", .+; use one of menu, person, hang-up/,
    ],
    [
      'a stage of an unknown kind',
      { 'a.json': { ...neighbour, line: { first: 'menu', stages: { menu: { kind: 'menue' } } } } },
      /^a\.json: line\.stages\.menu\.kind must be one of menu, entry, hold, voicemail, person; choose/,
    ],
    [
      'a desk of somebody unknown',
      { 'a.json': { ...neighbour, desks: [{ borrowed_from: 'nobody' }] } },
      /^a\.json: desks\.0\.borrowed_from names nobody, whom nobody knows; use one of neighbour, clinic-front-desk/,
    ],
    [
      'the id of somebody else',
      { 'a.json': neighbour, 'b.json': { ...neighbour, numbers: [] } },
      /^b\.json: id is that of a\.json too; give each person an id of their own/,
    ],
    [
      'the number of somebody else',
      { 'a.json': neighbour, 'b.json': { ...neighbour, id: 'other' } },
      /^b\.json: numbers has \+12025550150, which a\.json has too; give each number to one person/,
    ],
  ])('are refused for %s, with file, path, rule and remedy', async (_, files, message) => {
    const problems = await problemsOf(files);
    expect(problems[0]).toMatch(message);
    expect(problems).toHaveLength(1);
  });

  test('are refused with all problems of all files', async () => {
    const problems = await problemsOf({
      'a.json': { ...neighbour, about: 1, voice: 'bass' },
      'b.json': '[]',
      'c.json': { ...neighbour, id: 'fine' },
    });
    expect(problems.map((problem) => problem.split(/[ :]/)[0])).toEqual(['a.json', 'a.json', 'b.json']);
  });

  test('need a directory with files', async () => {
    await expect(readPersonas(directory)).rejects.toThrow(/holds no \*\.json; put a file/);
    await expect(readPersonas(join(directory, 'none'))).rejects.toThrow(
      /cannot be read \(ENOENT\); name a directory/,
    );
  });
});

describe('personas in the bucket', () => {
  let queues: EmbeddedQueues;
  let bucket: PersonaBucket;
  beforeAll(async () => {
    queues = await startEmbeddedQueues();
    queues.createBucket('people-of-all');
    bucket = { client: queues.s3, name: 'people-of-all' };
  });
  afterAll(() => queues.stop());

  async function put(...personas: object[]): Promise<void> {
    await rm(directory, { recursive: true, force: true });
    directory = await mkdtemp(join(tmpdir(), 'voice-agent-people-'));
    await write(Object.fromEntries(personas.map((person, index) => [`${index}.json`, person])));
    await putPersonas(bucket, await readPersonas(directory));
  }

  test('precede the bundled ones, with the same manners', async () => {
    await put(neighbour, { ...neighbour, id: 'new-desk', numbers: ['+12025550100'] });
    const { directory: everybody } = await loadDirectory(bucket);
    expect(personaAt(everybody, '+12025550150').id).toBe('neighbour');
    expect(personaAt(everybody, '+12025550100').id).toBe('new-desk');
    expect(personaAt(everybody, '+12025550101')).toEqual(personaAt(bundledDirectory(), '+12025550101'));
    expect(everybody.defaults).toEqual(bundledDirectory().defaults);
  });

  test('are replaced by later ones, and removed by an empty set', async () => {
    await put(neighbour, { ...neighbour, id: 'second', numbers: [] });
    await put({ ...neighbour, name: 'Noor' });
    const { directory: changed } = await loadDirectory(bucket);
    expect(changed.personas).toHaveLength(bundledDirectory().personas.length + 1);
    expect(changed.personas[0]?.name).toBe('Noor');
    await putPersonas(bucket, []);
    expect(await listPersonas(bucket)).toEqual([]);
    expect((await loadDirectory(bucket)).directory).toEqual(bundledDirectory());
  });

  test('do not break the others if one was added unchecked', async () => {
    await put(neighbour);
    await queues.s3.send(
      new PutObjectCommand({ Bucket: bucket.name, Key: 'people/broken.json', Body: '{"id":"broken"}' }),
    );
    const { directory: everybody } = await loadDirectory(bucket);
    expect(everybody.personas.slice(0, 2).map(({ id }) => id)).toEqual(['neighbour', 'clinic-front-desk']);
    await putPersonas(bucket, []);
  });

  test('are reread only after a moment, and remain while the bucket cannot be read', async () => {
    let now = 0;
    const names = new Map<string, PersonaBucket>([['here', bucket]]);
    const directoryOf = cachedDirectory(
      {
        client: queues.s3,
        get name() {
          return names.get('here')?.name ?? 'no-such-bucket';
        },
      },
      () => now,
    );
    const isKnown = async (): Promise<boolean> =>
      (await directoryOf()).personas.some(({ id }) => id === 'neighbour');
    expect(await isKnown()).toBe(false);
    await put(neighbour);
    now += 1000;
    expect(await isKnown()).toBe(false);
    now += 5000;
    expect(await isKnown()).toBe(true);
    names.clear();
    now += 5000;
    expect(await isKnown()).toBe(true);
    await putPersonas(bucket, []);
  });
});
