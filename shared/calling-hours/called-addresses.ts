import * as z from 'zod/mini';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task } from '#shared/domain/task.ts';
import type { PostalPlace } from './address-zones.ts';

/** Members of `task_data` that describe a party who can be called, and its address. */
const describedParties = ['provider', 'referral', 'bill'];

/** A party with both, in either of the specification's shapes of an address; all else about it does not matter here. */
const LocatedParty = z.object({
  phone_number: z.string(),
  address: z.object({
    state: z.optional(z.string()),
    country_code: z.optional(z.string()),
    country: z.optional(z.string()),
  }),
});

/**
 * The addresses that belong to the number which a task calls, as far as the task or the patient say whose it
 * is. An address of anybody else says nothing about where that telephone rings.
 *
 * @param patient the task's; null when it does not exist any more
 */
export function calledAddresses(
  task: Pick<Task, 'phone_number' | 'task_data'>,
  patient: Pick<Patient, 'phone_number' | 'address'> | null,
): PostalPlace[] {
  const parties = [...describedParties.map((name) => task.task_data?.[name]), patient];
  return parties.flatMap((candidate) => {
    const party = LocatedParty.safeParse(candidate);
    if (!party.success || party.data.phone_number !== task.phone_number) return [];
    const { state, country_code, country } = party.data.address;
    return [{ state: state ?? null, country: country_code ?? country ?? null }];
  });
}
