import * as z from 'zod/mini';
import {
  ApiKeyList,
  ApiKeyResource,
  ApiKeyRotation,
  CreatedApiKey,
  NewApiKey,
  RotatedApiKey,
} from '#shared/admin/api-keys.ts';
import { AuditEntryResource, AuditLog } from '#shared/admin/audit-log.ts';
import {
  DeliveryDetails,
  DeliveryList,
  DeliveryResource,
  ReplayRequest,
  ReplayResult,
} from '#shared/admin/deliveries.ts';
import { Destinations, OperatorDestination } from '#shared/admin/destinations.ts';
import { GrantInput, LiveGrantResource } from '#shared/admin/live-grant.ts';
import { MemberList, MemberResource, NewMember } from '#shared/admin/members.ts';
import {
  NewOptOut,
  OptOutDecision,
  OptOutEntries,
  OptOutImport,
  OptOutsAdded,
} from '#shared/admin/opt-outs.ts';
import { Me, NewProjectBody, ProjectList, ProjectPatch, ProjectResource } from '#shared/admin/projects.ts';
import { CostEstimate, DayUsage, UsageResource, UsageTotal } from '#shared/admin/usage.ts';
import {
  NewWebhookBody,
  SecretRotation,
  WebhookList,
  WebhookPatch,
  WebhookResource,
  WebhookSecret,
  WebhookWithSecret,
} from '#shared/admin/webhooks.ts';
import { DestinationBody, NewLineHours } from '#shared/directory/change-directory.ts';
import { AgentSettings, LanguageModel, OnBehalfOf } from '#shared/domain/agent-settings.ts';
import { AuditAction } from '#shared/domain/audit-entry.ts';
import { CallStatus } from '#shared/domain/call.ts';
import { CallAnswer, CallResult, Disclosure, Obstacle } from '#shared/domain/call-result.ts';
import { Metadata } from '#shared/domain/client-data.ts';
import { Created } from '#shared/domain/created.ts';
import { DirectoryEntry, LineHours, LineKind, WeeklyWindow } from '#shared/domain/directory-entry.ts';
import { LiveGrant, SharedLineClock } from '#shared/domain/live-grant.ts';
import { OptOut } from '#shared/domain/opt-out.ts';
import {
  PatientChanges,
  PatientInsurance,
  PatientRegistration,
  PrimaryCareProvider,
} from '#shared/domain/patient.ts';
import { Role } from '#shared/domain/person.ts';
import {
  CallingHours,
  CallPolicy,
  CarrierName,
  RedialledResult,
  RedialPolicy,
} from '#shared/domain/project.ts';
import { TaskStatus } from '#shared/domain/task.ts';
import { BatchItemStatus } from '#shared/domain/task-batch.ts';
import {
  NewCustomTaskData,
  QuestionToAsk,
  ReimbursementData,
  ScheduleAppointmentData,
  VerifyInsuranceData,
} from '#shared/domain/task-data.ts';
import { TaskType } from '#shared/domain/task-type.ts';
import { Address, MemberInsurance, PrimarySubscriber } from '#shared/domain/values.ts';
import {
  PayloadForm,
  RecordedAttempt,
  WebhookAttempt,
  WebhookDeliveryStatus,
  WebhookEvent,
  WebhookEventName,
} from '#shared/domain/webhook.ts';
import { ErasureReceipt } from '#shared/erasure/order-erasure.ts';
import {
  AcceptedBatch,
  AcceptedBatchItem,
  BatchItemError,
  TaskBatchItem,
  TaskBatchProgress,
} from '#shared/http/batch-responses.ts';
import { OpenApi } from '#shared/operations/interface.ts';
import {
  AnyBatchTask,
  BatchCustomTask,
  BatchReimbursementTask,
  BatchScheduleAppointmentTask,
  BatchVerifyInsuranceTask,
  NewTaskBatch,
} from '#shared/operations/new-task-batch.ts';
import {
  AnyNewTask,
  NewCustomTask,
  NewReimbursementTask,
  NewScheduleAppointmentTask,
  NewVerifyInsuranceTask,
} from '#shared/operations/new-task-variants.ts';
import { PatientExportResource } from '#shared/patient-exports/order-export.ts';
import { PatientList } from '#shared/patients/list-patients.ts';
import { PatientResource } from '#shared/patients/patient-resource.ts';
import { AgentChanges } from '#shared/projects/agent-settings.ts';
import { TaskBatchResource } from '#shared/tasks/batch/batch-resource.ts';
import { TaskForecast } from '#shared/tasks/dry-run/task-forecast.ts';
import { TaskList } from '#shared/tasks/list-tasks.ts';
import { CallResource, ListedTask, TaskResource, TranscriptEntry } from '#shared/tasks/task-resource.ts';

/** One invalid member of a request, for clients that ask for all of them. */
export const FieldError = z.object({ path: z.string(), code: z.string(), message: z.string() });

/** The body of every error response. */
export const ErrorBody = z.object({ detail: z.string(), errors: z.optional(z.array(FieldError)) });

/** The schemas with names of their own in the document, which name the types in generated clients. */
export const components: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  ['Error', ErrorBody],
  ['FieldError', FieldError],
  ['Created', Created],
  ['Metadata', Metadata],
  ['Address', Address],
  ['MemberInsurance', MemberInsurance],
  ['PrimarySubscriber', PrimarySubscriber],
  ['PrimaryCareProvider', PrimaryCareProvider],
  ['PatientInsurance', PatientInsurance],
  ['NewPatient', PatientRegistration],
  ['PatientChanges', PatientChanges],
  ['Patient', PatientResource],
  ['PatientList', PatientList],
  ['ScheduleAppointmentData', ScheduleAppointmentData],
  ['VerifyInsuranceData', VerifyInsuranceData],
  ['ReimbursementData', ReimbursementData],
  ['CustomTaskData', NewCustomTaskData],
  ['QuestionToAsk', QuestionToAsk],
  ['NewTask', AnyNewTask],
  ['NewScheduleAppointmentTask', NewScheduleAppointmentTask],
  ['NewVerifyInsuranceTask', NewVerifyInsuranceTask],
  ['NewReimbursementTask', NewReimbursementTask],
  ['NewCustomTask', NewCustomTask],
  ['NewTaskBatch', NewTaskBatch],
  ['BatchTask', AnyBatchTask],
  ['BatchScheduleAppointmentTask', BatchScheduleAppointmentTask],
  ['BatchVerifyInsuranceTask', BatchVerifyInsuranceTask],
  ['BatchReimbursementTask', BatchReimbursementTask],
  ['BatchCustomTask', BatchCustomTask],
  ['TaskStatus', TaskStatus],
  ['TaskType', TaskType],
  ['CallStatus', CallStatus],
  ['Task', TaskResource],
  ['ListedTask', ListedTask],
  ['TaskList', TaskList],
  ['TaskForecast', TaskForecast],
  ['AcceptedBatch', AcceptedBatch],
  ['AcceptedBatchItem', AcceptedBatchItem],
  ['BatchItemError', BatchItemError],
  ['BatchItemStatus', BatchItemStatus],
  ['TaskBatch', TaskBatchResource],
  ['TaskBatchProgress', TaskBatchProgress],
  ['TaskBatchItem', TaskBatchItem],
  ['Call', CallResource],
  ['TranscriptEntry', TranscriptEntry],
  ['ErasureReceipt', ErasureReceipt],
  ['PatientExportResource', PatientExportResource],
  ['CallResult', CallResult],
  ['CallAnswer', CallAnswer],
  ['Obstacle', Obstacle],
  ['Disclosure', Disclosure],
  ['WebhookEvent', WebhookEvent],
  ['WebhookEventName', WebhookEventName],
  ['PayloadForm', PayloadForm],
  ['DeliveryStatus', WebhookDeliveryStatus],
  ['CarrierName', CarrierName],
  ['RedialledResult', RedialledResult],
  ['OnBehalfOf', OnBehalfOf],
  ['LanguageModel', LanguageModel],
  ['OpenApiDocument', OpenApi],
  ['Me', Me],
  ['Project', ProjectResource],
  ['ProjectList', ProjectList],
  ['NewProject', NewProjectBody],
  ['ProjectChanges', ProjectPatch],
  ['Usage', UsageResource],
  ['UsageTotal', UsageTotal],
  ['DayUsage', DayUsage],
  ['CostEstimate', CostEstimate],
  ['AgentSettings', AgentSettings],
  ['AgentChanges', AgentChanges],
  ['CallingHours', CallingHours],
  ['CallPolicy', CallPolicy],
  ['RedialPolicy', RedialPolicy],
  ['LiveGrant', LiveGrant],
  ['NewLiveGrant', GrantInput],
  ['ProjectLiveGrant', LiveGrantResource],
  ['SharedLineClock', SharedLineClock],
  ['Destination', DirectoryEntry],
  ['OperatorDestination', OperatorDestination],
  ['DestinationList', Destinations],
  ['NewDestination', DestinationBody],
  ['LineHours', LineHours],
  ['NewLineHours', NewLineHours],
  ['WeeklyWindow', WeeklyWindow],
  ['LineKind', LineKind],
  ['OptOut', OptOut],
  ['OptOutList', OptOutEntries],
  ['NewOptOut', NewOptOut],
  ['OptOutDecision', OptOutDecision],
  ['OptOutImport', OptOutImport],
  ['OptOutsAdded', OptOutsAdded],
  ['Role', Role],
  ['Member', MemberResource],
  ['MemberList', MemberList],
  ['NewMember', NewMember],
  ['AuditAction', AuditAction],
  ['AuditEntry', AuditEntryResource],
  ['AuditLog', AuditLog],
  ['ApiKey', ApiKeyResource],
  ['ApiKeyList', ApiKeyList],
  ['NewApiKey', NewApiKey],
  ['CreatedApiKey', CreatedApiKey],
  ['ApiKeyRotation', ApiKeyRotation],
  ['RotatedApiKey', RotatedApiKey],
  ['Webhook', WebhookResource],
  ['WebhookList', WebhookList],
  ['NewWebhook', NewWebhookBody],
  ['WebhookChanges', WebhookPatch],
  ['WebhookWithSecret', WebhookWithSecret],
  ['WebhookSecret', WebhookSecret],
  ['SecretRotation', SecretRotation],
  ['Delivery', DeliveryResource],
  ['DeliveryList', DeliveryList],
  ['DeliveryDetails', DeliveryDetails],
  ['Attempt', WebhookAttempt],
  ['RecordedAttempt', RecordedAttempt],
  ['ReplayRequest', ReplayRequest],
  ['ReplayResult', ReplayResult],
]);

/** Names of nested schemas; others are named after the schema and member that contain them. */
export const nestedNames: Readonly<Record<string, string>> = {
  'ScheduleAppointmentData.referral': 'Provider',
  'ScheduleAppointmentData.previous_visits': 'Visit',
  'VerifyInsuranceData.service': 'Service',
  'ReimbursementData.case_info': 'CaseInfo',
  'ReimbursementData.bill': 'Bill',
  'Bill.address': 'BillAddress',
  'Me.projects': 'EnteredProject',
  'AuditEntry.target': 'AuditTarget',
  'Member.invitation': 'Invitation',
  'AgentSettings.disclosure': 'DisclosureExceptions',
  'AgentChanges.disclosure': 'DisclosureChanges',
  'NewProject.redial_policy': 'RedialPolicyChanges',
  'NewProject.call_policy': 'CallPolicyChanges',
  'NewProject.calling_hours': 'CallingHoursChanges',
  'OptOut.decision': 'OptOutDecisionTaken',
  'Webhook.signing_secrets': 'SigningSecret',
  'RecordedAttempt.response': 'ReceiverResponse',
  'TaskForecast.call': 'ForecastCall',
  'TaskForecast.line': 'ForecastLine',
  'TaskForecast.limits': 'ForecastLimits',
  'TaskForecast.questions': 'ForecastQuestion',
  'TaskForecast.facts': 'ForecastFact',
  'TaskForecast.estimate': 'ForecastEstimate',
  'TaskBatch.item_counts': 'BatchItemCounts',
  'TaskBatch.task_counts': 'BatchTaskCounts',
};

/** Schemas that have all members of another one, and what they add. */
export const extensions: Readonly<Record<string, string>> = {
  CreatedApiKey: 'ApiKey',
  RotatedApiKey: 'CreatedApiKey',
  TaskBatchProgress: 'TaskBatch',
  WebhookWithSecret: 'Webhook',
  DeliveryDetails: 'Delivery',
  DayUsage: 'UsageTotal',
  RecordedAttempt: 'Attempt',
};

/** @param purpose `New` for a single task, `Batch` for one of a batch */
const byTaskType = (purpose: string) => {
  const toTask = (kind: string): string => `#/components/schemas/${purpose}${kind}Task`;
  return {
    discriminator: {
      propertyName: 'task_type',
      mapping: {
        SCHEDULE_APPOINTMENT: toTask('ScheduleAppointment'),
        VERIFY_INSURANCE: toTask('VerifyInsurance'),
        REIMBURSEMENT: toTask('Reimbursement'),
        INSURANCE_REIMBURSEMENT: toTask('Reimbursement'),
        CUSTOM_TASK: toTask('Custom'),
      },
    },
  };
};

/** What the schema of a component cannot express. */
export const componentNotes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  NewTask: byTaskType('New'),
  BatchTask: byTaskType('Batch'),
  // Given to the agent beside the known members.
  ScheduleAppointmentData: { additionalProperties: true },
  VerifyInsuranceData: { additionalProperties: true },
  ReimbursementData: { additionalProperties: true },
  CustomTaskData: { additionalProperties: true },
};
