import type { Casting } from '../cast.ts';
import type { Held } from '../held.ts';
import type { KnownFact } from './compare.ts';

/** The truth about one item of the result. */
export interface Truth {
  /** Name of the fact in the person's file. */
  readonly fact: string;
  readonly known: KnownFact;
  /** Whether the person has said or done it. */
  readonly isTold: boolean;
  /** Whether any question to the person would make them say it. */
  readonly isTellable: boolean;
}

/** What the person knew, by the keys of the result's items; without the items of which they know nothing. */
export function truthsOf({ casting, plan, result, called }: Held): ReadonlyMap<string, Truth> {
  const truths = new Map<string, Truth>();
  if (called === null) return truths;
  const told = new Set(called.told);
  const keys = [...plan.items.map(({ key }) => key), ...(result?.answers ?? []).map(({ key }) => key)];
  for (const key of new Set(keys)) {
    const fact = factNameOf(casting, key);
    const known = called.knows[fact];
    // A client's own question is named only by its position; a fact of that name would be a coincidence.
    if (known === undefined || (key.startsWith('question_') && !(key in casting.truthOf))) continue;
    truths.set(key, { fact, known, isTold: told.has(fact), isTellable: casting.tellable.has(fact) });
  }
  if (casting.taskType === 'SCHEDULE_APPOINTMENT') {
    const { booked } = called;
    const ofBooking = (fact: string, known: KnownFact): Truth => ({
      fact,
      known,
      isTold: booked !== null,
      isTellable: true,
    });
    truths.set('booking_confirmed', ofBooking('appointment', { type: 'yes', value: booked !== null }));
    if (booked !== null) {
      truths.set('appointment_time', ofBooking('appointment', { type: 'moment', value: booked.moment }));
      truths.set('provider_name', ofBooking('appointment', { type: 'text', value: booked.with }));
    }
  }
  return truths;
}

function factNameOf({ person, truthOf }: Casting, key: string): string {
  return truthOf[key] ?? person.evaluation.reports[key] ?? key;
}

/** Names of everyone who may pick up on this line. */
export function namesOnTheLine({ person }: Casting): string[] {
  const others = Object.values(person.line?.stages ?? {}).flatMap((stage) =>
    stage.kind === 'person' ? [stage.name] : [],
  );
  return [person.name, ...others];
}

/** What the person said, before speech recognition; one string for each of their turns. */
export function wordsOfPerson({ transcript }: Held): string[] {
  return transcript.flatMap(({ role, content, said }) => (role === 'user' ? [said ?? content] : []));
}
