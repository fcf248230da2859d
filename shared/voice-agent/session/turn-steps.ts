import type { AnsweredBy } from '#shared/domain/call.ts';
import { logError } from '#shared/observability/log.ts';
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
 * A conversation goes on in steps, each of them one write on the condition that nobody else took one since the
 * conversation was read. How a step changes the conversation is told here, for turns that are decided at once and for
 * turns that are spoken while they are made up.
 *
 * A reply that is decided at once takes no transaction: our words stay in the conversation's item until the next words
 * heard are stored, and those take ours along. Any other step writes each turn as an item of its own.
 *
 * What the person said is stored before anything is made of it: with the claim of a turn that is spoken while
 * it is made up, and by itself before a turn that is decided at once. In the latter case it stands for a
 * moment beyond `turn_count`, and when its function is lost, for good: the next step goes on
 * after it.
 */

/** A conversation as it was read for a turn. */
export interface ConversationSnapshot {
  readonly plan: CallPlan;
  readonly conversation: Conversation;
  /** All turns, those that nobody heard included. */
  readonly turns: readonly StoredTurn[];
  readonly answeredBy: AnsweredBy | null;
  readonly now: Date;
  /** Since the conversation began. */
  readonly elapsedMs: number;
}

/** What happened, and what it does to the conversation before our turn. */
export interface TurnInput {
  readonly event: DialogueEvent;
  readonly history: readonly StoredTurn[];
  /** What the person said, when it is not stored yet; without words, their silence. */
  readonly heard?: StoredTurn;
  /** Turns that are changed. */
  readonly written: readonly StoredTurn[];
  /** Index of our words. */
  readonly turnCount: number;
  /** From when on, in the conversation's time, the next words can be spoken. */
  readonly freeFromMs: number;
  /** Silences in a row, this one included. */
  readonly silences: number;
  /** The record, if what happened has changed it. */
  readonly record?: DialogueRecord;
  /** Our turn, where it is not for the model to decide. */
  readonly actions?: readonly DialogueAction[];
}

/** Index of the next turn: after all that are counted, and after words that are stored and not answered. */
export function nextIndex({
  conversation,
  turns,
}: Pick<ConversationSnapshot, 'conversation' | 'turns'>): number {
  return Math.max(conversation.turn_count, (turns.at(-1)?.index ?? -1) + 1);
}

/**
 * Index of words that are heard now. It is odd, and that of a reply even: words that another function stores while a
 * reply is decided never take its place.
 */
export function heardIndex(snapshot: Pick<ConversationSnapshot, 'conversation' | 'turns'>): number {
  const next = nextIndex(snapshot);
  return next % 2 === 0 ? next + 1 : next;
}

/** The conversation with what happened in it, before our turn. */
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

/** More frames than are ever under way at the same time. */
const rememberedFrames = 8;

function withRecord(state: unknown, record: DialogueRecord): ConversationState {
  return { ...ConversationState.parse(state), record };
}

/** The conversation after our turn, and our words in it. */
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
    /** When we began to speak, from the start of the conversation by the clock. */
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

/** When words are over by the clock. */
function overAt(beganMs: number, words: string, now: Date): Date {
  return new Date(Math.max(now.getTime(), beganMs + speakingMs(words)));
}

/** What the model is asked. What another model remembered, before the service was deployed anew, is of no use to it. */
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
 * Stores what was heard, together with our words before it. Checks only that the place is free, which costs less than
 * a transaction with the conversation: if another function took a step meanwhile, ours fails, and the next read finds
 * the words in place. Returns false when the place is taken, even by an earlier try of our own.
 */
export function storeHeard(table: Table, conversation: Conversation, heard: StoredTurn): Promise<boolean> {
  const { project_id, said } = conversation;
  const turn = said !== null && isReply(heard, said) ? { ...heard, reply_to: said } : heard;
  return writePersistently(table, [createTurnItem(table, project_id, turn)], async () => false);
}

/** Whether these words follow ours at once, and so are stored with them. */
function isReply({ index }: StoredTurn, said: OurWords): boolean {
  return index === said.index + 1;
}

/** The conversation with our words in it, which have no item of their own yet. */
export function withSaid(conversation: Conversation, [ours]: readonly StoredTurn[]): Conversation {
  return { ...conversation, said: ours === undefined ? null : OurWords.parse(ours) };
}

/** The step that answers what `storeHeard` has stored: one item, unless what we said before still needs its own. */
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

/** What a step writes besides the conversation itself. */
interface StepTurns {
  /** Where nothing may stand yet. */
  readonly created?: readonly StoredTurn[];
  readonly changed?: readonly StoredTurn[];
}

/**
 * Writes a step; `next.epoch` must be the one after the conversation that was read. Returns false when somebody else
 * was first.
 */
export function writeStep(
  table: Table,
  next: Conversation,
  { created = [], changed = [] }: StepTurns,
): Promise<boolean> {
  const items = [
    replaceConversationItem(table, next),
    ...created.map((turn) => createTurnItem(table, next.project_id, turn)),
    ...changed.map((turn) => putTurnItem(table, next.project_id, turn)),
  ];
  return writePersistently(table, items, () => isWritten(table, next));
}

/**
 * Writes all items, or returns false when their conditions do not hold. A transaction that merely met another
 * one on the way, or whose answer was lost, is tried again.
 *
 * @param isOurs tells whether the conditions fail because that one had come through
 */
async function writePersistently(
  table: Table,
  items: TransactionItem[],
  isOurs: () => Promise<boolean>,
): Promise<boolean> {
  const write = async (): Promise<boolean> => {
    try {
      await writeTransaction(table, items);
      return true;
    } catch (error) {
      // The SDK may have tried again by itself, after an answer that was lost.
      if (error instanceof TransactionConditionFailed) return isOurs();
      if (!isTransactionConflict(error)) logError('step-not-written', error);
      throw error;
    }
  };
  return retry(write, { tries: 4, firstWaitMs: 40, isTransient: () => true });
}

/** Whether the step that stands there is ours: an earlier try, whose answer did not arrive. */
async function isWritten(table: Table, next: Conversation): Promise<boolean> {
  const found = await getConversation(table, next.call_id);
  return (
    found !== null &&
    found.epoch === next.epoch &&
    found.updated_at === next.updated_at &&
    found.recent_frames.at(-1) === next.recent_frames.at(-1)
  );
}
