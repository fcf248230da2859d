import * as z from 'zod/mini';
import type { Patient } from '#shared/domain/patient.ts';
import type { Task } from '#shared/domain/task.ts';
import type { PostalPlace } from './address-zones.ts';

/** Members of `task_data` that describe a callable party and its address. */
const describedParties = ['provider', 'referral', 'bill'];

/** A party with both, in either address shape of the specification; other members do not matter here. */
const LocatedParty = z.object({
  phone_number: z.string(),
  address: z.object({
    state: z.optional(z.string()),
    country_code: z.optional(z.string()),
    country: z.optional(z.string()),
  }),
});

/**
 * The addresses of the number that a task calls, as far as the task or patient says whose it is. Anyone else's
 * address says nothing about where that phone rings.
 *
 * @param patient the task's; null if erased
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
