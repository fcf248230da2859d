import * as z from 'zod/mini';
import type { CreatedProject } from '#shared/projects/create-project.ts';
import type { GatewayResponse, RestGateway } from '../cloud/rest-gateway.ts';
import type { Faults } from '../engine/faults.ts';
import type { SeededRandom } from '../engine/random.ts';
import type { VirtualClock } from '../engine/virtual-clock.ts';
import { ApiClient } from './api-client.ts';
import type { Journal } from './journal.ts';
import type { Report } from './rules.ts';

const Created = z.object({ id: z.string() });

const AcceptedBatch = z.object({ items: z.array(z.object({ id: z.nullable(z.string()) })) });

const TaskAnswer = z.object({
  id: z.string(),
  status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED']),
  task_outcome: z.nullable(z.string()),
  calls: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      call_outcome: z.nullable(z.string()),
      recording_url: z.nullable(z.string()),
      transcripts: z.optional(z.nullable(z.array(z.object({ role: z.string() })))),
    }),
  ),
});
export type TaskAnswer = z.infer<typeof TaskAnswer>;

const TaskPage = z.object({
  tasks: z.array(z.object({ id: z.string() })),
  next_cursor: z.nullable(z.string()),
});

/** Text that must never appear outside the table, the socket and the responses to its owner. */
export const canaries = {
  firstName: 'Canarina',
  lastName: 'Zeisigfeld',
  dateOfBirth: '1931-12-24',
  task: 'Ask for the opening hours of the practice, because of the psoriasis of the patient.',
  diagnosis: 'psoriasis',
} as const;

export interface ClientHarness {
  readonly gateway: RestGateway;
  readonly clock: VirtualClock;
  readonly random: SeededRandom;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly report: Report;
  readonly onTaskCreated: (taskId: string, phoneNumber: string) => void;
  /** Its task is created later. */
  readonly onTaskAccepted: (taskId: string) => void;
  readonly onCancelled: (taskId: string) => void;
}

/** One project's clients: they register patients, create tasks, read them, and cancel some. */
export class ProjectClients {
  readonly project: CreatedProject;
  readonly #world: ClientHarness;
  readonly #client: ApiClient;
  readonly #numbers: readonly string[];
  readonly patientIds: string[] = [];
  #patientId: string | null = null;
  #requests = 0;

  constructor(project: CreatedProject, numbers: readonly string[], harness: ClientHarness) {
    this.project = project;
    this.#numbers = numbers;
    this.#world = harness;
    this.#client = new ApiClient({
      ...harness,
      apiKey: project.apiKey,
      onAnswer: (_, answer) => this.#check(answer),
    });
  }

  get isIdle(): boolean {
    return this.#client.isIdle;
  }

  /** Creates a task, and first its patient if there is none yet. */
  createTask(): void {
    const patientId = this.#patientId;
    if (patientId === null || this.#world.random.chance(0.1)) {
      this.#registerPatient((id) => {
        this.#patientId = id;
        this.#createTaskFor(id);
      });
    } else this.#createTaskFor(patientId);
  }

  /** Reads a task as its owner does. */
  readTask(taskId: string, onTask: (task: TaskAnswer | null) => void): void {
    const path = `/v1/task/${taskId}?include_transcript=true&include_all_calls=true`;
    this.#client.ask({ method: 'GET', path }, (answer) => {
      if (answer === null) {
        onTask(null);
        return;
      }
      const task = answer.status === 200 ? TaskAnswer.safeParse(JSON.parse(answer.body)) : null;
      if (task?.success !== true) {
        this.#world.report('a task can be read', `GET was answered ${answer.status}`, [taskId]);
        onTask(null);
      } else onTask(task.data);
    });
  }

  /** @param onStatus the status of the response, or null without one */
  readRecording(callId: string, onStatus: (status: number | null) => void): void {
    this.#client.ask({ method: 'GET', path: `/v1/call/${callId}/recording` }, (answer) =>
      onStatus(answer?.status ?? null),
    );
  }

  /** Reads the whole list of the project's tasks, page by page. */
  listTasks(onIds: (ids: readonly string[] | null) => void): void {
    const ids: string[] = [];
    const readPage = (cursor: string | null): void => {
      const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      this.#client.ask({ method: 'GET', path: `/v1/task?limit=7${query}` }, (answer) => {
        const page = answer?.status === 200 ? TaskPage.safeParse(JSON.parse(answer.body)) : null;
        if (page?.success !== true) {
          this.#world.report('tasks can be listed', `GET was answered ${answer?.status}`, []);
          onIds(null);
          return;
        }
        ids.push(...page.data.tasks.map(({ id }) => id));
        if (page.data.next_cursor === null) onIds(ids);
        else readPage(page.data.next_cursor);
      });
    };
    readPage(null);
  }

  cancel(taskId: string): void {
    const { report, onCancelled } = this.#world;
    this.#client.ask(
      { method: 'POST', path: `/v1/task/${taskId}/cancel`, idempotencyKey: this.#newKey() },
      (answer) => {
        if (answer === null || answer.status === 409) return;
        if (answer.status === 200) onCancelled(taskId);
        else report('a task can be cancelled', `POST was answered ${answer.status}`, [taskId]);
      },
    );
  }

  /** Erases a patient. @param onStatus the status of the response, or null without one */
  erasePatient(patientId: string, onStatus: (status: number | null) => void): void {
    this.#client.ask({ method: 'DELETE', path: `/v1/patient/${patientId}` }, (answer) =>
      onStatus(answer?.status ?? null),
    );
  }

  #registerPatient(onId: (id: string) => void): void {
    const body = {
      project_id: this.project.project.id,
      first_name: canaries.firstName,
      last_name: canaries.lastName,
      phone_number: '+12025550142',
      date_of_birth: canaries.dateOfBirth,
    };
    const request = { method: 'POST', path: '/v1/patient', body, idempotencyKey: this.#newKey() };
    this.#client.ask(request, (answer) => {
      const id = this.#createdId(answer);
      if (id === null) return;
      this.patientIds.push(id);
      onId(id);
    });
  }

  /** Some tasks in one request, whose creation everything disturbs. */
  #createBatchFor(patientId: string): void {
    const { random, journal, report, onTaskAccepted } = this.#world;
    const tasks = Array.from({ length: 2 + random.below(4) }, () => ({
      ...this.#newTask(patientId),
      ...(random.chance(0.5) ? { idempotency_key: this.#newKey() } : {}),
    }));
    const request = {
      method: 'POST',
      path: '/v1/task/batch',
      body: { tasks },
      idempotencyKey: this.#newKey(),
    };
    this.#client.ask(request, (answer) => {
      if (answer === null) return;
      const accepted = answer.status === 202 ? AcceptedBatch.parse(JSON.parse(answer.body)).items : [];
      const ids = accepted.flatMap(({ id }) => id ?? []);
      if (ids.length !== tasks.length) {
        const detail = `${ids.length} of ${tasks.length}, answered ${answer.status} ${answer.body.slice(0, 300)}`;
        report('a valid batch is accepted as a whole', detail, []);
      }
      for (const id of ids) {
        journal.knowTask(id);
        onTaskAccepted(id);
      }
    });
  }

  #newTask(patientId: string) {
    return {
      project_id: this.project.project.id,
      patient_id: patientId,
      task_type: 'CUSTOM_TASK',
      task: canaries.task,
      phone_number: this.#world.random.pick(this.#numbers),
    };
  }

  #createTaskFor(patientId: string): void {
    if (this.#world.random.chance(0.1)) {
      this.#createBatchFor(patientId);
      return;
    }
    const { random, clock, journal, report, onTaskCreated } = this.#world;
    const body = this.#newTask(patientId);
    const phoneNumber = body.phone_number;
    const request = { method: 'POST', path: '/v1/task', body, idempotencyKey: this.#newKey() };
    this.#client.ask(request, (answer) => {
      const taskId = this.#createdId(answer);
      if (taskId === null) return;
      journal.knowTask(taskId);
      onTaskCreated(taskId, phoneNumber);
      this.#useTask(taskId);
      if (random.chance(0.1)) {
        clock.after(random.between(1, 3_600_000), () =>
          this.#client.ask(request, (second) => {
            const sameId = this.#createdId(second);
            if (sameId !== null && sameId !== taskId) {
              report('24: one task per idempotency key', 'a repeated request made a second task', [
                taskId,
                sameId,
              ]);
            }
          }),
        );
      }
      if (random.chance(0.05)) {
        clock.after(random.between(1, 600_000), () =>
          this.#client.ask({ ...request, body: { ...body, task: 'Something else.' } }, (other) => {
            if (other !== null && other.status !== 422) {
              report('24: a key stands for one request', `another one was answered ${other.status}`, [
                taskId,
              ]);
            }
          }),
        );
      }
    });
  }

  #useTask(taskId: string): void {
    const { random, clock } = this.#world;
    for (let reads = random.below(3); reads > 0; reads -= 1) {
      clock.after(random.between(10, 2_400_000), () => this.readTask(taskId, () => {}));
    }
    if (random.chance(0.12)) {
      const withinMs = random.pick([100, 5_000, 60_000, 1_200_000]);
      clock.after(random.between(1, withinMs), () => this.cancel(taskId));
    }
  }

  #createdId(answer: GatewayResponse | null): string | null {
    if (answer === null) return null;
    if (answer.status === 201) return Created.parse(JSON.parse(answer.body)).id;
    this.#world.report(
      'a valid request is accepted',
      `POST was answered ${answer.status} ${answer.body.slice(0, 100)}`,
      [],
    );
    return null;
  }

  #newKey(): string {
    this.#requests += 1;
    return `${this.project.project.id}-${this.#requests}`;
  }

  #check(answer: GatewayResponse): void {
    if (Buffer.byteLength(answer.body) > 6 * 1024 * 1024) {
      this.#world.report('26: answers stay below 6 MB', `${answer.body.length} characters`, []);
    }
  }
}
