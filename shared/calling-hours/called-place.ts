import type { LineTerms } from '#shared/directory/line-terms.ts';
import type { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import { calledAddresses } from './called-addresses.ts';
import { isTollFree, zonesOfNumber } from './number-zones.ts';
import { type CalledPlace, placeOf } from './place.ts';

type Clocks = Pick<Project, 'live_grant' | 'time_zone'>;

/**
 * The place whose local time decides when a task's number may be called and when its line answers. The operator's
 * directory takes precedence. A toll-free number belongs to a business and follows the project's time zone, unless the
 * operator requires the time zones of everywhere it may ring. For other numbers, the project's directory adds its time
 * zone.
 *
 * @param patient the task's; null if erased
 */
export function calledPlace(
  project: Clocks | null,
  task: Pick<Task, 'phone_number' | 'task_data'>,
  patient: Pick<Patient, 'phone_number' | 'address'> | null,
  line: Pick<LineTerms, 'operatorZone' | 'projectZone' | 'windows'>,
): CalledPlace {
  return { zones: zonesOf(project, task, patient, line), windows: line.windows };
}

function zonesOf(
  project: Clocks | null,
  task: Pick<Task, 'phone_number' | 'task_data'>,
  patient: Pick<Patient, 'phone_number' | 'address'> | null,
  { operatorZone, projectZone }: Pick<LineTerms, 'operatorZone' | 'projectZone'>,
): readonly string[] {
  const added = projectZone === null ? [] : [projectZone];
  if (operatorZone !== null) return unique([operatorZone, ...added]);
  const clock = isTollFree(task.phone_number) ? ownClock(project, task.phone_number, projectZone) : null;
  if (clock !== null) return unique([clock, ...added]);
  return unique([...placeOf(task.phone_number, calledAddresses(task, patient)).zones, ...added]);
}

/** The project's time zone if the number may ring there, the operator's setting first. */
function ownClock(project: Clocks | null, phoneNumber: string, projectZone: string | null): string | null {
  const grant = project?.live_grant ?? null;
  if (grant?.shared_lines === 'called-zones') return null;
  const possible = zonesOfNumber(phoneNumber);
  const clocks = [grant?.time_zone ?? null, projectZone, project?.time_zone ?? null];
  return clocks.find((zone) => zone !== null && possible.includes(zone)) ?? null;
}

function unique(zones: readonly string[]): string[] {
  return [...new Set(zones)];
}
