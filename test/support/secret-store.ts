import * as z from 'zod/mini';
import { respondJson, startTestServer } from './http-server.ts';

/** How Secrets Manager responds to a read: the secret, one of its errors, a broken connection, or nothing. */
type SecretResponse =
  | { readonly value: string }
  | { readonly error: string }
  | { readonly broken: string }
  | { readonly silent: true };

const Request = z.object({ SecretId: z.string() });

/** A Secrets Manager that can fail, and whose secrets change while it runs; it counts the reads of each. */
export interface SecretStore {
  readonly endpoint: string;
  /** Stores a secret as JSON. */
  put(name: string, content: Record<string, unknown>): void;
  set(name: string, answer: SecretResponse): void;
  /** Reads of the secret since the last call; a client's retries count. */
  readsOf(name: string): number;
  stop(): Promise<void>;
}

export async function startSecretStore(): Promise<SecretStore> {
  const answers = new Map<string, SecretResponse>();
  const reads = new Map<string, number>();
  const server = await startTestServer((request, response) => {
    const { SecretId: name } = Request.parse(JSON.parse(request.body));
    reads.set(name, (reads.get(name) ?? 0) + 1);
    const answer = answers.get(name) ?? { error: 'ResourceNotFoundException' };
    if ('value' in answer) respondJson(response, 200, { Name: name, SecretString: answer.value });
    else if ('error' in answer) respondJson(response, 400, { __type: answer.error, message: 'refused' });
    else if ('broken' in answer) response.writeHead(200).end(answer.broken);
  });
  return {
    endpoint: server.origin,
    put: (name, content) => {
      answers.set(name, { value: JSON.stringify(content) });
    },
    set: (name, answer) => {
      answers.set(name, answer);
    },
    readsOf(name) {
      const count = reads.get(name) ?? 0;
      reads.delete(name);
      return count;
    },
    stop: server.stop,
  };
}
