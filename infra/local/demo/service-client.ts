import * as z from 'zod/mini';

/** The service through its public REST API only. */

const Created = z.object({ id: z.string() });

const CallView = z.object({
  id: z.string(),
  status: z.string(),
  call_outcome: z.nullable(z.string()),
  recording_url: z.nullable(z.string()),
  transcripts: z.optional(z.array(z.object({ role: z.string(), content: z.string() }))),
});
export type CallView = z.infer<typeof CallView>;

const TaskView = z.object({
  id: z.string(),
  status: z.string(),
  task_outcome: z.nullable(z.string()),
  /** When and why a further call is due, in words. */
  next_attempt_reason: z.nullable(z.string()),
  calls: z.array(CallView),
});
export type TaskView = z.infer<typeof TaskView>;

export class ServiceClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;

  constructor(baseUrl: string, apiKey: string) {
    this.#baseUrl = baseUrl;
    this.#apiKey = apiKey;
  }

  async createPatient(body: object): Promise<string> {
    return Created.parse(await this.#json('POST', '/v1/patient', body)).id;
  }

  async createTask(body: object): Promise<string> {
    return Created.parse(await this.#json('POST', '/v1/task', body)).id;
  }

  async getTask(taskId: string): Promise<TaskView> {
    return TaskView.parse(
      await this.#json('GET', `/v1/task/${taskId}?include_transcript=true&include_result=true`),
    );
  }

  /** Follows the redirect to storage; `fetch` drops our credentials when the origin changes. */
  async downloadRecording(url: string): Promise<Buffer> {
    const response = await fetch(url, { headers: this.#headers() });
    if (!response.ok) throw new Error(`GET ${url} answered ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  }

  async #json(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: { ...this.#headers(), 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#apiKey}` };
  }
}
