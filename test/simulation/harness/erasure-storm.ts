import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Call } from '#shared/domain/call.ts';
import type { Project } from '#shared/domain/project.ts';
import { patientExportKey } from '#shared/patient-exports/export-store.ts';
import { orderPatientExport } from '#shared/patient-exports/order-export.ts';
import type { Table } from '#shared/table/client.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { retentionItems } from '#shared/table/retention.ts';
import { nothingAlongside, writeTransaction } from '#shared/table/transaction.ts';
import type { SimulatedCarrier } from '../carrier/simulated-carrier.ts';
import type { QueueServer } from '../cloud/embedded-servers.ts';
import type { Ledger } from './ledger.ts';
import type { ProjectClients } from './project-clients.ts';
import type { Report } from './rules.ts';
import type { Weather } from './storm.ts';

export interface ErasureHarness extends Weather {
  readonly table: Table;
  readonly clients: readonly ProjectClients[];
  readonly ledger: Ledger;
  readonly carriers: readonly SimulatedCarrier[];
  readonly queueServer: QueueServer;
  readonly report: Report;
  readonly bucket: string;
}

const hourMs = 3_600_000;
const stormMs = 30 * hourMs;

/** Of an item that is no longer about anyone. */
export const staying = [
  'audit-entry',
  'audit-block',
  'audit-chain-head',
  'patient-access',
  'erasure',
  'visit',
];

/**
 * A second storm, once all calls are over: the first project's clients erase their patients, some of whom are exported
 * meanwhile; the second is under a legal hold, with expired retention; the third's retention expires in the storm.
 */
export class ErasureStorm {
  readonly #world: ErasureHarness;
  readonly #calls: readonly Call[];
  #answers = 0;
  #isStorm = true;

  constructor(harness: ErasureHarness) {
    this.#world = harness;
    this.#calls = [...harness.ledger.calls.values()];
  }

  async begin(): Promise<void> {
    const { clients, clock, faults, random: root, table, report } = this.#world;
    const random = root.fork('erasures');
    const [erasing, held, forgetting] = clients;
    if (erasing === undefined || held === undefined || forgetting === undefined) return;
    const days = { task_retention_days: 1, patient_retention_days: 1 };
    await this.#change(held, { ...days, legal_hold: true });
    await this.#change(forgetting, days);
    for (const patientId of erasing.patientIds) {
      if (random.chance(0.5)) await this.#order(erasing, patientId);
      clock.after(random.between(1, random.pick([2_000, 600_000])), () =>
        erasing.erasePatient(patientId, (status) => {
          this.#answers += 1;
          if (status !== 202) report('54: a patient can be erased', `DELETE was answered ${status}`, []);
        }),
      );
    }
    for (const patientId of held.patientIds) {
      await this.#order(held, patientId);
      held.erasePatient(patientId, (status) => {
        this.#answers += 1;
        if (status !== 409) report('54: what is on hold stays', `DELETE was answered ${status}`, []);
      });
    }
    table.client.destroy();
    faults.start();
    clock.after(stormMs, () => {
      faults.stop();
      this.#isStorm = false;
    });
  }

  async #change({ project: { project } }: ProjectClients, changes: Partial<Project>): Promise<void> {
    const { table, clock } = this.#world;
    const previous = await getProject(table, project.id, { consistently: true });
    if (previous === null) throw new Error('there is no project');
    const next = { ...previous, ...changes, updated_at: clock.now.toISOString() };
    const dueAt = new Date(clock.nowMs + 26 * hourMs);
    await writeTransaction(table, [
      replaceProjectItem(table, previous, next),
      ...retentionItems(table, next, dueAt),
    ]);
  }

  async #order({ project: { project } }: ProjectClients, patientId: string): Promise<void> {
    const { table, clock } = this.#world;
    const now = clock.now;
    const order = { projectId: project.id, patientId, now, alongside: nothingAlongside };
    await orderPatientExport(table, order);
  }

  get isOver(): boolean {
    const { clients, ledger } = this.#world;
    const [erasing, held] = clients;
    const asked = (erasing?.patientIds.length ?? 0) + (held?.patientIds.length ?? 0);
    return (
      !this.#isStorm &&
      this.#answers === asked &&
      [...ledger.erasures.values()].every(({ status }) => status === 'DONE') &&
      this.#left.length === 0
    );
  }

  /** Tasks that should be erased, but are not. */
  get #left() {
    const { clients, ledger } = this.#world;
    const held = clients[1]?.project.project.id;
    return [...ledger.tasks.values()].filter(({ project_id }) => project_id !== held);
  }

  reportWhatIsOpen(): void {
    const { ledger, report } = this.#world;
    for (const { id } of this.#left) report('54: what is to be erased is erased', 'it is there', [id]);
    for (const { status, waiting_for } of ledger.erasures.values()) {
      if (status !== 'DONE') report('54: every erasure comes to an end', `${waiting_for}`, []);
    }
  }

  /** Nothing is half erased, here and at the carriers, and what is on hold is complete. */
  async check(table: Table): Promise<void> {
    if (!this.isOver) return;
    await this.#checkTable(table);
    const { clients, report, carriers, ledger } = this.#world;
    const held = clients[1]?.project.project.id;
    for (const call of this.#calls) {
      const isHeld = call.project_id === held;
      const taskIds = [call.task_id];
      if (isHeld !== ledger.calls.has(call.id)) report('54: what is on hold stays', 'a call', taskIds);
      const isStored = (await this.#statusOf(`recordings/${call.project_id}/${call.id}.wav`)) === 200;
      if (isStored !== (isHeld && call.recording.status === 'stored')) {
        report('54: recordings go with their calls, or stay', `stored: ${isStored}`, taskIds);
      }
      const isAtCarrier = carriers.some(({ calls }) => calls.has(call.carrier_call_sid ?? ''));
      if (isAtCarrier && !isHeld) report('54: the carrier forgets what is erased', 'it has not', taskIds);
    }
    for (const { project, patientIds } of clients) {
      for (const patientId of patientIds) {
        const status = await this.#statusOf(patientExportKey(project.project.id, patientId));
        if (status !== 404) report('54: no export outlives its time', `S3 answers ${status}`, []);
      }
    }
  }

  /** Of what was erased, the table only knows that it was. */
  async #checkTable(table: Table): Promise<void> {
    const { clients, clock, report } = this.#world;
    const gone = new Set([
      ...(clients[0]?.patientIds ?? []),
      ...this.#calls.flatMap(({ id, task_id, project_id }) =>
        project_id === clients[1]?.project.project.id ? [] : [id, task_id],
      ),
    ]);
    let startKey: Record<string, unknown> | undefined;
    do {
      const page = await table.client.send(
        new ScanCommand({ TableName: table.name, ExclusiveStartKey: startKey }),
      );
      for (const item of page.Items ?? []) {
        // The embedded server never expires items by itself.
        const { expires_at_seconds: expires = Number.POSITIVE_INFINITY } = item;
        if (staying.includes(String(item.type)) || Number(expires) * 1000 <= clock.nowMs) continue;
        if ([...gone].some((id) => String(item.pk).includes(id))) {
          report('54: nothing is half erased', `${String(item.type)} is left`, []);
        }
      }
      startKey = page.LastEvaluatedKey;
    } while (startKey !== undefined);
  }

  async #statusOf(key: string): Promise<number> {
    const { queueServer, bucket } = this.#world;
    return (await queueServer.origin.ask('HEAD', `/${bucket}/${key}`, {}, '')).status;
  }
}
