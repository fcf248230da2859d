import { GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { log, logError } from '#shared/observability/log.ts';
import type { PersonFile } from '../person/person-file.ts';
import { checkPerson } from './check-person.ts';
import { bundledDirectory, type Directory } from './directory.ts';

/** The sandbox phone's bucket, in which people of one's own lie beside the recordings. */
export interface PeopleBucket {
  readonly client: S3Client;
  readonly name: string;
}

/** A person's object is this and the person's id. */
export const peoplePrefix = 'people/';

export async function listPeople({
  client,
  name,
}: PeopleBucket): Promise<{ readonly key: string; readonly version: string }[]> {
  const found: { key: string; version: string }[] = [];
  const pages = paginateListObjectsV2({ client }, { Bucket: name, Prefix: peoplePrefix });
  for await (const { Contents = [] } of pages) {
    for (const { Key: key = '', ETag: version = '' } of Contents) {
      if (key.endsWith('.json')) found.push({ key, version });
    }
  }
  return found;
}

/** Everybody who can be called: people of one's own, who come before the bundled ones, and these. */
export async function loadDirectory(
  bucket: PeopleBucket,
  known: ReadonlyMap<string, PersonFile> = new Map(),
): Promise<{ readonly directory: Directory; readonly versions: ReadonlyMap<string, PersonFile> }> {
  const versions = new Map<string, PersonFile>();
  const objects = await listPeople(bucket);
  await Promise.all(
    objects.map(async ({ key, version }) => {
      const person = known.get(`${key} ${version}`) ?? (await loadPerson(bucket, key));
      if (person !== null) versions.set(`${key} ${version}`, person);
    }),
  );
  const { people, manners } = bundledDirectory();
  return { directory: { people: [...versions.values(), ...people], manners }, versions };
}

/** A file that somebody put there unchecked must not silence everybody else. */
async function loadPerson({ client, name }: PeopleBucket, key: string): Promise<PersonFile | null> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key }));
  const { person, problems } = checkPerson((await Body?.transformToString()) ?? '');
  for (const { path, rule } of problems) log('sandbox-person-refused', { key, path, rule });
  return person;
}

/** People who were just put there answer after at most this. */
const freshForMs = 2000;

/**
 * The directory as it stands in the bucket, looked up again only when it is no longer fresh; a file is read once. When
 * the bucket cannot be read, whoever was known before answers.
 */
export function cachedDirectory(
  bucket: PeopleBucket,
  now: () => number = () => performance.now(),
): () => Promise<Directory> {
  let last: { directory: Directory; versions: ReadonlyMap<string, PersonFile> } | null = null;
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
