import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { calledAddresses } from './called-addresses.ts';
import { isTollFree } from './number-zones.ts';
import { type CalledPlace, placeOf } from './place.ts';

/**
 * The place by whose clocks the number of a task may be called. A shared line rings in a call centre somewhere; where the
 * operator says so, a live project calls it by its own clock.
 *
 * @param patient the task's; null when it does not exist any more
 */
export function calledPlace(
  project: Pick<Project, 'live_grant'> | null,
  task: Pick<Task, 'phone_number' | 'task_data'>,
  patient: Pick<Patient, 'phone_number' | 'address'> | null,
): CalledPlace {
  const grant = project?.live_grant ?? null;
  if (grant?.shared_lines === 'own-clock' && isTollFree(task.phone_number))
    return { zones: [grant.time_zone] };
  return placeOf(task.phone_number, calledAddresses(task, patient));
}
