import * as z from 'zod/mini';
import type { Call } from '#shared/domain/call.ts';
import { Erasure } from '#shared/domain/erasure.ts';
import { OptOut } from '#shared/domain/opt-out.ts';
import { Task } from '#shared/domain/task.ts';
import { WebhookDelivery } from '#shared/domain/webhook.ts';
import { streamHasMs } from '#shared/sweeping/announce-missed.ts';
import { callsFromItems } from '#shared/table/call.ts';
import { dueShardCount, endedPartition } from '#shared/table/indexes.ts';
import type { TableChange } from '../cloud/table-watch.ts';
import type { Journal } from './journal.ts';
import { WordsOfOurs } from './words-of-ours.ts';

/** What the ledger tells those that check the rules. */
export interface LedgerRules {
  onTask(before: Task | null, after: Task): void;
  onCall(before: Call | null, after: Call): void;
  onErasure(before: Erasure | null, after: Erasure): void;
  /** A turn of the call's conversation was stored. */
  onTurn(callId: string): void;
}

/** The tasks, calls, opt-outs and webhook deliveries in the table, updated with every write. */
export class Ledger {
  readonly tasks = new Map<string, Task>();
  readonly calls = new Map<string, Call>();
  readonly deliveries = new Map<string, WebhookDelivery>();
  /** When a project's number was opted out, by both. */
  readonly optOuts = new Map<string, OptOut>();
  readonly wordsOfOurs = new WordsOfOurs();
  readonly erasures = new Map<string, Erasure>();
  /** Stored calls and their recordings, by identifier and sort key. */
  readonly #callItems = new Map<string, Map<string, Record<string, unknown>>>();
  /** When other things are due, by key. */
  readonly #due = new Map<string, string>();
  /** When tasks and calls ended that the sweeper has not checked yet, by identifier. */
  readonly #ended = new Map<string, { readonly shard: number; readonly endedAt: string }>();
  readonly #journal: Journal;
  readonly #rules: LedgerRules;

  constructor(journal: Journal, rules: LedgerRules) {
    this.#journal = journal;
    this.#rules = rules;
  }

  apply({ before, after }: TableChange): void {
    this.#noteEnd({ before, after });
    switch ((after ?? before)?.type) {
      case 'task':
        if (after !== null) this.#applyTask(Task.parse(after));
        else if (before !== null) this.tasks.delete(String(before.id));
        return;
      case 'call':
      case 'recording':
        this.#applyCallItem({ before, after });
        return;
      case 'opt-out':
        if (after !== null) {
          const optOut = OptOut.parse(after);
          this.optOuts.set(`${optOut.project_id} ${optOut.phone_number}`, optOut);
        }
        return;
      case 'conversation':
      case 'turn': {
        const callId = this.wordsOfOurs.apply({ before, after });
        if (callId !== null) this.#rules.onTurn(callId);
        return;
      }
      case 'erasure':
        if (after !== null) this.#applyErasure(Erasure.parse({ due_at: null, ...after }));
        return;
      case 'retention':
      case 'patient-export':
        this.#applyDue((after ?? before)?.pk, after?.due_at);
        return;
      case 'webhook-delivery':
        if (after !== null) {
          const delivery = WebhookDelivery.parse({ due_at: null, ...after });
          this.deliveries.set(`${delivery.webhook_id} ${delivery.id}`, delivery);
        }
        return;
      default:
        return;
    }
  }

  /** Whether anything waits for a time that will have come by then. */
  isAnythingDue(byMs: number): boolean {
    const isDue = (dueAt: string | null): boolean => dueAt !== null && Date.parse(dueAt) <= byMs;
    return (
      [...this.tasks.values()].some(({ next_attempt_at }) => isDue(next_attempt_at)) ||
      [...this.calls.values()].some(({ due_at, recording }) => isDue(due_at) || isDue(recording.due_at)) ||
      [...this.deliveries.values()].some(({ due_at }) => isDue(due_at)) ||
      [...this.erasures.values()].some(({ due_at }) => isDue(due_at)) ||
      [...this.#due.values()].some(isDue) ||
      [...this.#ended.values()].some(({ endedAt }) => Date.parse(endedAt) + streamHasMs <= byMs)
    );
  }

  /** Recordings whose call is gone. */
  get orphans(): string[] {
    return [...this.#callItems.keys()].filter(
      (id) => !this.calls.has(id) && (this.#callItems.get(id)?.size ?? 0) > 0,
    );
  }

  callsOf(taskId: string): Call[] {
    return [...this.calls.values()].filter(({ task_id }) => task_id === taskId);
  }

  #noteEnd({ before, after }: Pick<TableChange, 'before' | 'after'>): void {
    if (after?.type === 'announced') {
      const through = z.array(z.string()).parse(after.through);
      for (const [id, { shard, endedAt }] of this.#ended) {
        if (endedAt <= (through[shard] ?? '')) this.#ended.delete(id);
      }
      return;
    }
    const entry = after === null ? null : endedEntryOf(after);
    if (after !== null && entry !== null) this.#ended.set(idOf(after), entry);
    else if (after === null && before !== null) this.#ended.delete(idOf(before));
  }

  /** Of a call or its recording, which form the call together. */
  #applyCallItem({ before, after }: Pick<TableChange, 'before' | 'after'>): void {
    const { sk, call_pk, type } = after ?? before ?? {};
    const items = this.#callItems.get(String(call_pk)) ?? new Map<string, Record<string, unknown>>();
    this.#callItems.set(String(call_pk), items);
    if (after === null) items.delete(String(sk));
    else items.set(String(sk), after);
    const [call] = callsFromItems([...items.values()]);
    if (call !== undefined) this.#applyCall(call);
    else if (type === 'call') this.calls.delete(String(call_pk));
  }

  #applyErasure(after: Erasure): void {
    const before = this.erasures.get(after.id) ?? null;
    this.erasures.set(after.id, after);
    this.#rules.onErasure(before, after);
  }

  #applyDue(key: unknown, dueAt: unknown): void {
    if (typeof dueAt === 'string') this.#due.set(String(key), dueAt);
    else this.#due.delete(String(key));
  }

  #applyTask(after: Task): void {
    const before = this.tasks.get(after.id) ?? null;
    this.tasks.set(after.id, after);
    this.#journal.knowTask(after.id);
    const next = after.next_attempt_at === null ? '' : ` next ${after.next_attempt_at}`;
    this.#journal.note([after.id], `TASK ${after.status} attempts ${after.attempts}${next}`);
    this.#rules.onTask(before, after);
  }

  #applyCall(after: Call): void {
    const before = this.calls.get(after.id) ?? null;
    this.calls.set(after.id, after);
    this.#journal.knowCall(after.id, after.task_id);
    this.#journal.note(
      [after.task_id],
      `CALL ${after.id.slice(-6)} #${after.attempt} v${after.version} ${after.status} ` +
        `${after.submission} ${after.carrier_progress} session ${after.session_status} ` +
        `recording ${after.recording.status} due ${after.due_at}, recording due ${after.recording.due_at}`,
    );
    this.#rules.onCall(before, after);
  }
}

/** Of a task or call; calls are stored without a member for it. */
function idOf({ project_sk }: Readonly<Record<string, unknown>>): string {
  return String(project_sk);
}

/** The shard of ended items that contains an item, and its time there; null if none does. */
function endedEntryOf({ due_pk, due_at }: NonNullable<TableChange['after']>) {
  const shard = Array.from({ length: dueShardCount }, (_, one) => endedPartition(one)).indexOf(
    String(due_pk),
  );
  return shard < 0 ? null : { shard, endedAt: String(due_at) };
}
