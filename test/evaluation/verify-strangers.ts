import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Callee } from '#shared/voice-agent/call-plan/call-plan.ts';
import { nobodyYet, type Party, partyAfter } from '#shared/voice-agent/core/right-party.ts';
import { understand } from '#shared/voice-agent/understanding/understand.ts';

const callees = ['clinic', 'insurer', 'claims-department', 'office'] as const satisfies readonly Callee[];

/** Somebody who picks up, and what they say whenever they are asked whom we have reached. */
const PickedUp = z.strictObject({
  who: z.string(),
  callee: z.enum(callees),
  /** Not the place that was called. */
  is_stranger: z.boolean(),
  /** At pick-up, then to each of up to three questions. */
  says: z.array(z.string()).check(z.minLength(1), z.maxLength(4)),
});
export type PickedUp = z.infer<typeof PickedUp>;

const directory = new URL('strangers/', import.meta.url);

/** Everybody in the files of a split, `dev` or `blind`. */
export function peopleOf(split: string): PickedUp[] {
  const names = readdirSync(directory).filter((name) => name.startsWith(`${split}-`));
  return names.sort().flatMap((name) => {
    return z.array(PickedUp).parse(JSON.parse(readFileSync(new URL(name, directory), 'utf8')));
  });
}

export interface Reached {
  readonly person: PickedUp;
  readonly status: Party['status'];
  /** What they had said by then. */
  readonly heard: readonly string[];
}

/** Asks whom we have reached until the person is the right party or a wrong number, or has said all. Pure. */
export function ask(person: PickedUp): Reached {
  let party: Party = nobodyYet;
  const called = { callee: person.callee, place: null };
  const at = person.says.findIndex((said, index) => {
    const after = index === 0 ? 'opening' : 'reach-question';
    const heard = understand(said, 2 * index + 1, { today: '2026-11-16', after });
    party = partyAfter({ ...party, is_asked: index > 0 }, heard, called, false);
    return party.status !== 'unverified';
  });
  return { person, status: party.status, heard: person.says.slice(0, at < 0 ? undefined : at + 1) };
}

export interface Row {
  readonly callee: Callee;
  readonly strangers: number;
  /** To whom the agent would have spoken about the patient. */
  readonly mistaken: number;
  readonly right: number;
  readonly verified: number;
}

export function rowsOf(reached: readonly Reached[]): Row[] {
  return callees.map((callee) => {
    const own = reached.filter(({ person }) => person.callee === callee);
    const strangers = own.filter(({ person }) => person.is_stranger);
    const right = own.filter(({ person }) => !person.is_stranger);
    const verified = (some: readonly Reached[]): number =>
      some.filter(({ status }) => status === 'verified').length;
    return {
      callee,
      strangers: strangers.length,
      mistaken: verified(strangers),
      right: right.length,
      verified: verified(right),
    };
  });
}
