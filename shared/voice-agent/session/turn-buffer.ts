import { setTimeout as sleep } from 'node:timers/promises';
import { logError } from '#shared/observability/log.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type Conversation,
  getConversationEpoch,
  getTurn,
  putTurnDisclosures,
  putTurnUnlessCut,
  type StoredTurn,
} from '#shared/table/conversation.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import { emptyRecord } from '../dialogue/dialogue-record.ts';
import { disclosuresHeard } from '../result/disclosures.ts';
import type { ConversationServices } from './conversation-services.ts';
import { carryOut } from './turn-outcome.ts';
import { ourTurn } from './turn-steps.ts';

/** How often a turn is checked for being superseded: this long we may keep speaking over the person. */
export const lookEveryMs = 50;
/** A write costs several times a read, and only a lost function needs it. */
const looksPerWrite = 4;

/** The turn so far, stored as it grows: spoken words survive the loss of the function. */
export class TurnBuffer {
  readonly actions: DialogueAction[] = [];
  readonly index: number;
  spokeAtMs: number | null = null;
  hasFailed = false;
  /** Another function has stored how much of it was heard. */
  isCut = false;
  readonly #services: ConversationServices;
  readonly #conversation: Conversation;
  readonly #plan: CallPlan;
  #written = '';
  #writing: Promise<void> = Promise.resolve();

  constructor(services: ConversationServices, conversation: Conversation, plan: CallPlan, index: number) {
    this.#services = services;
    this.#conversation = conversation;
    this.#plan = plan;
    this.index = index;
  }

  add(action: DialogueAction): void {
    this.actions.push(action);
  }

  addSpoken(action: DialogueAction): void {
    this.actions.push(action);
    if (this.spokeAtMs !== null) return;
    this.spokeAtMs = this.#services.now().getTime() - Date.parse(this.#conversation.started_at);
    void this.write();
  }

  /** Whether the turn counts even though the model did not finish it. */
  get doesAnything(): boolean {
    return this.actions.some(({ type }) => ['say', 'press', 'wait', 'end'].includes(type));
  }

  /** Stores the words so far. The next write, or the end of the turn, makes up for a failure. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const turn = this.#said();
      if (this.isCut || turn === null || turn.content === this.#written) return;
      try {
        const { project_id } = this.#conversation;
        this.isCut = !(await putTurnUnlessCut(this.#services.table, project_id, turn));
        this.#written = turn.content;
      } catch (error) {
        logError('words-not-written', error);
      }
    });
    return this.#writing;
  }

  /** Stores the rest of these words; returns whether they are complete. */
  async holds(words: readonly StoredTurn[]): Promise<boolean> {
    await this.write();
    return !this.isCut && words.every(({ content }) => content === this.#written);
  }

  /** Waits for pending writes. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /**
   * For a superseded turn: the spoken words, unless it is already known how much of them
   * was heard.
   */
  async keepWhatWasSaid(): Promise<void> {
    const turn = this.#said();
    if (turn === null) return;
    for (let tries = 1; tries <= 3 && !this.isCut && this.#written !== turn.content; tries += 1) {
      if (tries > 1) await sleep(50 * tries);
      await this.write();
    }
    if (!this.isCut) return;
    const { table } = this.#services;
    const cut = await getTurn(table, turn.call_id, turn.index);
    if (cut === null) return;
    const heard = disclosuresHeard(
      turn.disclosed ?? [],
      { whole: turn.content, heard: cut.content },
      this.#plan.facts,
    );
    if (heard.length > 0) await putTurnDisclosures(table, cut, heard);
  }

  #said(): StoredTurn | null {
    const spoken = this.actions.filter(({ type }) => type !== 'end');
    const { words, disclosed } = carryOut(
      spoken,
      { record: emptyRecord, memory: null },
      this.index,
      this.#plan,
    );
    return words === null
      ? null
      : ourTurn(
          this.#conversation,
          { words, disclosed },
          { index: this.index, spokeAtMs: this.spokeAtMs ?? 0, now: this.#services.now() },
        );
  }
}

/** Checks continuously whether the turn was superseded, and then stops the model. */
export class BargeInWatcher {
  isSuperseded = false;
  readonly #stopped = new AbortController();
  readonly #looking: Promise<void>;

  constructor(table: Table, conversation: Conversation, buffer: TurnBuffer, onOvertaken: () => void) {
    this.#looking = this.#look(table, conversation, buffer, onOvertaken);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#looking;
  }

  async #look(
    table: Table,
    { call_id, epoch }: Conversation,
    buffer: TurnBuffer,
    onOvertaken: () => void,
  ): Promise<void> {
    for (let looks = 1; ; looks += 1) {
      await sleep(lookEveryMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      if (this.#stopped.signal.aborted) return;
      if (looks % looksPerWrite === 0) await buffer.write();
      try {
        this.isSuperseded = buffer.isCut || (await getConversationEpoch(table, call_id)) !== epoch;
      } catch (error) {
        // The end of the turn is a step like any other and will notice.
        logError('epoch-not-read', error);
      }
      if (this.isSuperseded) {
        onOvertaken();
        return;
      }
    }
  }
}
