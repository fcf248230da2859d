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

/** How often it is looked whether the turn was superseded: for so long we go on speaking into somebody's words. */
export const lookEveryMs = 50;
/** A write costs several times what a look does, and only a function that is lost needs what was written. */
const looksPerWrite = 4;

/** The turn as far as it has come, written down as it grows: what was spoken is not lost even when the function is. */
export class TurnBuffer {
  readonly actions: DialogueAction[] = [];
  readonly index: number;
  spokeAtMs: number | null = null;
  hasFailed = false;
  /** Somebody else has written down how much of it was heard. */
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

  /** Whether the turn is one even though the model did not finish it. */
  get doesAnything(): boolean {
    return this.actions.some(({ type }) => ['say', 'press', 'wait', 'end'].includes(type));
  }

  /** Writes down what was said so far. A failure is made good by the next time, or by the end of the turn. */
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

  /** Writes down what is still missing of these words; returns whether they stand there whole. */
  async holds(words: readonly StoredTurn[]): Promise<boolean> {
    await this.write();
    return !this.isCut && words.every(({ content }) => content === this.#written);
  }

  /** Everything that was being written is. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /**
   * For a turn that was superseded: the words that were spoken, unless it is known already how much of them
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

/** Looks every moment whether the turn was superseded, and stops the model then. */
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
        // The end of the turn is a step like any other and finds out.
        logError('epoch-not-read', error);
      }
      if (this.isSuperseded) {
        onOvertaken();
        return;
      }
    }
  }
}
