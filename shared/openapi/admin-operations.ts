import { AuditLog } from '#shared/admin/audit-log.ts';
import { MemberList, MemberResource, NewMember } from '#shared/admin/members.ts';
import { ProjectPatientBody } from '#shared/admin/patients.ts';
import { Me, NewProjectBody, ProjectList, ProjectPatch, ProjectResource } from '#shared/admin/projects.ts';
import { Created } from '#shared/domain/created.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { ids, listedTask, newPatient, newTasks, patient, task } from './examples.ts';
import { AnyNewProjectTask } from './new-task-variants.ts';
import type { Operation } from './operation.ts';
import { bodyErrors, cursorError, keyError, limitError, pageParameters } from './parameters.ts';
import { v1Operations } from './v1-operations.ts';

export const noProject = 'Project not found';
export const ownersOnly = 'Only an owner of the project may do this';
const otherProject = 'project_id must be that of the path';

const member = { description: 'E-mail address of the member.', schema: { type: 'string', format: 'email' } };

/** What people who have signed in do with their projects, but for keys and webhooks, by method and path. */
export const adminOperations = {
  'GET /admin/me': {
    operationId: 'getMe',
    tag: 'Members',
    success: { status: 200, description: 'The person and their projects.', schema: Me },
    errors: {},
  },
  'GET /admin/projects': {
    operationId: 'listProjects',
    tag: 'Projects',
    query: pageParameters,
    success: { status: 200, description: 'A page of projects.', schema: ProjectList, headers: ['Link'] },
    errors: { 400: [limitError, cursorError] },
  },
  'POST /admin/projects': {
    operationId: 'createProject',
    tag: 'Projects',
    body: {
      schema: NewProjectBody,
      examples: { 'Name only': { name: 'Riverside Family Clinic' } },
    },
    success: { status: 201, description: 'The project, without an API key yet.', schema: ProjectResource },
    errors: { 400: [...bodyErrors, 'A project of the live carrier needs a caller number'] },
  },
  'GET /admin/projects/{project_id}': {
    operationId: 'getProject',
    tag: 'Projects',
    success: { status: 200, description: 'The project.', schema: ProjectResource },
    errors: { 404: [noProject] },
  },
  'PATCH /admin/projects/{project_id}': {
    operationId: 'changeProject',
    tag: 'Projects',
    description: 'What is absent stays as it is; what is null is cleared where it may be.',
    body: {
      schema: ProjectPatch,
      examples: {
        'Fewer tries, and recordings for a month': {
          redial_policy: { max_attempts: 2 },
          recording_retention_days: 30,
        },
        'Who calls': {
          agent: {
            agent_name: 'Sam',
            organization_name: 'Riverside Family Clinic',
            on_behalf_of: 'provider',
            npi: '1234567893',
            disclosure: { deny: ['address'] },
            speech_hints: ['Dr. Okafor'],
          },
        },
      },
    },
    success: { status: 200, description: 'The project as it is now.', schema: ProjectResource },
    errors: {
      400: bodyErrors,
      403: [ownersOnly],
      404: [noProject],
      409: [
        "A project's carrier cannot be changed: its keys say test or live, and its calls are on one network; create another project",
        'The project is being changed by others; try again',
      ],
    },
  },
  'GET /admin/projects/{project_id}/members': {
    operationId: 'listMembers',
    tag: 'Members',
    success: { status: 200, description: 'Everybody who may enter the project.', schema: MemberList },
    errors: { 404: [noProject] },
  },
  'PUT /admin/projects/{project_id}/members/{email}': {
    operationId: 'setMember',
    tag: 'Members',
    description: 'Adds the person or changes their role. They need not have signed in yet.',
    pathParameters: { email: member },
    body: { schema: NewMember, examples: { 'Somebody who reads': { role: 'viewer' } } },
    success: { status: 200, description: 'The member.', schema: MemberResource },
    errors: {
      400: [...bodyErrors, 'Invalid e-mail address format'],
      403: [ownersOnly],
      404: [noProject],
      409: ['The project must keep an owner: make somebody else one first'],
    },
  },
  'DELETE /admin/projects/{project_id}/members/{email}': {
    operationId: 'removeMember',
    tag: 'Members',
    pathParameters: { email: member },
    success: { status: 204, description: 'The person may not enter any more.', schema: null },
    errors: {
      400: ['Invalid e-mail address format'],
      403: [ownersOnly],
      404: [noProject, 'Member not found'],
      409: ['The project must keep an owner: make somebody else one first'],
    },
  },
  'GET /admin/projects/{project_id}/audit-log': {
    operationId: 'listAuditLog',
    tag: 'Audit log',
    query: pageParameters,
    success: { status: 200, description: 'A page of entries.', schema: AuditLog, headers: ['Link'] },
    errors: { 400: [limitError, cursorError], 404: [noProject] },
  },
  'GET /admin/projects/{project_id}/patients': {
    operationId: 'listProjectPatients',
    tag: 'Patients',
    query: pageParameters,
    success: {
      status: 200,
      description: 'A page of patients, whom the person is written down to have seen.',
      schema: PatientList,
      headers: ['Link'],
      example: { patients: [patient], next_cursor: null },
    },
    errors: { 400: [limitError, cursorError], 404: [noProject] },
  },
  'POST /admin/projects/{project_id}/patients': {
    operationId: 'createProjectPatient',
    tag: 'Patients',
    idempotent: true,
    body: { schema: ProjectPatientBody, examples: newPatient },
    success: {
      status: 201,
      description: 'The patient is registered.',
      schema: Created,
      example: { id: ids.patient },
    },
    errors: { 400: [...bodyErrors, otherProject, keyError], 403: [ownersOnly], 404: [noProject] },
  },
  'GET /admin/projects/{project_id}/patients/{patient_id}': {
    operationId: 'getProjectPatient',
    tag: 'Patients',
    success: {
      status: 200,
      description: 'The patient, whom the person is written down to have seen.',
      schema: PatientResource,
      example: patient,
    },
    errors: { 400: ['Invalid patient ID format'], 404: [noProject, 'Patient not found'] },
  },
  'GET /admin/projects/{project_id}/tasks': {
    operationId: 'listProjectTasks',
    tag: 'Tasks',
    query: v1Operations['GET /v1/task'].query,
    success: {
      status: 200,
      description: 'A page of tasks, which the person is written down to have seen.',
      schema: TaskList,
      headers: ['Link'],
      example: { tasks: [listedTask], next_cursor: null },
    },
    errors: { 400: v1Operations['GET /v1/task'].errors[400], 404: [noProject] },
  },
  'POST /admin/projects/{project_id}/tasks': {
    operationId: 'createProjectTask',
    tag: 'Tasks',
    description: v1Operations['POST /v1/task'].description,
    idempotent: true,
    body: { schema: AnyNewProjectTask, examples: newTasks },
    success: v1Operations['POST /v1/task'].success,
    errors: {
      ...v1Operations['POST /v1/task'].errors,
      400: [...v1Operations['POST /v1/task'].errors[400], otherProject],
      403: [ownersOnly, 'Task type VERIFY_INSURANCE is not enabled for this project'],
      404: [noProject, 'Patient not found'],
    },
  },
  'GET /admin/projects/{project_id}/tasks/{task_id}': {
    operationId: 'getProjectTask',
    tag: 'Tasks',
    description: v1Operations['GET /v1/task/{task_id}'].description,
    query: v1Operations['GET /v1/task/{task_id}'].query,
    success: {
      status: 200,
      description: 'The task, which the person is written down to have seen.',
      schema: TaskResource,
      headers: ['Link'],
      example: task,
    },
    errors: {
      400: v1Operations['GET /v1/task/{task_id}'].errors[400],
      404: [noProject, 'Task not found'],
    },
  },
  'POST /admin/projects/{project_id}/tasks/{task_id}/cancel': {
    operationId: 'cancelProjectTask',
    tag: 'Tasks',
    description: v1Operations['POST /v1/task/{task_id}/cancel'].description,
    idempotent: true,
    success: v1Operations['POST /v1/task/{task_id}/cancel'].success,
    errors: {
      ...v1Operations['POST /v1/task/{task_id}/cancel'].errors,
      403: [ownersOnly],
      404: [noProject, 'Task not found'],
    },
  },
  'GET /admin/projects/{project_id}/calls/{call_id}/recording': {
    operationId: 'getProjectCallRecording',
    tag: 'Recordings',
    description: 'As for clients; the person is written down to have heard it.',
    success: v1Operations['GET /v1/call/{call_id}/recording'].success,
    errors: {
      400: ['Invalid call ID format'],
      404: [noProject, 'Call not found', 'Recording not found'],
    },
  },
} as const satisfies Record<`${string} /admin/${string}`, Operation>;
