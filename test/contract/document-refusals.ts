import { expect } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { DocumentCaller, type Ids, isForClients } from './document-caller.ts';
import type { Answer, ListedOperation } from './open-api-walk.ts';

/** Provokes refusals that the document lists, and counts them. */
export class DocumentRefusals {
  readonly caller: DocumentCaller;
  /** A project and a webhook of the signed-in owner. */
  readonly projectId: string;
  readonly webhookId: string;
  readonly #seen = new Set<string>();

  private constructor(caller: DocumentCaller, projectId: string, webhookId: string) {
    this.caller = caller;
    this.projectId = projectId;
    this.webhookId = webhookId;
  }

  static async start(): Promise<DocumentRefusals> {
    const caller = await DocumentCaller.start();
    const projectId = String((await caller.succeed('createProject', {})).id);
    const webhook = await caller.succeed('createWebhook', { project_id: projectId });
    return new DocumentRefusals(caller, projectId, String(webhook.id));
  }

  /** Operations documented to respond with this status. */
  documenting(status: number): ListedOperation[] {
    return this.caller.reader.operations.filter(
      (operation) => this.caller.reader.details(operation, status) !== null,
    );
  }

  expect(operation: ListedOperation, answer: Answer, status: number): void {
    const { reader } = this.caller;
    expect(answer.status, `${operation.name} ${answer.text}`).toBe(status);
    expect(reader.problems(operation, answer), operation.name).toEqual([]);
    const details = reader.details(operation, status)?.map(withoutIds);
    expect(details, operation.name).toContain(withoutIds(JSON.parse(answer.text).detail));
    this.#seen.add(`${operation.operationId} ${status}`);
  }

  /** Identifiers in the right format, of which only the project and the webhook exist. */
  wellFormedIds(): Ids {
    const names = ['patient_id', 'task_id', 'batch_id', 'call_id', 'api_key_id', 'erasure_id'];
    return {
      ...Object.fromEntries(names.map((name) => [name, uuidv7()])),
      delivery_id: `msg_${'0'.repeat(32)}`,
      email: 'nobody@example.com',
      phone_number: '+12025550155',
      project_id: this.projectId,
      webhook_id: this.webhookId,
    };
  }

  /** Fails unless every documented refusal with these statuses that can be provoked was seen. */
  expectComplete(isOurs: (status: number) => boolean): void {
    const { reader } = this.caller;
    const documented = reader.operations.flatMap((operation) =>
      reader
        .statuses(operation)
        .filter((status) => isOurs(status) && this.#canBeBroughtAbout(operation, status))
        .map((status) => `${operation.operationId} ${status}`),
    );
    expect([...this.#seen].sort()).toEqual(documented.sort());
  }

  #canBeBroughtAbout(operation: ListedOperation, status: number): boolean {
    // An error of ours, and what the gateway refuses for all clients together, which would delay every other test.
    if (status === 500) return false;
    if (status === 429) return isForClients(operation);
    // Needs two simultaneous requests about one thing, or one about something still being created.
    const details = this.caller.reader.details(operation, 409);
    return status !== 409 || details?.some((detail) => !momentary.test(detail)) === true;
  }
}

const momentary = /^Another request|; reload it$|try again in a minute$|export is not ready$/;

/** Sentences that name an existing thing name a different one each time. */
function withoutIds(detail: string): string {
  return detail.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID');
}
