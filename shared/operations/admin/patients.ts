import { Created } from '#shared/domain/created.ts';
import { PatientRegistration } from '#shared/domain/patient.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { ids, newPatient } from '../examples.ts';
import {
  bodyErrors,
  cursorError,
  keyError,
  limitError,
  pageParameters,
  patientParameter,
} from '../parameters.ts';
import { deletePatient } from '../v1/delete-patient.ts';
import { updatePatient } from '../v1/update-patient.ts';
import { noProject, onlyFor, otherProject } from './errors.ts';
import { forPeople } from './for-people.ts';

/** The patients of a project. */
export const patientOperations = forPeople('Patients', {
  listProjectPatients: {
    method: 'GET',
    path: '/admin/projects/{project_id}/patients',
    summary: 'List the patients of a project, newest first.',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of patients; the access is recorded.',
      schema: PatientList,
      headers: ['Link'],
    },
    errors: { 400: [limitError, cursorError], 403: [onlyFor('patients.read')], 404: [noProject] },
  },
  createProjectPatient: {
    method: 'POST',
    path: '/admin/projects/{project_id}/patients',
    summary: 'Create a patient.',
    description: '`project_id` is optional, since the path names it.',
    idempotent: true,
    body: { schema: PatientRegistration, examples: newPatient },
    success: {
      status: 201,
      description: 'The patient is created.',
      schema: Created,
      example: { id: ids.patient },
    },
    errors: {
      400: [...bodyErrors, otherProject, keyError],
      403: [onlyFor('patients.write')],
      404: [noProject],
      409: [patientParameter],
    },
  },
  getProjectPatient: {
    method: 'GET',
    path: '/admin/projects/{project_id}/patients/{patient_id}',
    summary: 'Get a patient.',
    success: {
      status: 200,
      description: 'The patient; the access is recorded.',
      schema: PatientResource,
    },
    errors: {
      400: ['Invalid patient ID format'],
      403: [onlyFor('patients.read')],
      404: [noProject, 'Patient not found'],
    },
  },
  updateProjectPatient: {
    method: 'PATCH',
    path: '/admin/projects/{project_id}/patients/{patient_id}',
    summary: updatePatient.summary,
    description: 'Like `updatePatient` of the client API.',
    body: updatePatient.body,
    success: updatePatient.success,
    errors: {
      ...updatePatient.errors,
      400: [...updatePatient.errors[400], otherProject],
      403: [onlyFor('patients.write')],
      404: [noProject, 'Patient not found'],
    },
  },
  deleteProjectPatient: {
    method: 'DELETE',
    path: '/admin/projects/{project_id}/patients/{patient_id}',
    summary: deletePatient.summary,
    description: 'Like `deletePatient` of the client API.',
    success: deletePatient.success,
    errors: {
      ...deletePatient.errors,
      403: [onlyFor('records.erase')],
      404: [noProject, 'Patient not found'],
    },
  },
});
