import type { Addresses } from '#shared/domain/addresses.ts';

interface ClientAddresses extends Addresses {
  readonly taskBatch: (batchId: string) => string;
}

/** URLs for clients, whose key implies the project. */
export function clientAddresses(publicBaseUrl: string): ClientAddresses {
  const base = `${publicBaseUrl}/v1`;
  return {
    patients: `${base}/patient`,
    tasks: `${base}/task`,
    task: (taskId) => `${base}/task/${taskId}`,
    taskBatch: (batchId) => `${base}/task/batch/${batchId}`,
    recording: (callId) => `${base}/call/${callId}/recording`,
  };
}

/** URLs of the management API, for people, who may have many projects. */
export function managementAddresses(publicBaseUrl: string, projectId: string): Addresses {
  const base = `${publicBaseUrl}/admin/projects/${projectId}`;
  return {
    patients: `${base}/patients`,
    tasks: `${base}/tasks`,
    task: (taskId) => `${base}/tasks/${taskId}`,
    recording: (callId) => `${base}/calls/${callId}/recording`,
  };
}
