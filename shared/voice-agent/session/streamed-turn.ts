import { timestampAfter } from '#shared/domain/time.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log, logError } from '#shared/observability/log.ts';
import { type Conversation, isInTranscript } from '#shared/table/conversation.ts';
import type { DialogueAction, DialogueInput } from '../dialogue/dialogue-model.ts';
import { apologize } from './apology.ts';
import type { ConversationServices } from './conversation-services.ts';
import { isAnswering, withinHoldLimit } from './silence.ts';
import { SpeechWriter } from './speech-writer.ts';
import { BargeInWatcher, lookEveryMs, TurnBuffer } from './turn-buffer.ts';
import { carryOut } from './turn-outcome.ts';
import {
  afterInput,
  afterTurn,
  type ConversationSnapshot,
  questionFor,
  type TurnInput,
  writeStep,
} from './turn-steps.ts';

/*
 * The turn of a streaming model. It is claimed first: one step stores the event and
 * reserves the index of our words. Then every word is spoken as soon as it arrives, and stored a
 * moment later. A second step concludes it. A step in between, because the person spoke or interrupted,
 * supersedes the turn: the model is stopped, nothing more is spoken, and only spoken words remain of the
 * turn.
 */

/** How much longer than the model's time storing a turn may take. */
const writingMs = 3_000;

/** Returns false if another step came before the claim. */
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
  const created = heard === undefined || !isInTranscript(heard) ? [] : [heard];
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
  const until = timestampAfter(now, longestTurnMs + writingMs);
  return { ...conversation, turn_count: index + 1, answering: { turn: index, until } };
}

export interface ClaimedTurn {
  /** As written with the claim. */
  readonly conversation: Conversation;
  readonly question: DialogueInput;
  /** Another turn was speaking: it must have stopped before we begin. */
  readonly isSuperseded: boolean;
  /** When we started on the words we answer, by `performance.now()`. */
  readonly begunAt: number;
}

export async function speakClaimedTurn(
  services: ConversationServices,
  { conversation, question, isSuperseded, begunAt }: ClaimedTurn,
): Promise<void> {
  const { table, model, connections } = services;
  const { plan, event } = question;
  // The notice of an automated, recorded call is spoken in any case, even over other words.
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

/** Stores the turn as spoken, with the model's actions; false if it was superseded. */
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
  // A farewell is only said once the step is written.
  const changed = !outcome.ended && (await buffer.holds(ours)) ? [] : ours;
  if (!(await writeStep(table, { ...next, epoch: conversation.epoch + 1 }, { changed }))) return false;
  // Only now: a superseded turn must not end the call.
  const end = outcome.frames.find(({ type }) => type === 'end');
  if (end !== undefined) {
    await connections
      .send(conversation.connection_id, [end])
      .catch((error: unknown) => logError(alarmingEvents.framesNotSent, error));
  }
  return true;
}

/** The items until the signal stops them, however long the next one would take. */
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
    // Not awaited: a hanging model does not return from this either.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}
