import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { commandAuditItem } from '#shared/admin/audit.ts';
import { erasureOrdered } from '#shared/audit/actions.ts';
import type { Call } from '#shared/domain/call.ts';
import { isKeyGone } from '#shared/encryption/project-key.ts';
import { orderProjectErasure } from '#shared/erasure/order-erasure.ts';
import type { Table } from '#shared/table/client.ts';
import { StoredDataKey } from '#shared/table/data-key.ts';
import { getProject, replaceProjectItem } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import type { LocalKeys } from '../../../infra/local/servers/kms-server.ts';
import { objectKeyError } from '../../../infra/local/servers/object-encryption.ts';
import { localKms } from '../../support/local-kms.ts';
import type { HttpReply } from '../cloud/http-origin.ts';
import { type ErasureHarness, staying } from './erasure-storm.ts';
import { canaries } from './project-clients.ts';

type Item = Readonly<Record<string, unknown>>;

const secrets = [canaries.firstName, canaries.lastName, canaries.dateOfBirth, canaries.diagnosis];
const stormMs = 6 * 3_600_000;

/**
 * A third storm: the project that was under a legal hold, and so still has its tasks, calls and recordings, is erased
 * as a whole. A copy from before, such as a backup, must then be unreadable.
 */
export class ProjectErasure {
  readonly #world: ErasureHarness;
  readonly #keys: LocalKeys;
  readonly #projectId: string;
  readonly #calls: readonly Call[];
  #copiedItems: readonly Item[] = [];
  readonly #copiedObjects: HttpReply[] = [];
  #isStorm = true;

  constructor(world: ErasureHarness, keys: LocalKeys) {
    this.#world = world;
    this.#keys = keys;
    this.#projectId = world.clients[1]?.project.project.id ?? '';
    this.#calls = [...world.ledger.calls.values()].filter(({ project_id }) => project_id === this.#projectId);
  }

  async begin(): Promise<void> {
    const { table, clock, faults } = this.#world;
    const projectId = this.#projectId;
    this.#copiedItems = await this.#itemsOfProject(table);
    for (const call of this.#calls) {
      if (call.recording.status === 'stored') this.#copiedObjects.push(await this.#recordingOf(call, 'GET'));
    }
    const held = await getProject(table, projectId, { consistently: true });
    if (held === null) throw new Error('there is no project');
    const released = { ...held, legal_hold: false, updated_at: clock.now.toISOString() };
    await writeTransaction(table, [replaceProjectItem(table, held, released)]);
    const now = clock.now;
    await orderProjectErasure(table, {
      projectId,
      now,
      alongside: (thing) => [commandAuditItem(table, projectId, erasureOrdered(thing), now)],
    });
    table.client.destroy();
    faults.start();
    clock.after(stormMs, () => {
      faults.stop();
      this.#isStorm = false;
    });
  }

  get isOver(): boolean {
    return !this.#isStorm && this.#world.ledger.erasures.get(this.#projectId)?.status === 'DONE';
  }

  reportWhatIsOpen(): void {
    const receipt = this.#world.ledger.erasures.get(this.#projectId);
    this.#world.report('54: every erasure comes to an end', `${receipt?.waiting_for}`, []);
  }

  async check(table: Table): Promise<void> {
    if (!this.isOver) return;
    const { report, carriers } = this.#world;
    for (const call of this.#calls) {
      const { status } = await this.#recordingOf(call, 'HEAD');
      if (status !== 404)
        report('54: recordings go with their project', `S3 answers ${status}`, [call.task_id]);
      if (carriers.some(({ calls }) => calls.has(call.carrier_call_sid ?? ''))) {
        report('54: the carrier forgets what is erased', 'it has not', [call.task_id]);
      }
    }
    for (const { type, expires_at_seconds: expires } of await this.#itemsOfProject(table)) {
      // Such as remembered responses, which are sealed; they expire by themselves.
      if (staying.includes(String(type)) || expires !== undefined) continue;
      report('54: nothing of a project is half erased', `${String(type)} is left`, []);
    }
    await this.#checkCopies();
  }

  /** With a copy of the data key, too, and with what KMS and S3 still do for its owner. */
  async #checkCopies(): Promise<void> {
    const { report } = this.#world;
    const stored = this.#copiedItems.find(({ sk }) => sk === 'DATAKEY');
    const isKeyOfUse = await localKms(this.#keys)
      .openDataKey(StoredDataKey.parse(stored))
      .then(
        () => true,
        (error: unknown) => !isKeyGone(error),
      );
    if (isKeyOfUse) report('55: the data key of a copy opens nothing', 'KMS decrypts it', []);
    for (const item of this.#copiedItems) {
      for (const [name, value] of Object.entries(item)) {
        const text = JSON.stringify(value);
        if (!secrets.some((word) => text.includes(word))) continue;
        report('55: a copy of the table says nothing', `${name} of a ${String(item.type)} is readable`, []);
      }
    }
    for (const { status, headers } of this.#copiedObjects) {
      if (status !== 200 || objectKeyError(headers, this.#keys) === null) {
        report('55: a copy of a recording says nothing', 'S3 would answer with it', []);
      }
    }
  }

  /** As stored. */
  async #itemsOfProject(table: Table): Promise<Item[]> {
    const items: Item[] = [];
    const scan = { TableName: table.name, ConsistentRead: true };
    for await (const { Items = [] } of paginateScan({ client: table.stored }, scan)) items.push(...Items);
    return items.filter(
      ({ pk, project_id }) => project_id === this.#projectId || String(pk).includes(this.#projectId),
    );
  }

  #recordingOf({ project_id, id }: Call, method: 'GET' | 'HEAD'): Promise<HttpReply> {
    const { queueServer, bucket } = this.#world;
    return queueServer.origin.ask(method, `/${bucket}/recordings/${project_id}/${id}.wav`, {}, '');
  }
}
