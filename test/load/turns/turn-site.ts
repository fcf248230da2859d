import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { loadCarrierCredentials } from '#shared/carrier/credentials.ts';
import { Patient } from '#shared/domain/patient.ts';
import type { Project } from '#shared/domain/project.ts';
import { Task } from '#shared/domain/task.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { createCallItem } from '#shared/table/call.ts';
import { putPatientItem } from '#shared/table/patient.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { demoPatient, demoTasks } from '../../../infra/local/demo/scenario.ts';
import { openProjectServices } from '../../crash/evidence.ts';
import type { StackAddresses } from '../../crash/stack-process.ts';
import { sampleCall, samplePatient, sampleTask } from '../../support/sample-tasks.ts';
import { RelayCall } from './relay-call.ts';

export type ModelName = Extract<Project['agent']['language_model'], 'built-in' | 'language-model'>;

/** The services of a stack, with a project whose calls use one of the models. */
export interface TurnSite {
  /** A new call to this number, just answered. */
  openCall(): Promise<RelayCall>;
  close(): void;
}

/** Who is called; they suit the task. */
export const calledNumber = demoTasks[0]?.body.phone_number ?? '';

/**
 * Creates a project on a stack. Stores its calls as they are after the carrier has placed them, so that only the
 * voice agent works on them.
 */
export async function openTurnSite(addresses: StackAddresses, model: ModelName): Promise<TurnSite> {
  const { environment } = addresses;
  const services = openProjectServices(addresses);
  const { project } = await createProject(services, {
    name: 'Turns',
    carrier: 'sandbox',
    webhook: null,
    agent: { language_model: model },
  });
  const { table } = services;
  const patient = Patient.parse({ ...samplePatient(project), ...demoPatient });
  await writeTransaction(table, [putPatientItem(table, patient)]);
  const authToken = await authTokenOf(environment);
  return {
    async openCall() {
      const order = { ...sampleTask(project, { patient_id: patient.id }), ...demoTasks[0]?.body };
      const under_way = { status: 'IN_PROGRESS', next_attempt_at: null, next_attempt_reason: null };
      const callSid = `CA${randomBytes(16).toString('hex')}`;
      const call = sampleCall(Task.parse(order), { carrier_call_sid: callSid, submission: 'submitted' });
      const task = Task.parse({ ...order, ...under_way, current_call_id: call.id, attempts: 1 });
      await writeTransaction(table, [createTaskItem(table, task), createCallItem(table, call)]);
      const answered = { taskId: task.id, callId: call.id, callSid };
      return RelayCall.open(environment.RelayUrl ?? '', authToken, answered);
    },
    close: () => table.client.destroy(),
  };
}

async function authTokenOf(environment: StackAddresses['environment']): Promise<string> {
  const client = new SecretsManagerClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    endpoint: environment.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? '',
  });
  const { authTokens } = await loadCarrierCredentials(environment.SandboxCarrierSecretArn ?? '', { client });
  client.destroy();
  return authTokens[0] ?? '';
}
