import type { AnsweredBy } from '#shared/domain/call.ts';
import { logError } from '#shared/observability/log.ts';
import { saidOptOutItems } from '#shared/opt-outs/said-opt-out.ts';
import { getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type Conversation,
  createTurnItem,
  getConversation,
  OurWords,
  putTurnItem,
  replaceConversationItem,
  type StoredTurn,
  waitedMs,
} from '#shared/table/conversation.ts';
import { retry } from '#shared/table/retry.ts';
import {
  isTransactionConflict,
  refusedAs,
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import type { CallPlan } from '../call-plan/call-plan.ts';
import { ConversationState } from '../dialogue/conversation-state.ts';
import type {
  DialogueAction,
  DialogueEvent,
  DialogueInput,
  DialogueModel,
} from '../dialogue/dialogue-model.ts';
import type { DialogueRecord } from '../dialogue/dialogue-record.ts';
import { waitingSince } from './silence.ts';
import { afterSpeaking, beganAt, speakingMs } from './timeline.ts';
import type { TurnOutcome } from './turn-outcome.ts';

/*
 * A conversation proceeds in steps, each one write on the condition that no other step was taken since the
 * conversation was read. How a step changes the conversation is defined here, for immediate turns and for
 * streamed turns.
 *
 * An immediate reply takes no transaction: our words stay in the conversation until they are stored with the next
 * words heard. Any other step writes each turn as its own item.
 *
 * The person's words are stored before they are processed: with the claim of a streamed turn,
 * and by themselves before an immediate turn. In the latter case they are for a
 * moment beyond `turn_count`, and forever if their function is lost: the next step continues
 * after them.
 */

/** A conversation as read for a turn. */
export interface ConversationSnapshot {
  readonly plan: CallPlan;
  readonly conversation: Conversation;
  /** All turns, including unheard ones. */
  readonly turns: readonly StoredTurn[];
  readonly answeredBy: AnsweredBy | null;
  readonly now: Date;
  /** Since the conversation began. */
  readonly elapsedMs: number;
}

/** An event, and its effect on the conversation before our turn. */
export interface TurnInput {
  readonly event: DialogueEvent;
  readonly history: readonly StoredTurn[];
  /** The person's words, if not stored yet; without words, their silence. */
  readonly heard?: StoredTurn;
  /** Changed turns. */
  readonly written: readonly StoredTurn[];
  /** Index of our words. */
  readonly turnCount: number;
  /** When the next words can be spoken, in the conversation's time. */
  readonly freeFromMs: number;
  /** Consecutive silences, including this one. */
  readonly silences: number;
  /** The record, if the event has changed it. */
  readonly record?: DialogueRecord;
  /** Our turn, if the model does not decide it. */
  readonly actions?: readonly DialogueAction[];
}

/** Index of the next turn: after all counted ones, and after stored, unanswered words. */
export function nextIndex({
  conversation,
  turns,
}: Pick<ConversationSnapshot, 'conversation' | 'turns'>): number {
  return Math.max(conversation.turn_count, (turns.at(-1)?.index ?? -1) + 1);
}

/**
 * Index of words heard now. It is odd, and a reply's even: words stored by another function during the
 * decision on a reply never take its place.
 */
export function heardIndex(snapshot: Pick<ConversationSnapshot, 'conversation' | 'turns'>): number {
  const next = nextIndex(snapshot);
  return next % 2 === 0 ? next + 1 : next;
}

/** The conversation with the event, before our turn. */
export function afterInput(
  { conversation, now }: ConversationSnapshot,
  { turnCount, freeFromMs, silences, record }: TurnInput,
  frameId: string | null,
): Conversation {
  return {
    ...conversation,
    epoch: conversation.epoch + 1,
    turn_count: turnCount,
    offset_ms: freeFromMs,
    answering: null,
    quiet_since: now.toISOString(),
    silences,
    recent_frames:
      frameId === null
        ? conversation.recent_frames
        : [...conversation.recent_frames, frameId].slice(-rememberedFrames),
    state: record === undefined ? conversation.state : withRecord(conversation.state, record),
    updated_at: now.toISOString(),
  };
}

/** More frames than ever run concurrently. */
const rememberedFrames = 8;

function withRecord(state: unknown, record: DialogueRecord): ConversationState {
  return { ...ConversationState.parse(state), record };
}

/** The conversation after our turn, including our words. */
export function afterTurn(
  conversation: Conversation,
  outcome: TurnOutcome,
  {
    actions,
    index,
    model,
    spokeAtMs,
    now,
  }: {
    readonly actions: readonly DialogueAction[];
    /** Index of our words. */
    readonly index: number;
    readonly model: string;
    /** The start of our speech, from the start of the conversation by the clock. */
    readonly spokeAtMs: number;
    readonly now: Date;
  },
): { next: Conversation; ours: StoredTurn[] } {
  const { words, disclosed, record, memory, ended } = outcome;
  const ours = words === null ? [] : [ourTurn(conversation, { words, disclosed }, { index, spokeAtMs, now })];
  const state: ConversationState = { model, record, memory };
  const waiting_since = waitingSince(conversation, actions, now);
  const next: Conversation = {
    ...conversation,
    turn_count: words === null ? index : index + 1,
    offset_ms: ours.reduce((_, turn) => afterSpeaking(turn.offset_ms, turn.content), conversation.offset_ms),
    status: ended ? 'ended' : 'open',
    answering: null,
    waiting_since,
    held_ms: conversation.held_ms + (waiting_since === null ? waitedMs(conversation, now) : 0),
    quiet_since: overAt(Date.parse(conversation.started_at) + spokeAtMs, words ?? '', now).toISOString(),
    state,
    updated_at: now.toISOString(),
  };
  return { next, ours };
}

/** Our words as a turn of the transcript. */
export function ourTurn(
  { call_id, offset_ms }: Conversation,
  { words, disclosed }: { readonly words: string; readonly disclosed: readonly string[] },
  { index, spokeAtMs, now }: { readonly index: number; readonly spokeAtMs: number; readonly now: Date },
): StoredTurn {
  return {
    call_id,
    index,
    role: 'assistant',
    content: words,
    offset_ms: beganAt(offset_ms, spokeAtMs),
    created_at: now.toISOString(),
    disclosed: [...disclosed],
  };
}

/** The end of words by the clock. */
function overAt(beganMs: number, words: string, now: Date): Date {
  return new Date(Math.max(now.getTime(), beganMs + speakingMs(words)));
}

/** The model's input. The state of another model, from before a deployment, is useless to it. */
export function questionFor(
  { name }: Pick<DialogueModel, 'name'>,
  { plan, answeredBy, now }: ConversationSnapshot,
  conversation: Conversation,
  { event, history }: TurnInput,
): DialogueInput {
  const { model, record, memory } = ConversationState.parse(conversation.state);
  return { plan, record, memory: model === name ? memory : null, history, event, answeredBy, now };
}

/**
 * Stores heard words, together with our words before them. Checks only that the place is free, which costs less
 * than a transaction with the conversation: after another function's step, ours fails, and the next read finds
 * the words in place. Returns false if the place is taken, even by an earlier attempt of our own.
 */
export function storeHeard(table: Table, conversation: Conversation, heard: StoredTurn): Promise<boolean> {
  const { project_id, said } = conversation;
  const turn = said !== null && isReply(heard, said) ? { ...heard, reply_to: said } : heard;
  return writePersistently(
    table,
    async () => [createTurnItem(table, project_id, turn)],
    async () => false,
  );
}

/** Whether these words directly follow ours, and so are stored with them. */
function isReply({ index }: StoredTurn, said: OurWords): boolean {
  return index === said.index + 1;
}

/** The conversation with our words in it, which have no item of their own yet. */
export function withSaid(conversation: Conversation, [ours]: readonly StoredTurn[]): Conversation {
  return { ...conversation, said: ours === undefined ? null : OurWords.parse(ours) };
}

/** The step that answers words from `storeHeard`: one item, unless our previous words still need their own. */
export function replyStep(
  { conversation: { said }, turns }: ConversationSnapshot,
  heard: StoredTurn,
  { next, ours }: ReturnType<typeof afterTurn>,
): { readonly next: Conversation } & StepTurns {
  const isStored = said === null || isReply(heard, said);
  return {
    next: withSaid(next, ours),
    changed: isStored ? [] : turns.filter(({ index }) => index === said.index),
  };
}

/** Further writes of a step. */
interface StepTurns {
  /** A place that must be free. */
  readonly created?: readonly StoredTurn[];
  readonly changed?: readonly StoredTurn[];
}

/**
 * Writes a step; `next.epoch` must follow that of the conversation read. Returns false if another step
 * was first.
 */
export function writeStep(
  table: Table,
  next: Conversation,
  { created = [], changed = [] }: StepTurns,
): Promise<boolean> {
  const items = async (): Promise<TransactionItem[]> => [
    replaceConversationItem(table, next),
    ...created.map((turn) => createTurnItem(table, next.project_id, turn)),
    ...changed.map((turn) => putTurnItem(table, next.project_id, turn)),
    ...(await optOutItems(table, next)),
  ];
  return writePersistently(table, items, () => isWritten(table, next));
}

/** An opt-out holds from the step that ends the conversation: the number is free before the recording has come. */
async function optOutItems(table: Table, next: Conversation): Promise<TransactionItem[]> {
  if (next.status !== 'ended') return [];
  const { record } = ConversationState.parse(next.state);
  if (record.ending?.reason !== 'opted-out') return [];
  const call = await getCall(table, next.task_id, next.call_id);
  if (call === null) return [];
  const items = await saidOptOutItems(table, call, new Date(next.updated_at));
  // Another opt-out of the number is no other step: the next try finds it.
  return items.map((item) => refusedAs(item, () => new Error('the number has just been opted out')));
}

/**
 * Writes all items, or returns false if a condition fails. A transaction with a mere
 * conflict, or a lost response, is retried.
 *
 * @param items read again for each try
 * @param isOurs tells whether a condition fails because the lost one had succeeded
 */
async function writePersistently(
  table: Table,
  items: () => Promise<TransactionItem[]>,
  isOurs: () => Promise<boolean>,
): Promise<boolean> {
  const write = async (): Promise<boolean> => {
    try {
      await writeTransaction(table, await items());
      return true;
    } catch (error) {
      // The SDK may have retried by itself, after a lost response.
      if (error instanceof TransactionConditionFailed) return isOurs();
      if (!isTransactionConflict(error)) logError('step-not-written', error);
      throw error;
    }
  };
  return retry(write, { tries: 4, firstWaitMs: 40, isTransient: () => true });
}

/** Whether the stored step is ours: an earlier attempt whose response was lost. */
async function isWritten(table: Table, next: Conversation): Promise<boolean> {
  const found = await getConversation(table, next.call_id);
  return (
    found !== null &&
    found.epoch === next.epoch &&
    found.updated_at === next.updated_at &&
    found.recent_frames.at(-1) === next.recent_frames.at(-1)
  );
}
