import { fileURLToPath } from 'node:url';
import type { PersonaFile } from '#shared/sandbox-phone/person/person-file.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { readPersonas } from '#shared/sandbox-phone/personas/own-personas.ts';
import { UsageError } from '../../infra/command.ts';
import { allPersonas, type Casting } from './cast.ts';
import type { Options } from './options.ts';

/** People who are on the line together, because each number belongs to one person, and the calls to them. */
export interface CastGroup {
  /** Those that are not part of the sandbox phone. */
  readonly own: readonly PersonaFile[];
  /** Everyone on the line, whose desks may be borrowed. */
  readonly everybody: readonly PersonaFile[];
  readonly cast: readonly Casting[];
}

const directoryOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
function numbered(split: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => directoryOf(`people/${split}-${at + 1}`));
}

/** There are only a hundred numbers, so many people need several lines. */
const directories = {
  repository: [directoryOf('people')],
  train: numbered('train', 37),
  dev: numbered('dev', 107),
  blind: ['people/blind', 'people/blind-2', 'people/blind-3'].map(directoryOf),
};

/**
 * The people that the options select, with their tasks.
 * @throws UsageError if that is no one
 */
export async function castGroups(options: Options): Promise<CastGroup[]> {
  const groups: CastGroup[] = [];
  for (const [directory, isRepository] of directoriesFor(options)) {
    const own = await readPersonas(directory);
    const everybody = [...own, ...bundledDirectory().personas];
    const cast = allPersonas(
      isRepository ? [...bundledDirectory().personas, ...own] : own,
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

function directoriesFor({
  peopleDirectory: personaDirectory,
  split,
}: Options): [directory: string, isRepository: boolean][] {
  if (personaDirectory !== null) return [[personaDirectory, false]];
  const names = split === 'all' ? (['repository', 'train', 'dev'] as const) : [split];
  return names.flatMap((name) =>
    directories[name].map((directory): [string, boolean] => [directory, name === 'repository']),
  );
}
