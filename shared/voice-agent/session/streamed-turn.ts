import { setTimeout as sleep } from 'node:timers/promises';
import { escapeSpeech, type OutboundRelayFrame } from '#shared/carrier/relay-frames.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log, logError } from '#shared/observability/log.ts';
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
import type { DialogueAction, DialogueInput } from '../dialogue/dialogue-model.ts';
import { emptyRecord } from '../dialogue/dialogue-record.ts';
import { disclosuresHeard } from '../result/disclosures.ts';
import { apologize } from './apology.ts';
import type { ConversationServices } from './conversation-services.ts';
import type { RelayConnections } from './relay-connections.ts';
import { isAnswering, withinHoldLimit } from './silence.ts';
import { carryOut } from './turn-outcome.ts';
import {
  afterInput,
  afterTurn,
  type ConversationSnapshot,
  ourTurn,
  questionFor,
  type TurnInput,
  writeStep,
} from './turn-steps.ts';

/*
 * The turn of a model that takes its time. It is claimed first: one step writes down what happened and
 * reserves the index of our words. Then every word is spoken as soon as it is made up, and written down a
 * moment later. A second step concludes it. Whoever takes a step in between, because the person spoke or cut
 * us short, has taken the turn over: the model is stopped, nothing more is spoken, and of the turn remains
 * what was said.
 */

/** How much longer than the model's time it may take to write a turn down. */
const writingMs = 3_000;
/** How often it is looked whether the turn was superseded, and how far it is written down. */
const lookEveryMs = 200;

/** Returns false when another step came before the turn could be claimed. */
export async function speakTurn(
  services: ConversationServices,
  frameId: string | null,
  snapshot: ConversationSnapshot,
  input: TurnInput,
): Promise<boolean> {
  const begunAt = performance.now();
  const entered = afterInput(snapshot, input, frameId);
  const conversation = claimed(services, entered, input.turnCount, snapshot.now);
  const { heard, written } = input;
  const created = heard === undefined ? [] : [heard];
  if (!(await writeStep(services.table, conversation, { created, changed: written }))) return false;
  await speakClaimedTurn(services, {
    conversation,
    question: questionFor(services.model, snapshot, conversation, input),
    isSuperseded: isAnswering(snapshot.conversation, snapshot.now),
    begunAt,
  });
  return true;
}

/** The conversation with the index of our words reserved. */
export function claimed(
  { longestTurnMs }: Pick<ConversationServices, 'longestTurnMs'>,
  conversation: Conversation,
  index: number,
  now: Date,
): Conversation {
  const until = new Date(now.getTime() + longestTurnMs + writingMs).toISOString();
  return { ...conversation, turn_count: index + 1, answering: { turn: index, until } };
}

export interface ClaimedTurn {
  /** As it was written with the claim. */
  readonly conversation: Conversation;
  readonly question: DialogueInput;
  /** Somebody else was speaking: they must have stopped before we begin. */
  readonly isSuperseded: boolean;
  /** When what we answer was taken up, by `performance.now()`. */
  readonly begunAt: number;
}

export async function speakClaimedTurn(
  services: ConversationServices,
  { conversation, question, isSuperseded, begunAt }: ClaimedTurn,
): Promise<void> {
  const { table, model, connections } = services;
  const { plan, event } = question;
  // That a machine calls and records is said in any case, whoever speaks at the same time.
  const isOpening = event.type === 'opened';
  const index = conversation.turn_count - 1;
  const claimedAt = performance.now();
  const stop = new AbortController();
  const writer = new SpeechWriter(connections, conversation.connection_id, {
    notBefore: isSuperseded ? claimedAt + lookEveryMs + 50 : claimedAt,
  });
  const buffer = new TurnBuffer(services, conversation, plan, index);
  const watcher = new BargeInWatcher(table, conversation, buffer, () => {
    if (!isOpening) stop.abort();
  });
  const late = setTimeout(() => stop.abort(), services.longestTurnMs);
  const act = async (actions: AsyncIterable<DialogueAction> | readonly DialogueAction[]): Promise<void> => {
    for await (const action of actions) {
      if (action.type !== 'say' && action.type !== 'press') buffer.add(action);
      else if (await writer.utter(action, () => watcher.isSuperseded && !isOpening)) buffer.addSpoken(action);
      if (action.type === 'end') break;
    }
  };
  try {
    await act(untilStopped(model.takeTurn(question, stop.signal), stop.signal));
  } catch (error) {
    if (!stop.signal.aborted) logError('model-failed', error, { model: model.name });
    buffer.hasFailed = true;
  }
  clearTimeout(late);
  if (!watcher.isSuperseded && (buffer.hasFailed || stop.signal.aborted) && !buffer.doesAnything) {
    await act(apologize(question));
  }
  if (!watcher.isSuperseded) await writer.close();
  await watcher.stop();
  await buffer.settled();
  const isTaken = !watcher.isSuperseded && (await concludeTurn(services, conversation, question, buffer));
  if (!isTaken) await buffer.keepWhatWasSaid();
  log('turn', {
    turn: index,
    spoke: writer.firstWordAt !== null,
    superseded: !isTaken,
    ...(writer.firstWordAt === null
      ? {}
      : { [isOpening ? 'first_word_ms' : 'turn_latency_ms']: Math.round(writer.firstWordAt - begunAt) }),
    duration_ms: Math.round(performance.now() - claimedAt),
  });
}

/** Writes the turn down as it was spoken, with what the model makes of it; false when somebody has taken it over. */
async function concludeTurn(
  { table, model, connections, now: clock }: ConversationServices,
  conversation: Conversation,
  question: DialogueInput,
  buffer: TurnBuffer,
): Promise<boolean> {
  const now = clock();
  const actions = withinHoldLimit(buffer.actions, conversation, question.plan, now);
  const outcome = carryOut(actions, question, buffer.index, question.plan);
  const { next, ours } = afterTurn(conversation, outcome, {
    actions,
    index: buffer.index,
    model: model.name,
    spokeAtMs: buffer.spokeAtMs ?? now.getTime() - Date.parse(conversation.started_at),
    now,
  });
  // As far as it was spoken it stands there already.
  if (!(await writeStep(table, { ...next, epoch: conversation.epoch + 1 }, { changed: ours }))) return false;
  // Only now: had somebody taken the turn over, the call would go on.
  const end = outcome.frames.find(({ type }) => type === 'end');
  if (end !== undefined) {
    await connections
      .send(conversation.connection_id, [end])
      .catch((error: unknown) => logError(alarmingEvents.framesNotSent, error));
  }
  return true;
}

/** Speaks into the line, one talk cycle. */
class SpeechWriter {
  firstWordAt: number | null = null;
  readonly #connections: RelayConnections;
  readonly #connectionId: string;
  readonly #notBefore: number;
  #isOpen = false;
  #isCutOff = false;

  constructor(connections: RelayConnections, connectionId: string, { notBefore }: { notBefore: number }) {
    this.#connections = connections;
    this.#connectionId = connectionId;
    this.#notBefore = notBefore;
  }

  /** Returns whether it was spoken: not when the turn is stopped, and not when nobody is there any more. */
  async utter(
    action: Extract<DialogueAction, { type: 'say' | 'press' }>,
    isTakenOver: () => boolean,
  ): Promise<boolean> {
    if (this.#isCutOff || (action.type === 'say' && action.text.trim() === '')) return false;
    const earlyMs = this.#notBefore - performance.now();
    if (earlyMs > 0) await sleep(earlyMs);
    if (isTakenOver()) return false;
    const frame: OutboundRelayFrame =
      action.type === 'say'
        ? { type: 'text', token: `${escapeSpeech(action.text.trim())} `, last: false }
        : { type: 'sendDigits', digits: action.digits };
    this.#isCutOff = !(await this.#send(frame));
    if (this.#isCutOff) return false;
    this.firstWordAt ??= performance.now();
    if (action.type === 'say') this.#isOpen = true;
    return true;
  }

  /** Tells the carrier that no more will come. */
  async close(): Promise<void> {
    if (!this.#isOpen || this.#isCutOff) return;
    this.#isOpen = false;
    await this.#send({ type: 'text', token: '', last: true });
  }

  async #send(frame: OutboundRelayFrame): Promise<boolean> {
    try {
      return await this.#connections.send(this.#connectionId, [frame]);
    } catch (error) {
      logError(alarmingEvents.framesNotSent, error);
      return false;
    }
  }
}

/** The turn as far as it has come, written down as it grows: what was spoken is not lost even when the function is. */
class TurnBuffer {
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
        this.isCut = !(await putTurnUnlessCut(this.#services.table, turn));
        this.#written = turn.content;
      } catch (error) {
        logError('words-not-written', error);
      }
    });
    return this.#writing;
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
class BargeInWatcher {
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
    for (;;) {
      await sleep(lookEveryMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      if (this.#stopped.signal.aborted) return;
      await buffer.write();
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

/** The items until the signal stops them, however long the next one would still take. */
async function* untilStopped<Item>(items: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const stopped = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    while (!signal.aborted) {
      const step = await Promise.race([iterator.next(), stopped]);
      if (step === null || step.done === true) return;
      yield step.value;
    }
  } finally {
    // Not waited for: a model that hangs does not come back from this either.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
