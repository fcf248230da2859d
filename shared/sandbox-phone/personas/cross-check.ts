import { castCharacter, type Persona, playedBy } from '../person/character.ts';
import type { Desk, Topic } from '../person/desk.ts';
import type { PersonaFile } from '../person/person-file.ts';
import { placeholdersOf } from '../person/phrase.ts';
import { checkAlone } from './check-alone.ts';
import type { Directory } from './directory.ts';
import type { PersonaProblem } from './persona-problem.ts';
/*
 * What the shape of a file cannot say: that its parts fit one another, and those of the people it borrows from. A wrong
 * name would only show in the middle of a call, when the person does not say what their author meant them to.
 */

/** Rules that need everybody: whom the file borrows from, and what is known with their help. */
export function crossCheck(file: PersonaFile, { personas, defaults }: Directory): PersonaProblem[] {
  const lenders = unknownLenders(file, personas);
  if (lenders.length > 0) return lenders;
  const character = castCharacter({
    file,
    personas,
    defaults,
    today: { year: 2026, month: 1, day: 5 },
    seed: '',
    callSid: '',
  });
  const slots = Object.values(file.line?.stages ?? {}).flatMap((stage) =>
    stage.kind === 'entry' ? [stage.slot] : [],
  );
  const colleagues = Object.entries(file.line?.stages ?? {}).flatMap(([name, stage]) =>
    stage.kind === 'person'
      ? [{ path: `line.stages.${name}.`, desks: stage.desks, persona: playedBy(character, name) }]
      : [],
  );
  const known = new Set(Object.keys(character.knownOnTheLine));
  return [
    ...[{ path: '', desks: file.desks, persona: character }, ...colleagues].flatMap((role) =>
      checkRole(role, slots),
    ),
    ...checkMachines(file, new Set(Object.keys(character.facts))),
    ...Object.entries(file.evaluation.reports)
      .filter(([, fact]) => !known.has(fact))
      .map(([item, fact]) => unknownFact(`evaluation.reports.${item}`, fact, known)),
    ...(file.evaluation.ending !== undefined && file.evaluation.goal === 'reachable'
      ? [
          {
            path: 'evaluation.ending',
            rule: 'is only for a goal that cannot be reached',
            remedy: 'add "goal": "unreachable" or remove it',
          },
        ]
      : []),
  ];
}

function unknownLenders(file: PersonaFile, personas: Directory['personas']): PersonaProblem[] {
  const stages = Object.entries(file.line?.stages ?? {});
  const roles = [
    { path: '', desks: file.desks },
    ...stages.flatMap(([name, stage]) =>
      stage.kind === 'person' ? [{ path: `line.stages.${name}.`, desks: stage.desks }] : [],
    ),
  ];
  return roles.flatMap(({ path, desks }) =>
    desks.flatMap((desk, index) =>
      'borrowed_from' in desk && !personas.some(({ id }) => id === desk.borrowed_from)
        ? [
            {
              path: `${path}desks.${index}.borrowed_from`,
              rule: `names ${desk.borrowed_from}, whom nobody knows`,
              remedy: `use one of ${personas.map(({ id }) => id).join(', ')}`,
            },
          ]
        : [],
    ),
  );
}

interface Role {
  readonly path: string;
  readonly desks: PersonaFile['desks'];
  readonly persona: Persona;
}

/** Somebody who talks: all that they say must be something they know. */
function checkRole({ path, desks, persona }: Role, slots: readonly string[]): PersonaProblem[] {
  const facts = new Set(Object.keys(persona.facts));
  const said = [...slots, ...persona.desks.flatMap((desk) => desk.needs.map(({ slot }) => slot))].map(
    (slot) => `said.${slot}`,
  );
  const known = new Set([...facts, ...said, 'pause']);
  const { temper: traits } = persona;
  const spoken: [string, readonly string[], readonly string[]][] = [
    ['greeting', persona.greeting, []],
    ['temper.interrupts.says', traits.interrupts?.says ?? [], []],
    ['temper.asks_to_repeat.says', traits.asks_to_repeat?.says ?? [], []],
    ['temper.looks_up.says', traits.looks_up?.says ?? [], []],
    ['temper.looks_up.back', traits.looks_up?.back ?? [], []],
    ['temper.misspeaks.corrects', traits.misspeaks?.corrects ?? [], ['right']],
    ['temper.refuses_machines.says', traits.refuses_machines?.says ?? [], []],
    ['temper.wrong_number.says', traits.wrong_number?.says ?? [], []],
    ['temper.call_later.says', traits.call_later?.says ?? [], []],
    ...traits.asides.map(({ says }, index): [string, readonly string[], readonly string[]] => [
      `temper.asides.${index}.says`,
      says,
      [],
    ]),
  ];
  const own = desks.flatMap((desk, index) => ('borrowed_from' in desk ? [] : [{ desk, index }]));
  return [
    ...spoken.flatMap(([member, phrases, also]) =>
      checkPhrases(`${path}${member}`, phrases, new Set([...known, ...also])),
    ),
    ...own.flatMap(({ desk, index }) => checkDesk(`${path}desks.${index}`, desk, facts, known)),
    ...checkMisspeaking(`${path}temper.misspeaks.fact`, persona, facts),
  ];
}

function checkDesk(
  path: string,
  desk: Desk,
  facts: ReadonlySet<string>,
  known: ReadonlySet<string>,
): PersonaProblem[] {
  const { calendar } = desk;
  const inCalendar = new Set([...known, 'openings', 'booking', 'provider']);
  const afterBooking = new Set([...known, 'booking', 'provider']);
  return [
    ...checkPhrases(`${path}.welcome`, desk.welcome, known),
    ...checkPhrases(`${path}.ready`, desk.ready, known),
    ...checkPhrases(`${path}.transfer.says`, desk.transfer?.says ?? [], known),
    ...desk.needs.flatMap((need, index) => [
      ...checkPhrases(`${path}.needs.${index}.ask`, need.ask, known),
      ...checkPhrases(`${path}.needs.${index}.heard`, need.heard, known),
      ...(need.hears === 'choice' && Object.keys(need.choices).length === 0
        ? [
            {
              path: `${path}.needs.${index}.choices`,
              rule: 'has nothing to choose from',
              remedy: 'add the choices',
            },
          ]
        : []),
    ]),
    ...desk.topics.flatMap((topic, index) =>
      checkTopic(`${path}.topics.${index}`, topic, facts, calendar === undefined ? known : afterBooking),
    ),
    ...(calendar === undefined
      ? []
      : (
          [
            'offer',
            'offer_others',
            'none_fits',
            'nothing_else',
            'ask_again',
            'booked',
            'correct',
            'wrong',
          ] as const
        ).flatMap((member) => checkPhrases(`${path}.calendar.${member}`, calendar[member], inCalendar))),
  ];
}

function checkTopic(
  path: string,
  topic: Topic,
  facts: ReadonlySet<string>,
  known: ReadonlySet<string>,
): PersonaProblem[] {
  const told = new Set([...topic.tells, ...topic.says.flatMap(placeholdersOf)]);
  const { answered_by: answeredBy } = topic;
  return [
    ...checkPhrases(`${path}.says`, topic.says, known),
    ...checkPhrases(`${path}.vaguely`, topic.vaguely, known),
    ...topic.tells
      .filter((fact) => !facts.has(fact))
      .map((fact) => unknownFact(`${path}.tells`, fact, facts)),
    ...(answeredBy === undefined || told.has(answeredBy)
      ? []
      : [
          {
            path: `${path}.answered_by`,
            rule: `is ${answeredBy}, which this topic does not tell`,
            remedy: 'name a fact in its phrases or in tells',
          },
        ]),
  ];
}

function checkMisspeaking(
  path: string,
  { temper: traits, desks }: Persona,
  facts: ReadonlySet<string>,
): PersonaProblem[] {
  const fact = traits.misspeaks?.fact;
  if (fact === undefined) return [];
  if (!facts.has(fact)) return [unknownFact(path, fact, facts)];
  const phrases = desks.flatMap(({ topics, calendar }) => [
    ...topics.flatMap(({ says }) => says),
    ...(calendar?.booked ?? []),
  ]);
  return phrases.some((phrase) => placeholdersOf(phrase).includes(fact))
    ? []
    : [
        {
          path,
          rule: `is ${fact}, which is nowhere said by its placeholder`,
          remedy: `name a fact that a phrase has in braces, such as {${fact}}`,
        },
      ];
}

function checkMachines({ line }: PersonaFile, facts: ReadonlySet<string>): PersonaProblem[] {
  const known = new Set([...facts, 'pause']);
  return Object.entries(line?.stages ?? {}).flatMap(([name, stage]) => {
    const path = `line.stages.${name}`;
    switch (stage.kind) {
      case 'menu':
      case 'entry':
        return [
          ...checkPhrases(`${path}.says`, stage.says, known),
          ...checkPhrases(`${path}.not_understood`, stage.not_understood, known),
        ];
      case 'hold':
        return checkPhrases(`${path}.announcements`, stage.announcements, known);
      case 'voicemail':
        return checkPhrases(`${path}.greeting`, stage.greeting, known);
      case 'person':
        return [];
      default:
        return stage satisfies never;
    }
  });
}

/** A phrase with a placeholder that never has a value would never be said. */
function checkPhrases(
  path: string,
  phrases: readonly string[],
  known: ReadonlySet<string>,
): PersonaProblem[] {
  return phrases.flatMap((phrase, index) =>
    placeholdersOf(phrase)
      .filter((name) => !known.has(name))
      .map((name) => ({
        path: `${path}.${index}`,
        rule: `has {${name}}, which this person does not know`,
        remedy: 'add it to knows (or a need or an entry with that slot for {said.…}), or correct its name',
      })),
  );
}

function unknownFact(path: string, fact: string, known: ReadonlySet<string>): PersonaProblem {
  return {
    path,
    rule: `names ${fact}, which nobody there knows`,
    remedy: `add it to knows, or use one of ${[...known].join(', ')}`,
  };
}

/** Everything that is wrong with any of these people, by the id of the file. */
export function crossCheckAll(
  personas: readonly PersonaFile[],
  others: Directory,
): (PersonaProblem & { id: string })[] {
  const everybody: Directory = { ...others, personas: [...personas, ...others.personas] };
  return personas.flatMap((file) =>
    [...checkAlone(file), ...crossCheck(file, everybody)].map((problem) => ({ id: file.id, ...problem })),
  );
}
