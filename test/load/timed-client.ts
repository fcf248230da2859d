import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

const Created = z.object({ id: z.string() });
const throttledPauseMs = 100;

/** A client that measures the response time of each endpoint. */
export class TimedClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  /** Milliseconds of each request, by method and path pattern. */
  readonly times = new Map<string, number[]>();
  /** Requests that were answered with 429 and repeated. */
  throttled = 0;

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  /** The identifier of the created thing. Waits and repeats when throttled. */
  async create(path: string, body: object, idempotencyKey: string): Promise<string> {
    for (;;) {
      const { status, text } = await this.#request('POST', path, path, JSON.stringify(body), idempotencyKey);
      if (status === 201) return Created.parse(JSON.parse(text)).id;
      if (status !== 429) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
      this.throttled += 1;
      await sleep(throttledPauseMs);
    }
  }

  /** @param pattern the path in the API's description, under which the time counts */
  async get(pattern: string, path: string): Promise<void> {
    const { status, text } = await this.#request('GET', pattern, path);
    if (status === 429) this.throttled += 1;
    else if (status !== 200) throw new Error(`GET ${pattern} was answered with ${status}: ${text}`);
  }

  async #request(method: string, pattern: string, path: string, body?: string, idempotencyKey?: string) {
    const startedAt = performance.now();
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#apiKey}`,
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    if (response.status !== 429) {
      const name = `${method} ${pattern}`;
      const times = this.times.get(name) ?? [];
      times.push(performance.now() - startedAt);
      this.times.set(name, times);
    }
    return { status: response.status, text };
  }
}
