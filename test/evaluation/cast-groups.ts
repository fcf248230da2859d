import { fileURLToPath } from 'node:url';
import { bundledDirectory } from '#shared/sandbox-phone/people/directory.ts';
import { readPeople } from '#shared/sandbox-phone/people/own-people.ts';
import type { PersonFile } from '#shared/sandbox-phone/person/person-file.ts';
import { UsageError } from '../../infra/command.ts';
import { type Casting, castEverybody } from './cast.ts';
import type { Options } from './options.ts';

/** People who are on the line together, because each number is one person's, and the calls to them. */
export interface CastGroup {
  /** Those who do not come with the sandbox phone. */
  readonly own: readonly PersonFile[];
  /** Everybody on the line, whose desks may be borrowed. */
  readonly everybody: readonly PersonFile[];
  readonly cast: readonly Casting[];
}

const directoryOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const directories = {
  repository: directoryOf('people'),
  train: directoryOf('people/train'),
  dev: directoryOf('people/dev'),
  blind: directoryOf('people/blind'),
};

/**
 * Whom the options want to be called about what.
 * @throws UsageError when it is nobody
 */
export async function castGroups(options: Options): Promise<CastGroup[]> {
  const groups: CastGroup[] = [];
  for (const [directory, isRepository] of directoriesFor(options)) {
    const own = await readPeople(directory);
    const everybody = [...own, ...bundledDirectory().people];
    const cast = castEverybody(
      isRepository ? [...bundledDirectory().people, ...own] : own,
      everybody,
      options.seeds,
    )
      .filter(({ person }) => options.only?.includes(person.id) ?? true)
      .slice(0, options.conversations);
    if (cast.length > 0) groups.push({ own, everybody, cast });
  }
  if (groups.length === 0) throw new UsageError('nobody of that name, or nobody that a task fits');
  return groups;
}

function directoriesFor({ peopleDirectory, split }: Options): [directory: string, isRepository: boolean][] {
  if (peopleDirectory !== null) return [[peopleDirectory, false]];
  const names = split === 'all' ? (['repository', 'train', 'dev'] as const) : [split];
  return names.map((name) => [directories[name], name === 'repository']);
}
