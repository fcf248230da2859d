import * as z from 'zod/mini';
import { AgentSettings } from '#shared/domain/agent-settings.ts';
import { CallAnswer, CallResult, Disclosure, Obstacle } from '#shared/domain/call-result.ts';
import { Created } from '#shared/domain/created.ts';
import { NewPatient } from '#shared/domain/patient.ts';
import { Address, MemberInsurance } from '#shared/domain/values.ts';
import { ErasureReceipt } from '#shared/erasure/order-erasure.ts';
import {
  AnyNewTask,
  NewCustomTask,
  NewReimbursementTask,
  NewScheduleAppointmentTask,
  NewVerifyInsuranceTask,
} from '#shared/operations/new-task-variants.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { AgentChanges } from '#shared/projects/agent-settings.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
import { CallResource, ListedTask, TaskResource, TranscriptEntry } from '#shared/tasks/task-resource.ts';

/** The body of every answer that is no success. */
export const ErrorBody = z.object({ detail: z.string() });

/** The schemas that have a name of their own in the document; generated clients call their types so. */
export const components: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  ['Error', ErrorBody],
  ['Created', Created],
  ['Address', Address],
  ['MemberInsurance', MemberInsurance],
  ['NewPatient', NewPatient],
  ['Patient', PatientResource],
  ['PatientList', PatientList],
  ['NewTask', AnyNewTask],
  ['NewScheduleAppointmentTask', NewScheduleAppointmentTask],
  ['NewVerifyInsuranceTask', NewVerifyInsuranceTask],
  ['NewReimbursementTask', NewReimbursementTask],
  ['NewCustomTask', NewCustomTask],
  ['Task', TaskResource],
  ['ListedTask', ListedTask],
  ['TaskList', TaskList],
  ['Call', CallResource],
  ['TranscriptEntry', TranscriptEntry],
  ['ErasureReceipt', ErasureReceipt],
  ['CallResult', CallResult],
  ['CallAnswer', CallAnswer],
  ['Obstacle', Obstacle],
  ['Disclosure', Disclosure],
  ['AgentSettings', AgentSettings],
  ['AgentChanges', AgentChanges],
]);

/** What a component's schema does not say by itself. */
export const componentNotes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Error: { description: 'One sentence that says what was wrong.' },
  NewPatient: {
    description: 'Members that are `null` count as absent, unknown ones are ignored.',
  },
  NewTask: {
    description:
      'Which `task_data` is understood goes by `task_type`; unknown members of `task_data` are given to the agent. Members that are `null` count as absent.',
    discriminator: {
      propertyName: 'task_type',
      mapping: {
        SCHEDULE_APPOINTMENT: '#/components/schemas/NewScheduleAppointmentTask',
        VERIFY_INSURANCE: '#/components/schemas/NewVerifyInsuranceTask',
        REIMBURSEMENT: '#/components/schemas/NewReimbursementTask',
        INSURANCE_REIMBURSEMENT: '#/components/schemas/NewReimbursementTask',
        CUSTOM_TASK: '#/components/schemas/NewCustomTask',
      },
    },
  },
  NewScheduleAppointmentTask: { title: 'Schedule an appointment' },
  NewVerifyInsuranceTask: { title: 'Verify insurance' },
  NewReimbursementTask: { title: 'Chase a reimbursement' },
  NewCustomTask: { title: 'Ask a list of questions' },
  AgentSettings: {
    description:
      'Who calls, what may be told, and with which model and voice. `language_model`: `default` is the model of the deployment for live projects and the built-in one for sandbox projects.',
  },
  AgentChanges: {
    description:
      'Who calls, what may be told, and with which model and voice; what is absent stays as it is. `disclosure` names topics, such as `member-id`, or fields of the call plan, such as `patient.email`; what is denied is not told, whatever is allowed; who calls may always be told.',
  },
};
