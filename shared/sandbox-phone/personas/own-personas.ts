import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { PersonaFile } from '../person/person-file.ts';
import { checkPersona } from './check-persona.ts';
import { crossCheck } from './cross-check.ts';
import { bundledDirectory } from './directory.ts';
import { listPersonas, type PersonaBucket, personasPrefix } from './persona-bucket.ts';

/** Files of people that cannot be used. The message has a line for everything that is wrong with any of them. */
export class PersonaError extends Error {
  override readonly name = 'PeopleError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `${problems.join('\n')}\n\n` +
        'How a person is described: shared/sandbox-phone/personas/README.md. Nobody was put on the line.',
    );
    this.problems = problems;
  }
}

/**
 * The people whose files lie in a directory (`*.json`, not below it).
 * @throws PeopleError that says of every bad file where it is wrong, which rule it breaks and what to do
 */
export async function readPersonas(directory: string): Promise<PersonaFile[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new PersonaError([
      `${directory}: cannot be read (${reason}); name a directory that holds people's files`,
    ]);
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) {
    throw new PersonaError([`${directory}: holds no *.json; put a file for each person there`]);
  }
  const personas: ReadPersona[] = [];
  const problems: string[] = [];
  for (const name of files) {
    const file = join(directory, name);
    const text = await readFile(file, 'utf8');
    const checked = checkPersona(text);
    if (checked.person !== null) personas.push({ file, person: checked.person });
    problems.push(
      ...checked.problems.map(
        ({ path, rule, remedy }) => `${file}: ${path === '' ? '' : `${path} `}${rule}; ${remedy}`,
      ),
    );
  }
  problems.push(...clashes(personas));
  // Whom a file borrows from may be in a file that could not be read; then that one is the trouble.
  if (problems.length === 0) problems.push(...misfits(personas));
  if (problems.length > 0) throw new PersonaError(problems);
  return personas.map(({ person }) => person);
}

/** Puts exactly these people on the line; those of an earlier time are gone. */
export async function putPersonas(bucket: PersonaBucket, personas: readonly PersonaFile[]): Promise<void> {
  const { client, name: Bucket } = bucket;
  const keyOf = ({ id }: PersonaFile): string => `${personasPrefix}${id}.json`;
  const wanted = new Set(personas.map(keyOf));
  const stale = (await listPersonas(bucket)).filter(({ key }) => !wanted.has(key));
  await Promise.all([
    ...stale.map(({ key }) => client.send(new DeleteObjectCommand({ Bucket, Key: key }))),
    ...personas.map((person) =>
      client.send(
        new PutObjectCommand({
          Bucket,
          Key: keyOf(person),
          Body: JSON.stringify(person),
          ContentType: 'application/json',
        }),
      ),
    ),
  ]);
}

interface ReadPersona {
  readonly file: string;
  readonly person: PersonaFile;
}

/** Custom personas must differ from each other; they may replace bundled ones. */
function clashes(personas: readonly ReadPersona[]): string[] {
  const problems: string[] = [];
  for (const [index, { file, person }] of personas.entries()) {
    for (const earlier of personas.slice(0, index)) {
      if (earlier.person.id === person.id) {
        problems.push(`${file}: id is that of ${earlier.file} too; give each person an id of their own`);
      }
      for (const number of person.numbers.filter((one) => earlier.person.numbers.includes(one))) {
        problems.push(
          `${file}: numbers has ${number}, which ${earlier.file} has too; give each number to one person`,
        );
      }
    }
  }
  return problems;
}

/** What does not fit together within a file, or with whom it borrows from. */
function misfits(personas: readonly ReadPersona[]): string[] {
  const bundled = bundledDirectory();
  const everybody = { ...bundled, personas: [...personas.map(({ person }) => person), ...bundled.personas] };
  return personas.flatMap(({ file, person }) =>
    crossCheck(person, everybody).map(({ path, rule, remedy }) => `${file}: ${path} ${rule}; ${remedy}`),
  );
}
