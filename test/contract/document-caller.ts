import { expect } from 'vitest';
import { issueApiKey } from '#shared/api-keys/new-api-key.ts';
import type { Scope } from '#shared/domain/api-key.ts';
import { createApiKeyItems } from '#shared/table/api-key.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startTestServer, type TestServer } from '../support/http-server.ts';
import {
  eventually,
  newTestClient,
  signInAtStack,
  stack,
  stackTable,
  type TestClient,
} from '../support/stack.ts';
import { type Answer, DocumentReader, type ListedOperation } from './open-api-walk.ts';

/** Identifiers by path parameter, from earlier responses. */
export type Ids = Record<string, string>;

interface Asking {
  readonly body?: unknown;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The API key or token; null for none; by default the client's or the owner's. */
  readonly credential?: string | null;
}

export const isForClients = ({ security }: ListedOperation): boolean =>
  security.some((scheme) => 'apiKey' in scheme);

/** Calls operations of the running stack as its own documents describe them. */
export class DocumentCaller {
  readonly client: TestClient;
  readonly reader: DocumentReader;
  /** Operations that have succeeded. */
  readonly walked = new Set<string>();
  private readonly token: string;
  /** Accepts every webhook. */
  private readonly endpoint: TestServer;

  private constructor(client: TestClient, reader: DocumentReader, token: string, endpoint: TestServer) {
    this.client = client;
    this.reader = reader;
    this.token = token;
    this.endpoint = endpoint;
  }

  static async start(): Promise<DocumentCaller> {
    const read = async (path: string) => (await fetch(`${stack().baseUrl}${path}`)).json();
    const client = await newTestClient();
    const endpoint = await startTestServer((_, response) => {
      response.writeHead(204).end();
    });
    const reader = new DocumentReader({
      clients: await read('/openapi.json'),
      people: await read('/admin/openapi.json'),
    });
    return new DocumentCaller(client, reader, await signInAtStack('owner'), endpoint);
  }

  async stop(): Promise<void> {
    await this.client.stop();
    await this.endpoint.stop();
  }

  /** A key of the client's project, limited to these scopes. */
  async limitedKey(scopes: Scope[]): Promise<string> {
    const options = { name: 'Limited', expiresAt: null, createdBy: null, scopes };
    const project = { id: this.client.projectId, carrier: 'sandbox' } as const;
    const { key, apiKey } = issueApiKey(project, options, new Date());
    await writeTransaction(stackTable(), createApiKeyItems(stackTable(), apiKey));
    return key;
  }

  async ask(
    operation: ListedOperation,
    ids: Ids,
    {
      body,
      query = '',
      headers = {},
      credential = isForClients(operation) ? this.client.apiKey : this.token,
    }: Asking = {},
  ): Promise<Answer> {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(ids[name] ?? `no-${name}`),
    );
    const isProtected = operation.security.length > 0;
    const response = await fetch(`${stack().baseUrl}${path}${query}`, {
      method: operation.method,
      redirect: 'manual',
      headers: {
        ...headers,
        ...(isProtected && credential !== null ? { Authorization: `Bearer ${credential}` } : {}),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /**
   * The document's example, with these identifiers and a listening endpoint.
   *
   * @param ids with `call_after` for tasks whose call no test waits for: it would take seconds
   */
  bodyOf(operation: ListedOperation, ids: Ids): Record<string, unknown> | undefined {
    const example = this.reader.exampleBody(operation);
    return example === null ? undefined : this.withIds(example, ids);
  }

  private withIds(example: object, ids: Ids): Record<string, unknown> {
    return {
      ...example,
      ...('project_id' in example ? { project_id: ids.project_id } : {}),
      ...('patient_id' in example ? { patient_id: ids.patient_id } : {}),
      ...('task_type' in example && ids.call_after !== undefined ? { call_after: ids.call_after } : {}),
      ...('url' in example ? { url: `${this.endpoint.origin}/webhooks` } : {}),
      ...('tasks' in example && Array.isArray(example.tasks)
        ? { tasks: example.tasks.map((task: object) => this.withIds(task, ids)) }
        : {}),
    };
  }

  async succeed(operationId: string, ids: Ids): Promise<Record<string, unknown>> {
    const operation = this.named(operationId);
    const answer = await this.ask(operation, ids, { body: this.bodyOf(operation, ids) });
    expect(answer.status, `${operation.name} ${answer.text.slice(0, 300)}`).toBe(
      this.reader.successStatus(operation),
    );
    expect(this.reader.problems(operation, answer), operation.name).toEqual([]);
    this.walked.add(operationId);
    return answer.text.startsWith('{') ? JSON.parse(answer.text) : {};
  }

  named(operationId: string): ListedOperation {
    const operation = this.reader.operations.find((listed) => listed.operationId === operationId);
    if (operation === undefined) throw new Error(`the document has no ${operationId}`);
    return operation;
  }

  /** Registers a patient and completes a call for them; returns all identifiers. */
  async completeTask(names: { patient: string; task: string; read: string }, ids: Ids): Promise<Ids> {
    const patient = await this.succeed(names.patient, ids);
    const own = { ...ids, patient_id: String(patient.id) };
    const created = await this.succeed(names.task, own);
    const withTask = { ...own, task_id: String(created.id) };
    const calls = await eventually('the task to be completed', async () => {
      const task = await this.succeed(names.read, withTask);
      return task.status === 'COMPLETED' && Array.isArray(task.calls) ? task.calls : null;
    });
    return { ...withTask, call_id: String(calls[0]?.id) };
  }
}
