import type {
  Desk,
  Fact,
  Manners,
  NetworkHabits,
  Opening,
  PersonFile,
  Reach,
} from '../people/person-file.ts';
import type { Voice } from '../sound/synthesizer.ts';
import { addDays, addWorkingDays, type Day, isoDate, type MomentStyle, sayDay } from './moment.ts';
import { chanceBetween, chanceDigits } from './seeded.ts';

/** A fact of this very call: the value as a report would compare it, and the words for it. */
interface KnownFact {
  readonly type: 'text' | 'money' | 'percent' | 'number' | 'yes' | 'phone' | 'identifier' | 'date';
  readonly value: string | number | boolean;
  readonly spoken: string;
}

/** An opening of this very call, on a real day. */
export interface DatedOpening {
  readonly day: Day;
  readonly time: string;
  readonly with: string;
}

/** A desk that this person sits at, with its openings dated. */
export interface StaffedDesk extends Desk {
  readonly datedOpenings: readonly DatedOpening[];
}

/** A person's file made ready for one call: borrowed desks taken over, relative dates fixed, identifiers drawn. */
export interface Character {
  readonly id: string;
  readonly name: string;
  readonly business: string;
  readonly voice: Voice;
  readonly greeting: readonly string[];
  readonly isMachine: boolean;
  readonly facts: Readonly<Record<string, KnownFact>>;
  readonly desks: readonly StaffedDesk[];
  readonly manners: Manners;
  readonly network: NetworkHabits;
  readonly momentStyle: MomentStyle;
  readonly today: Day;
  /** Decides the choice of words and the length of pauses. */
  readonly seed: string;
}

export interface Casting {
  readonly file: PersonFile;
  /** Everybody's files, for borrowed desks. */
  readonly people: readonly PersonFile[];
  readonly manners: Manners;
  readonly today: Day;
  /** Same seed, same words. */
  readonly seed: string;
  /** Differs from call to call, so that no two calls give the same confirmation number. */
  readonly callSid: string;
  /** How this very call is taken, when the person is not reached the same way each time. */
  readonly reach?: Reach;
}

export function castCharacter({ file, people, manners, today, seed, callSid, reach }: Casting): Character {
  const lenders = file.desks.flatMap((desk) =>
    'borrowed_from' in desk ? [findPerson(people, desk.borrowed_from)] : [],
  );
  const desks = file.desks.flatMap((desk): Desk[] =>
    'borrowed_from' in desk ? ownDesks(findPerson(people, desk.borrowed_from)) : [desk],
  );
  const knows: Record<string, Fact> = Object.assign({}, ...lenders.map((lender) => lender.knows), file.knows);
  const facts = Object.fromEntries(
    Object.entries(knows).map(([name, fact]) => [name, knownFact(name, fact, today, callSid)]),
  );
  const style = file.moment_styles[chanceBetween(seed, 'moment style', 0, file.moment_styles.length - 1)];
  return {
    id: file.id,
    name: file.name,
    business: file.business,
    voice: file.voice,
    greeting: file.greeting,
    isMachine: (reach ?? file.reach) === 'voicemail',
    facts: { ...facts, name: sayText(file.name), business: sayText(file.business) },
    desks: desks.map((desk) => ({
      ...desk,
      datedOpenings: datedOpenings(desk.calendar?.openings ?? [], today),
    })),
    manners: { ...manners, ...definedOnly(file.manners) },
    network: file.network,
    momentStyle: style ?? 'long',
    today,
    seed,
  };
}

function ownDesks(file: PersonFile): Desk[] {
  return file.desks.filter((desk): desk is Desk => !('borrowed_from' in desk));
}

function findPerson(people: readonly PersonFile[], id: string): PersonFile {
  const person = people.find((candidate) => candidate.id === id);
  if (person === undefined) throw new Error(`no person has the id ${id}`);
  return person;
}

function definedOnly(manners: PersonFile['manners']): Partial<Manners> {
  return Object.fromEntries(Object.entries(manners).filter(([, value]) => value !== undefined));
}

function datedOpenings(openings: readonly Opening[], today: Day): DatedOpening[] {
  return openings.map((opening) => ({
    day: addWorkingDays(today, opening.in_working_days),
    time: opening.time,
    with: opening.with,
  }));
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

function dayFromIso(date: string): Day {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  return { year, month, day };
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
