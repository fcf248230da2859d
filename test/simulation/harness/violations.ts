import type { VirtualClock } from '../engine/virtual-clock.ts';
import type { Journal } from './journal.ts';
import { canaries } from './project-clients.ts';
import type { Report } from './rules.ts';

/** A promise of the service that a run has broken. */
export interface Violation {
  readonly invariant: string;
  readonly detail: string;
  readonly taskIds: readonly string[];
  readonly at: string;
  /** The last events of the task. */
  readonly history: readonly string[];
}

/** A run with this many violations ends. */
const most = 20;

/** A run's broken promises, each with the last events of its task. */
export class Violations {
  readonly list: Violation[] = [];
  readonly #clock: VirtualClock;
  readonly #journal: Journal;

  constructor(clock: VirtualClock, journal: Journal) {
    this.#clock = clock;
    this.#journal = journal;
  }

  get isFull(): boolean {
    return this.list.length >= most;
  }

  readonly report: Report = (invariant, detail, taskIds) => {
    if (this.isFull) return;
    this.#journal.note(taskIds, `VIOLATION ${invariant}: ${detail}`);
    const [taskId] = taskIds;
    this.list.push({
      invariant,
      detail,
      taskIds,
      at: this.#clock.now.toISOString(),
      history: taskId === undefined ? [] : [...this.#journal.lastOf(taskId)],
    });
  };

  /** Reports health information in a text that must not contain any. */
  checkForCanaries(text: string, where: string): void {
    const { firstName, lastName, dateOfBirth, diagnosis } = canaries;
    for (const word of [firstName, lastName, dateOfBirth, diagnosis, '+1202555']) {
      if (!text.includes(word)) continue;
      this.report('30: no health information outside', where, this.#journal.tasksIn(text));
    }
  }
}
