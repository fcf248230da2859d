import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

const Created = z.object({ id: z.string() });
const pauseMs = 250;
const requestLimitMs = 20_000;

/** A client that does not give up while the stack is down, and never does anything twice. */
export class PersistentClient {
  readonly #apiKey: string;
  readonly #baseUrl: () => string;
  #repeated = 0;

  /** @param baseUrl read for each request, because a restart may use another port */
  constructor(baseUrl: () => string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** How often requests that failed with the stack were repeated. */
  get repeated(): number {
    return this.#repeated;
  }

  /** The identifier of the created thing; repeats a request without a response under its key. */
  async create(path: string, body: object, idempotencyKey: string, signal: AbortSignal): Promise<string> {
    for (;;) {
      signal.throwIfAborted();
      const answer = await this.#request('POST', path, body, idempotencyKey);
      if (answer !== null && answer.status === 201) return Created.parse(answer.body).id;
      // 409: the first request with this key is still in progress.
      if (answer !== null && answer.status < 500 && answer.status !== 409) {
        throw new Error(`POST ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      this.#repeated += 1;
      await sleep(pauseMs);
    }
  }

  /** Null without a response. */
  get(path: string): Promise<{ status: number; body: unknown } | null> {
    return this.#request('GET', path);
  }

  /** The whole recording; follows redirects to the storage. */
  async download(path: string): Promise<Buffer> {
    const response = await fetch(`${this.#baseUrl()}${path}`, {
      headers: { Authorization: `Bearer ${this.#apiKey}` },
    });
    if (!response.ok) throw new Error(`answered with ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async #request(
    method: string,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<{ status: number; body: unknown } | null> {
    try {
      const response = await fetch(`${this.#baseUrl()}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.#apiKey}`,
          ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestLimitMs),
      });
      const answer: unknown = await response.json();
      return { status: response.status, body: answer };
    } catch {
      return null;
    }
  }
}
