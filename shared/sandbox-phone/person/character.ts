import type { Voice } from '../sound/synthesizer.ts';
import type { Desk, Fact, Opening } from './desk.ts';
import {
  addDays,
  addWorkingDays,
  type Day,
  dayFromIso,
  isoDate,
  type MomentStyle,
  sayDay,
} from './moment.ts';
import type { Defaults, NetworkHabits, PersonaFile, Reach, Stage, Traits } from './person-file.ts';
import { chanceBetween, chanceDigits } from './seeded.ts';

/** A fact of this call: its value for comparison with reports, and its wording. */
export interface KnownFact {
  readonly type: 'text' | 'money' | 'percent' | 'number' | 'yes' | 'phone' | 'identifier' | 'date';
  readonly value: string | number | boolean;
  readonly spoken: string;
}

/** An opening of this call, on a real day. */
export interface DatedOpening {
  readonly day: Day;
  readonly time: string;
  readonly with: string;
}

/** A desk that this person sits at, with its openings dated. */
export interface StaffedDesk extends Desk {
  readonly datedOpenings: readonly DatedOpening[];
}

/** A person who talks with the caller; a line can have several. */
export interface Persona {
  readonly name: string;
  readonly business: string;
  readonly voice: Voice;
  readonly greeting: readonly string[];
  readonly facts: Readonly<Record<string, KnownFact>>;
  readonly desks: readonly StaffedDesk[];
  readonly temper: Traits;
}

export type MachineStage = Exclude<Stage, { kind: 'person' }>;
type CastStage = MachineStage | { readonly kind: 'person'; readonly persona: Persona };

/** A persona prepared for one call: borrowed desks resolved, relative dates fixed, IDs drawn. */
export interface Character extends Persona {
  readonly id: string;
  readonly amd: PersonaFile['amd'];
  readonly defaults: Defaults;
  readonly network: NetworkHabits;
  readonly momentStyle: MomentStyle;
  readonly today: Day;
  /** Determines wording, pauses, and which traits show in this call. */
  readonly seed: string;
  readonly transcription: PersonaFile['transcription'];
  readonly numbersAs: PersonaFile['numbers_as'];
  /** Who or what picks up: `person` or the name of a stage. */
  readonly firstStage: string;
  readonly stages: Readonly<Record<string, CastStage>>;
  /** Facts that anyone on this line knows, for comparison with the caller's report. */
  readonly knownOnTheLine: Readonly<Record<string, KnownFact>>;
}

export interface Casting {
  readonly file: PersonaFile;
  /** Everybody's files, for borrowed desks. */
  readonly personas: readonly PersonaFile[];
  readonly defaults: Defaults;
  readonly today: Day;
  /** Same seed, same words. */
  readonly seed: string;
  /** Differs from call to call, so that no two calls give the same confirmation number. */
  readonly callSid: string;
  /** The outcome of this call, for a person with varying reachability. */
  readonly reach?: Reach;
}

export function castCharacter(casting: Casting): Character {
  const { file, defaults, today, seed, callSid, reach } = casting;
  const lent = borrow(casting, file.desks);
  const knows = { ...lent.knows, ...file.knows };
  const persona = castPersona(casting, file, lent.desks, knows);
  const style = file.moment_styles[chanceBetween(seed, 'moment style', 0, file.moment_styles.length - 1)];
  const stages = castStages(casting, knows);
  const others = Object.values(stages).flatMap((stage) =>
    stage.kind === 'person' ? [stage.persona.facts] : [],
  );
  return {
    ...persona,
    id: file.id,
    amd: file.amd,
    defaults: {
      ...defaults,
      ...definedOnly(file.manners),
      patterns: { ...defaults.patterns, ...definedOnly(file.manners.patterns ?? {}) },
    },
    network: file.network,
    momentStyle: style ?? 'long',
    today,
    seed,
    transcription: file.transcription,
    numbersAs: file.numbers_as,
    ...pickUp(file, reach, stages),
    knownOnTheLine: Object.assign({}, ...others, knownFacts(knows, today, callSid), {
      name: persona.facts.name,
      business: persona.facts.business,
    }),
  };
}

/** The character in the role of another person on the line. */
export function playedBy(character: Character, stage: string): Character {
  const cast = character.stages[stage];
  return cast?.kind === 'person' ? { ...character, ...cast.persona } : character;
}

const plainMailbox = 'voicemail';

/** A voicemail needs no stage of its own: without one the person's greeting is its greeting. */
function pickUp(
  file: PersonaFile,
  reach: Reach | undefined,
  stages: Character['stages'],
): Pick<Character, 'firstStage' | 'stages'> {
  const first = file.line?.first ?? 'person';
  const mailbox = Object.keys(stages).find((name) => stages[name]?.kind === 'voicemail');
  const taken = reach ?? (typeof file.reach === 'string' ? file.reach : file.reach[0]);
  if (taken === 'voicemail') {
    if (first !== 'person' && typeof file.reach === 'string') return { firstStage: first, stages };
    if (mailbox !== undefined) return { firstStage: mailbox, stages };
    const greeting: string[] =
      file.greeting.length > 0 ? file.greeting : ['Please leave a message after the tone.'];
    const plain: MachineStage = { kind: 'voicemail', in_parts: true, greeting, longest_ms: 60_000 };
    return { firstStage: plainMailbox, stages: { ...stages, [plainMailbox]: plain } };
  }
  const isSometimesMailbox = typeof file.reach !== 'string' && file.reach.includes('voicemail');
  return { firstStage: isSometimesMailbox && first === mailbox ? 'person' : first, stages };
}

function castStages(casting: Casting, knows: Record<string, Fact>): Character['stages'] {
  const { file } = casting;
  return Object.fromEntries(
    Object.entries(file.line?.stages ?? {}).map(([name, stage]): [string, CastStage] => {
      if (stage.kind !== 'person') return [name, stage];
      const lent = borrow(casting, stage.desks);
      const own = {
        name: stage.name,
        business: stage.business ?? file.business,
        voice: stage.voice ?? file.voice,
        greeting: stage.greeting,
        temper: stage.temper,
      };
      const persona = castPersona(casting, own, lent.desks, { ...lent.knows, ...knows, ...stage.knows });
      return [name, { kind: 'person', persona }];
    }),
  );
}

function castPersona(
  { today, callSid }: Casting,
  { name, business, voice, greeting, temper: traits }: Omit<Persona, 'facts' | 'desks'>,
  desks: readonly Desk[],
  knows: Record<string, Fact>,
): Persona {
  return {
    name,
    business,
    voice,
    greeting,
    temper: traits,
    facts: { ...knownFacts(knows, today, callSid), name: sayText(name), business: sayText(business) },
    desks: desks.map((desk) => ({
      ...desk,
      datedOpenings: datedOpenings(desk.calendar?.openings ?? [], today),
    })),
  };
}

function borrow(
  { personas }: Casting,
  desks: PersonaFile['desks'],
): { desks: Desk[]; knows: Record<string, Fact> } {
  const lenders = desks.flatMap((desk) =>
    'borrowed_from' in desk ? [findPersona(personas, desk.borrowed_from)] : [],
  );
  return {
    desks: desks.flatMap((desk): Desk[] =>
      'borrowed_from' in desk ? ownDesks(findPersona(personas, desk.borrowed_from)) : [desk],
    ),
    knows: Object.assign({}, ...lenders.map((lender) => lender.knows)),
  };
}

function ownDesks(file: PersonaFile): Desk[] {
  return file.desks.filter((desk): desk is Desk => !('borrowed_from' in desk));
}

function findPersona(people: readonly PersonaFile[], id: string): PersonaFile {
  const person = people.find((candidate) => candidate.id === id);
  if (person === undefined) throw new Error(`no person has the id ${id}`);
  return person;
}

/** Drops absent members. */
function definedOnly<Members extends object>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const given: { [Key in keyof Members]?: Exclude<Members[Key], undefined> } = { ...members };
  for (const key in given) if (given[key] === undefined) delete given[key];
  return given;
}

function datedOpenings(openings: readonly Opening[], today: Day): DatedOpening[] {
  return openings.map((opening) => ({
    day: addWorkingDays(today, opening.in_working_days),
    time: opening.time,
    with: opening.with,
  }));
}

function knownFacts(knows: Record<string, Fact>, today: Day, callSid: string): Record<string, KnownFact> {
  return Object.fromEntries(
    Object.entries(knows).map(([name, fact]) => [name, knownFact(name, fact, today, callSid)]),
  );
}

function sayText(text: string): KnownFact {
  return { type: 'text', value: text, spoken: text };
}

function knownFact(name: string, fact: Fact, today: Day, callSid: string): KnownFact {
  if ('text' in fact) return sayText(fact.text);
  if ('money' in fact) return { type: 'money', value: fact.money, spoken: sayMoney(fact.money) };
  if ('percent' in fact) return { type: 'percent', value: fact.percent, spoken: `${fact.percent}%` };
  if ('number' in fact) return { type: 'number', value: fact.number, spoken: String(fact.number) };
  if ('yes' in fact) return { type: 'yes', value: fact.yes, spoken: fact.yes ? 'yes' : 'no' };
  if ('phone' in fact) return { type: 'phone', value: fact.phone, spoken: sayPhone(fact.phone) };
  if ('identifier' in fact) {
    const identifier = chanceDigits(callSid, name, fact.identifier);
    return { type: 'identifier', value: identifier, spoken: identifier };
  }
  const day = 'date' in fact ? dayFromIso(fact.date) : addDays(today, fact.days_from_today);
  return { type: 'date', value: isoDate(day), spoken: sayDay(day, today.year) };
}

function sayMoney(amount: number): string {
  const [whole = '0', cents = '00'] = amount.toFixed(2).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return cents === '00' ? `$${grouped}` : `$${grouped}.${cents}`;
}

function sayPhone(number: string): string {
  const national = number.replace(/^\+1/, '');
  return `${national.slice(0, 3)}-${national.slice(3, 6)}-${national.slice(6)}`;
}
