import { digitFormat } from '../person/machine.ts';
import type { PersonaFile, Stage, Traits } from '../person/person-file.ts';
import type { PersonaProblem } from './persona-problem.ts';

/** Rules of one file alone. */
export function checkAlone(file: PersonaFile): PersonaProblem[] {
  const { line, desks, reach } = file;
  const stages = Object.entries(line?.stages ?? {});
  const known = [...stages.map(([name]) => name), 'person', 'hang-up'];
  const destinations = [
    ...(line === undefined ? [] : [{ path: 'line.first', to: line.first }]),
    // A mailbox needs no path that leads to it.
    ...(reach.includes('voicemail')
      ? stages.flatMap(([name, { kind }]) => (kind === 'voicemail' ? [{ path: '', to: name }] : []))
      : []),
    ...stages.flatMap(([name, stage]) => destinationsOf(`line.stages.${name}`, stage)),
    ...transfersOf('', desks),
  ];
  return [
    ...destinations
      .filter(({ to }) => !known.includes(to))
      .map(({ path, to }) => ({
        path,
        rule: `leads to "${to}", which is not a stage of this line`,
        remedy: `use one of ${known.join(', ')}, or add that stage`,
      })),
    ...stages.flatMap(([name, stage]) => checkStage(`line.stages.${name}`, name, stage)),
    ...stages
      .filter(([name]) => !destinations.some(({ to }) => to === name))
      .map(([name]) => ({
        path: `line.stages.${name}`,
        rule: 'is a stage nothing leads to',
        remedy: 'lead there from line.first or another stage, or remove it',
      })),
    ...rangesOf(file)
      .filter(({ range: [least, most] }) => least > most)
      .map(({ path }) => ({
        path,
        rule: 'begins with the greater number',
        remedy: 'write the shortest (or fewest) first',
      })),
  ];
}

/** Everything drawn from a range. */
function rangesOf({
  ring_ms,
  manners: defaults,
  temper: traits,
  line,
}: PersonaFile): { path: string; range: readonly [number, number] }[] {
  const stages = Object.entries(line?.stages ?? {});
  const ranges: [string, readonly [number, number] | undefined][] = [
    ['ring_ms', ring_ms],
    ['manners.reaction_ms', defaults.reaction_ms],
    ['manners.pause_ms', defaults.pause_ms],
    ...traitRanges('temper', traits),
    ...stages.flatMap(([name, stage]): [string, readonly [number, number] | undefined][] => {
      if (stage.kind === 'hold') return [[`line.stages.${name}.ms`, stage.ms]];
      return stage.kind === 'person' ? traitRanges(`line.stages.${name}.temper`, stage.temper) : [];
    }),
  ];
  return ranges.flatMap(([path, range]) => (range === undefined ? [] : [{ path, range }]));
}

function traitRanges(path: string, traits: Traits): [string, readonly [number, number] | undefined][] {
  return [
    [`${path}.interrupts.after_words`, traits.interrupts?.after_words],
    [`${path}.looks_up.ms`, traits.looks_up?.ms],
    [`${path}.falls_silent.ms`, traits.falls_silent?.ms],
  ];
}

function destinationsOf(path: string, stage: Stage): { path: string; to: string }[] {
  switch (stage.kind) {
    case 'menu':
      return [
        ...Object.entries(stage.choices).map(([key, { to }]) => ({ path: `${path}.choices.${key}.to`, to })),
        { path: `${path}.otherwise`, to: stage.otherwise },
      ];
    case 'entry':
      return [
        { path: `${path}.to`, to: stage.to },
        { path: `${path}.otherwise`, to: stage.otherwise },
      ];
    case 'hold':
      return [{ path: `${path}.to`, to: stage.to }];
    case 'voicemail':
      return [];
    case 'person':
      return transfersOf(`${path}.`, stage.desks);
    default:
      return stage satisfies never;
  }
}

function transfersOf(path: string, desks: PersonaFile['desks']): { path: string; to: string }[] {
  return desks.flatMap((desk, index) =>
    'borrowed_from' in desk || desk.transfer === undefined
      ? []
      : [{ path: `${path}desks.${index}.transfer.to`, to: desk.transfer.to }],
  );
}

function checkStage(path: string, name: string, stage: Stage): PersonaProblem[] {
  if (name === 'person' || name === 'hang-up') {
    return [
      {
        path,
        rule: `has the name "${name}", which means something else`,
        remedy: 'give the stage another name',
      },
    ];
  }
  if (stage.kind === 'menu') {
    return Object.keys(stage.spoken)
      .filter((key) => stage.choices[key] === undefined)
      .map((key) => ({
        path: `${path}.spoken.${key}`,
        rule: 'is for a key that the menu does not have',
        remedy: `use one of ${Object.keys(stage.choices).join(', ')}, or add it to choices`,
      }));
  }
  if (stage.kind === 'entry' && !isDigitFormat(stage.digits)) {
    return [
      {
        path: `${path}.digits`,
        rule: 'does not describe digits',
        remedy: 'write # for each digit ("########") or a regular expression ("\\\\d{6,9}")',
      },
    ];
  }
  return [];
}

function isDigitFormat(digits: string): boolean {
  try {
    return !digitFormat(digits).test('');
  } catch {
    return false;
  }
}
