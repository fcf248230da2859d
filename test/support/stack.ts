import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import type { Role } from '#shared/domain/person.ts';
import type { RedialPolicy } from '#shared/domain/project.ts';
import type { TaskType } from '#shared/domain/task-type.ts';
import { dataKeyOpener, openProjectKeyMaker } from '#shared/encryption/kms-data-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { createProject, type NewProject, type ProjectServices } from '#shared/projects/create-project.ts';
import { openTable, type Table } from '#shared/table/client.ts';
import { openWebhookNetwork } from '#shared/webhooks/address.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../infra/local/demo/webhook-receiver.ts';
import { signInAs } from '../../infra/local/identity/sign-in-as.ts';
import { kmsClient } from './embedded-secrets.ts';

/** The running local stack as a test sees it; only for files named `*.stack.test.ts`. */
export function stack() {
  return inject('stack');
}

export function stackTable(): Table {
  const { endpoints, outputs } = stack();
  const client = new DynamoDBClient({
    endpoint: endpoints.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return openTable(String(outputs.TableName), client, dataKeyOpener(kmsClient(endpoints.kms)));
}

function stackProjectServices(): ProjectServices {
  const { endpoints, outputs } = stack();
  return {
    table: stackTable(),
    secrets: openKmsEnvelope(String(outputs.SecretsKeyId), kmsClient(endpoints.kms)),
    keys: openProjectKeyMaker(String(outputs.TableName), kmsClient(endpoints.kms)),
    network: openWebhookNetwork('allowed'),
  };
}

/** A token of one of the invented people of the stack's identity provider. */
export function signInAtStack(role: Role): Promise<string> {
  const { SignInIssuer, SignInClientId } = stack().outputs;
  return signInAs(role, { issuer: String(SignInIssuer), clientId: String(SignInClientId) });
}

/** One tick of the sweeper's schedule, now. */
export function sweep(): Promise<unknown> {
  return invoke('call-sweeper', { time: new Date().toISOString() });
}

/** Invokes a function of the stack now, as its trigger would. */
async function invoke(functionName: string, event: object): Promise<unknown> {
  const response = await fetch(`${stack().controlUrl}/${functionName}`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** A project of the test's own, with a key, and with a webhook receiver whose signatures are checked. */
export interface TestClient {
  readonly projectId: string;
  readonly apiKey: string;
  readonly receiver: WebhookReceiver;
  request(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
  stop(): Promise<void>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they assert
  readonly body: any;
}

export async function newTestClient(
  options: {
    name?: string;
    enabledTaskTypes?: TaskType[];
    redialPolicy?: Partial<RedialPolicy>;
    callPolicy?: NewProject['callPolicy'];
    members?: NewProject['members'];
  } = {},
): Promise<TestClient> {
  let secret = '';
  const receiver = await startWebhookReceiver(() => secret);
  const created = await createProject(stackProjectServices(), {
    name: options.name ?? 'Test',
    carrier: 'sandbox',
    webhook: { url: receiver.url, events: ['task.completed', 'call.completed'] },
    ...(options.enabledTaskTypes === undefined ? {} : { enabledTaskTypes: options.enabledTaskTypes }),
    ...(options.members === undefined ? {} : { members: options.members }),
    ...(options.redialPolicy === undefined ? {} : { redialPolicy: options.redialPolicy }),
    ...(options.callPolicy === undefined ? {} : { callPolicy: options.callPolicy }),
  });
  secret = created.webhook?.signingSecret ?? '';
  const { apiKey, project } = created;
  return {
    projectId: project.id,
    apiKey,
    receiver,
    stop: () => receiver.stop(),
    request: (method, path, body, headers) => request(apiKey, method, path, body, headers),
  };
}

async function request(
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const response = await fetch(`${stack().baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** A tenth of the wait so far: each look costs the stack a request or more. */
const pauseAfterMs = (waitedMs: number): number => Math.max(50, waitedMs / 10);
/** For what is soon over. */
export const withoutPause = (): number => 20;

/** Waits until `probe` gives something, looking again and again; a generous limit ends a hang with `what`. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | null | undefined>,
  patienceMs = 90_000,
  pauseMs: (waitedMs: number) => number = pauseAfterMs,
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined) return found;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > patienceMs) throw new Error(`waited ${patienceMs / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs(waitedMs)));
  }
}
