import type { FunctionManifest } from '#shared/triggers/manifest.ts';
import { manifest as admin } from '../functions/manifests/admin.ts';
import { manifest as auditKeeper } from '../functions/manifests/audit-keeper.ts';
import { manifest as callRunner } from '../functions/manifests/call-runner.ts';
import { manifest as callSweeper } from '../functions/manifests/call-sweeper.ts';
import { manifest as cancelTask } from '../functions/manifests/cancel-task.ts';
import { manifest as cancelTaskBatch } from '../functions/manifests/cancel-task-batch.ts';
import { manifest as carrierCallback } from '../functions/manifests/carrier-callback.ts';
import { manifest as createPatient } from '../functions/manifests/create-patient.ts';
import { manifest as createTask } from '../functions/manifests/create-task.ts';
import { manifest as createTaskBatch } from '../functions/manifests/create-task-batch.ts';
import { manifest as dashboard } from '../functions/manifests/dashboard.ts';
import { manifest as dataEraser } from '../functions/manifests/data-eraser.ts';
import { manifest as deletePatient } from '../functions/manifests/delete-patient.ts';
import { manifest as deleteTask } from '../functions/manifests/delete-task.ts';
import { manifest as getCallRecording } from '../functions/manifests/get-call-recording.ts';
import { manifest as getErasure } from '../functions/manifests/get-erasure.ts';
import { manifest as getPatient } from '../functions/manifests/get-patient.ts';
import { manifest as getTask } from '../functions/manifests/get-task.ts';
import { manifest as getTaskBatch } from '../functions/manifests/get-task-batch.ts';
import { manifest as listPatients } from '../functions/manifests/list-patients.ts';
import { manifest as listTasks } from '../functions/manifests/list-tasks.ts';
import { manifest as conversationWatch } from '../functions/manifests/no-input-timer.ts';
import { manifest as openApi } from '../functions/manifests/open-api.ts';
import { manifest as recordingKeeper } from '../functions/manifests/recording-ingest.ts';
import { manifest as sandboxPhoneApi } from '../functions/manifests/sandbox-phone-api.ts';
import { manifest as sandboxPhoneLine } from '../functions/manifests/sandbox-phone-line.ts';
import { manifest as updatePatient } from '../functions/manifests/update-patient.ts';
import { manifest as voiceAgent } from '../functions/manifests/voice-agent.ts';
import { manifest as webhookDelivery } from '../functions/manifests/webhook-delivery.ts';
import { manifest as webhookFanout } from '../functions/manifests/webhook-fanout.ts';

/**
 * Every function of the service: first those that answer requests, in the order of the OpenAPI document, then those
 * that carry out a task, from its first call to its webhooks.
 */
export const manifests: readonly FunctionManifest[] = [
  createPatient,
  listPatients,
  getPatient,
  updatePatient,
  deletePatient,
  createTask,
  listTasks,
  getTask,
  cancelTask,
  deleteTask,
  createTaskBatch,
  getTaskBatch,
  cancelTaskBatch,
  getCallRecording,
  getErasure,
  openApi,
  carrierCallback,
  sandboxPhoneApi,
  admin,
  dashboard,
  callRunner,
  recordingKeeper,
  dataEraser,
  callSweeper,
  voiceAgent,
  conversationWatch,
  webhookFanout,
  webhookDelivery,
  auditKeeper,
  sandboxPhoneLine,
];
