import { GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { log, logError } from '#shared/observability/log.ts';
import type { PersonaFile } from '../person/person-file.ts';
import { checkPersona } from './check-persona.ts';
import { bundledDirectory, type Directory } from './directory.ts';

/** The sandbox phone's bucket, with custom personas and recordings. */
export interface PersonaBucket {
  readonly client: S3Client;
  readonly name: string;
}

/** A person's object is this and the person's id. */
export const personasPrefix = 'people/';

export async function listPersonas({
  client,
  name,
}: PersonaBucket): Promise<{ readonly key: string; readonly version: string }[]> {
  const found: { key: string; version: string }[] = [];
  const pages = paginateListObjectsV2({ client }, { Bucket: name, Prefix: personasPrefix });
  for await (const { Contents = [] } of pages) {
    for (const { Key: key = '', ETag: version = '' } of Contents) {
      if (key.endsWith('.json')) found.push({ key, version });
    }
  }
  return found;
}

/** Everybody who can be called: custom personas first, then the bundled ones. */
export async function loadDirectory(
  bucket: PersonaBucket,
  known: ReadonlyMap<string, PersonaFile> = new Map(),
): Promise<{ readonly directory: Directory; readonly versions: ReadonlyMap<string, PersonaFile> }> {
  const versions = new Map<string, PersonaFile>();
  const objects = await listPersonas(bucket);
  await Promise.all(
    objects.map(async ({ key, version }) => {
      const person = known.get(`${key} ${version}`) ?? (await loadPersona(bucket, key));
      if (person !== null) versions.set(`${key} ${version}`, person);
    }),
  );
  const { personas, defaults } = bundledDirectory();
  return { directory: { personas: [...versions.values(), ...personas], defaults }, versions };
}

/** A file that somebody put there unchecked must not silence everybody else. */
async function loadPersona({ client, name }: PersonaBucket, key: string): Promise<PersonaFile | null> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
  const { person, problems } = checkPersona((await Body?.transformToString()) ?? '');
  for (const { path, rule } of problems) log('sandbox-person-refused', { key, path, rule });
  return person;
}

/** People who were just put there answer after at most this. */
export const freshForMs = 2000;

/**
 * The directory in the bucket, listed again only when stale; a file is read once. When
 * the bucket cannot be read, the people read before answer.
 */
export function cachedDirectory(
  bucket: PersonaBucket,
  now: () => number = () => performance.now(),
): () => Promise<Directory> {
  let last: { directory: Directory; versions: ReadonlyMap<string, PersonaFile> } | null = null;
  let loadedAt = 0;
  return async () => {
    if (last !== null && now() - loadedAt < freshForMs) return last.directory;
    try {
      last = await loadDirectory(bucket, last?.versions);
      loadedAt = now();
    } catch (error) {
      logError('sandbox-people-not-read', error);
    }
    return last?.directory ?? bundledDirectory();
  };
}
