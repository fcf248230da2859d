import { calledPlace } from '#shared/calling-hours/called-place.ts';
import { nextOpening } from '#shared/calling-hours/opening.ts';
import { readLineTerms } from '#shared/directory/line-terms.ts';
import { boundedHours, mostAttempts } from '#shared/domain/live-bounds.ts';
import { defaultCallingHours, defaultRedialPolicy } from '#shared/domain/project.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Table } from '#shared/table/client.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import type { RedialRules } from './conclude-task.ts';

/** The rules for redialing a task, and when its number may be called at all. */
export async function loadRedialRules(table: Table, task: Task): Promise<RedialRules> {
  const [project, patient, line] = await Promise.all([
    getProject(table, task.project_id),
    getPatient(table, task.patient_id),
    readLineTerms(table, task.project_id, task.phone_number),
  ]);
  const place = calledPlace(project, task, patient, line);
  const hours = project === null ? defaultCallingHours : boundedHours(project);
  const policy = project?.redial_policy ?? defaultRedialPolicy;
  return {
    policy: { ...policy, max_attempts: Math.min(policy.max_attempts, mostAttempts) },
    nextOpening: (from) => nextOpening(hours, place, from),
    zones: place.zones,
  };
}
