import { type DirectoryEntry, operatorDirectory } from '#shared/domain/directory-entry.ts';
import type { Table } from '#shared/table/client.ts';
import { putDirectoryEntryItem } from '#shared/table/directory.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { SeededRandom } from '../engine/random.ts';

/** The number that all tasks call in a run with one shared line. */
export const sharedNumber = '+12025550150';

/** How many concurrent calls the lines of the world take. */
export class SimulatedDirectory {
  readonly #limits = new Map<string, number>();

  /** Concurrent calls, of all projects or of one. */
  limitOf(owner: string, phoneNumber: string): number {
    const all = this.#limits.get(`${operatorDirectory} ${phoneNumber}`) ?? 1;
    return Math.min(all, this.#limits.get(`${owner} ${phoneNumber}`) ?? all);
  }

  /** Some numbers are lines that many people answer; projects limit themselves on some of them. */
  async fill(
    table: Table,
    projectIds: readonly string[],
    numbers: readonly string[],
    random: SeededRandom,
    now: Date,
  ): Promise<void> {
    for (const number of numbers) {
      if (random.chance(0.5)) continue;
      await this.add(table, operatorDirectory, number, random.pick([1, 2, 3, 5]), now);
      if (random.chance(0.7)) continue;
      await this.add(table, random.pick(projectIds), number, 1, now);
    }
  }

  async add(table: Table, owner: string, phoneNumber: string, calls: number, now: Date): Promise<void> {
    const entry: DirectoryEntry = {
      project_id: owner === operatorDirectory ? null : owner,
      phone_number: phoneNumber,
      last_phone_number: null,
      name: 'Example Health',
      kind: 'payer',
      hours: null,
      max_hold_minutes: null,
      max_call_minutes: null,
      concurrent_calls: calls,
      updated_by: 'simulation',
      updated_at: now.toISOString(),
    };
    await writeTransaction(table, [putDirectoryEntryItem(table, null, entry)]);
    this.#limits.set(`${owner} ${phoneNumber}`, calls);
  }
}
