import * as z from 'zod/mini';
import { isTerminalTaskStatus, TaskStatus } from '#shared/domain/task.ts';

const TaskView = z.object({ status: TaskStatus, task_outcome: z.nullable(z.string()) });

const order: Record<TaskStatus, number> = {
  PENDING: 0,
  IN_PROGRESS: 1,
  COMPLETED: 2,
  FAILED: 2,
  CANCELLED: 2,
};

interface Sight {
  readonly status: TaskStatus;
  readonly outcome: string | null;
}

/** Remembers what a client sees of tasks, across restarts, and notices what a client must never see. */
export class TaskWatch {
  readonly #last = new Map<string, Sight | null>();
  readonly #problems: string[] = [];

  add(taskId: string): void {
    if (!this.#last.has(taskId)) this.#last.set(taskId, null);
  }

  get taskIds(): string[] {
    return [...this.#last.keys()];
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get ended(): number {
    return [...this.#last.values()].filter((sight) => sight !== null && isTerminalTaskStatus(sight.status))
      .length;
  }

  /** The newest response to `GET /v1/task/{id}` for this task. */
  see(taskId: string, httpStatus: number, body: unknown): void {
    // A response at the moment when the stack's servers are killed says nothing about the task.
    if (httpStatus >= 500) return;
    const view = TaskView.safeParse(body);
    if (httpStatus !== 200 || !view.success) {
      this.#problems.push(`task ${taskId} was answered with ${httpStatus} after it had been created`);
      return;
    }
    const { status, task_outcome: outcome } = view.data;
    const last = this.#last.get(taskId) ?? null;
    if (last !== null) this.#compare(taskId, last, { status, outcome });
    this.#last.set(taskId, { status, outcome });
  }

  #compare(taskId: string, before: Sight, now: Sight): void {
    if (order[now.status] < order[before.status]) {
      this.#problems.push(`task ${taskId} went back from ${before.status} to ${now.status}`);
    }
    if (!isTerminalTaskStatus(before.status)) return;
    if (now.status !== before.status || now.outcome !== before.outcome) {
      this.#problems.push(`task ${taskId} changed after it had ended ${before.status}: now ${now.status}`);
    }
  }
}
