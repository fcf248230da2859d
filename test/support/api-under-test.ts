import type { S3Client } from '@aws-sdk/client-s3';
import { createProject } from '#shared/projects/create-project.ts';
import type { Table } from '#shared/table/client.ts';
import { projectServices } from './project-services.ts';

/** A project as a client of the interface has it. */
export interface ApiClient {
  readonly projectId: string;
  readonly apiKey: string;
}

/** The `/v1` interface at some address, with the table behind it and two projects that know nothing of each other. */
export interface ApiUnderTest {
  readonly baseUrl: string;
  readonly table: Table;
  readonly mine: ApiClient;
  readonly other: ApiClient;
  /** Where `get-call-recording` expects the recordings. */
  readonly recordings: { readonly client: S3Client; readonly bucket: string };
  stop(): Promise<void>;
}

export async function newApiClient(table: Table): Promise<ApiClient> {
  const { project, apiKey } = await createProject(projectServices(table), {
    name: 'Test',
    carrier: 'sandbox',
    webhook: null,
  });
  return { projectId: project.id, apiKey };
}

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly apiKey?: string;
  /** Sent as it is when text or bytes, as JSON otherwise. */
  readonly body?: unknown;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they assert
  readonly json: any;
}

export async function send(baseUrl: string, request: ApiRequest): Promise<ApiReply> {
  const { method, path, headers = {}, apiKey, body } = request;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }), ...headers },
    ...(body === undefined ? {} : { body: toBody(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

/** What a client can tell two answers apart by: everything but the time and the request's own id. */
export function distinguishable(reply: ApiReply): unknown {
  const own = ['date', 'x-request-id', 'ratelimit'];
  return {
    status: reply.status,
    headers: [...reply.headers].filter(([name]) => !own.includes(name) && !name.startsWith('x-amz')),
    text: reply.text,
  };
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An invented patient with the required members only. */
export function patientBody(projectId: string): Record<string, unknown> {
  return {
    project_id: projectId,
    first_name: 'Ada',
    last_name: 'Example',
    phone_number: '+12025550142',
    date_of_birth: '1980-02-29',
  };
}

/** An invented task, to a number that is not in service so that no long call comes of it. */
export function taskBody(projectId: string, patientId: string): Record<string, unknown> {
  return {
    project_id: projectId,
    patient_id: patientId,
    task_type: 'CUSTOM_TASK',
    task: 'Ask for the opening hours of the practice.',
    phone_number: '+12025550113',
  };
}

/** One that is not called in the time of any test: a call costs a stack more than all that a test asks about it. */
export function laterTaskBody(projectId: string, patientId: string): Record<string, unknown> {
  return { ...taskBody(projectId, patientId), call_after: '2099-01-01T00:00:00Z' };
}

export async function createPatientIn({ baseUrl }: ApiUnderTest, client: ApiClient): Promise<string> {
  return created(baseUrl, '/v1/patient', client.apiKey, patientBody(client.projectId));
}

export async function createTaskIn(
  { baseUrl }: ApiUnderTest,
  client: ApiClient,
  patientId: string,
): Promise<string> {
  return created(baseUrl, '/v1/task', client.apiKey, laterTaskBody(client.projectId, patientId));
}

async function created(baseUrl: string, path: string, apiKey: string, body: unknown): Promise<string> {
  const reply = await send(baseUrl, { method: 'POST', path, apiKey, body });
  if (reply.status !== 201) throw new Error(`${path} was answered ${reply.status} ${reply.text}`);
  return String(reply.json.id);
}
