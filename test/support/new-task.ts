import type { NewTask } from '#shared/domain/new-task.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import { createProject } from '#shared/projects/create-project.ts';
import type { Table } from '#shared/table/client.ts';
import { projectServices } from './project-services.ts';

/** Creates a task of a new project and of a patient in it. */
export async function newTaskIn(table: Table): Promise<NewTask> {
  const { project } = await createProject(projectServices(table), {
    name: 'Test',
    carrier: 'sandbox',
    webhook: null,
  });
  const patient = await createPatient(table, {
    projectId: project.id,
    newPatient: {
      project_id: project.id,
      first_name: 'Ada',
      last_name: 'Example',
      phone_number: '+12025550142',
      date_of_birth: '1980-02-29',
    },
  });
  return {
    project_id: project.id,
    patient_id: patient.id,
    task_type: 'CUSTOM_TASK',
    task: 'Ask for the opening hours.',
    phone_number: '+12025550103',
  };
}
