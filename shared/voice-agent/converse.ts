import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { type InterruptFrame, type SetupFrame, unescapeSpeech } from '#shared/carrier/relay-frames.ts';
import { verifyRelayToken } from '#shared/carrier/relay-token.ts';
import type { Call } from '#shared/domain/call.ts';
import type { Turn } from '#shared/domain/conversation.ts';
import { Uuid } from '#shared/domain/identifiers.ts';
import { annotateLog, log } from '#shared/observability/log.ts';
import { getCall } from '#shared/table/call.ts';
import type { Table } from '#shared/table/client.ts';
import {
  type Conversation,
  createConversationItem,
  getConversationWithTurns,
  putTurnItem,
  replaceConversationItem,
} from '#shared/table/conversation.ts';
import { createConversationPlanItem, getConversationPlan } from '#shared/table/conversation-plan.ts';
import { getPatient } from '#shared/table/patient.ts';
import { getProject } from '#shared/table/project.ts';
import { createRelayConnectionItem, getRelayConnection } from '#shared/table/relay-connection.ts';
import { getTask } from '#shared/table/task.ts';
import {
  TransactionConditionFailed,
  type TransactionItem,
  writeTransaction,
} from '#shared/table/transaction.ts';
import { ConversationState } from './conversation-state.ts';
import type { DialogueAction, DialogueEvent, DialogueInput, DialogueModel } from './dialogue-model.ts';
import { emptyRecord } from './dialogue-record.ts';
import { CallPlan } from './plan/call-plan.ts';
import { createCallPlan } from './plan/create-call-plan.ts';
import type { RelayConnections } from './relay-connections.ts';
import { afterSpeaking, beganAt, speakingMs } from './timeline.ts';
import { carryOut, type TurnOutcome } from './turn-outcome.ts';

/*
 * Every frame of the relay is an invocation of its own, possibly at the same time as another. A turn is therefore one
 * transaction on the condition that no other turn was taken since the conversation was read; whoever comes second reads
 * again and takes their turn after the first. Frames go out only after the transaction, so what was said is what stands
 * in the transcript.
 */

export interface ConversationServices {
  readonly table: Table;
  readonly model: DialogueModel;
  readonly connections: RelayConnections;
  /** Auth tokens of every configured carrier. */
  readonly authTokens: () => Promise<readonly string[]>;
  readonly now: () => Date;
}

/** How often a turn is tried when others keep coming first; a call has two sides, so this is never used up. */
const maxTries = 10;
/** A frame may arrive while `setup` is still being worked on. */
const setupWaitMs = 3_000;
const setupPollMs = 40;

/**
 * The first frame of a session: checks that it belongs to a call of ours that is under way, makes the plan and speaks
 * the opening. At once and not after the person's greeting, because nothing promises that they greet, and that an
 * assistant calls and records is the first thing they have a right to hear. A session that is not the first of its call
 * is closed.
 */
export async function openConversation(
  services: ConversationServices,
  connectionId: string,
  setup: SetupFrame,
): Promise<void> {
  const opened = await identifyCall(services, setup);
  if (opened === null) {
    log('relay-session-refused');
    await services.connections.close(connectionId);
    return;
  }
  const { call, plan } = opened;
  const now = services.now();
  const timestamp = now.toISOString();
  const outcome = carryOut(
    await collect(services.model, {
      plan,
      record: emptyRecord,
      memory: null,
      history: [],
      event: { type: 'opened' },
      now,
    }),
    { record: emptyRecord, memory: null },
    0,
    plan,
  );
  const turns: Turn[] =
    outcome.words === null
      ? []
      : [
          {
            call_id: call.id,
            index: 0,
            role: 'assistant',
            content: outcome.words,
            offset_ms: 0,
            created_at: timestamp,
          },
        ];
  const conversation: Conversation = {
    call_id: call.id,
    task_id: call.task_id,
    project_id: call.project_id,
    carrier_call_sid: setup.callSid,
    connection_id: connectionId,
    epoch: 0,
    turn_count: turns.length,
    offset_ms: outcome.words === null ? 0 : afterSpeaking(0, outcome.words),
    status: outcome.ended ? 'ended' : 'open',
    answering: null,
    waiting_since: null,
    quiet_since: null,
    silences: 0,
    recent_frames: [],
    state: stateAfter(services.model, outcome),
    started_at: timestamp,
    updated_at: timestamp,
  };
  try {
    await writeTransaction(services.table, [
      createConversationItem(services.table, conversation),
      createConversationPlanItem(services.table, call.id, plan),
      createRelayConnectionItem(
        services.table,
        { connection_id: connectionId, call_id: call.id, task_id: call.task_id },
        now.getTime(),
      ),
      ...turns.map((turn) => putTurnItem(services.table, turn)),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionConditionFailed)) throw error;
    log('relay-session-repeated');
    await services.connections.close(connectionId);
    return;
  }
  plans.remember(call.id, plan);
  calls.remember(connectionId, call.id);
  await services.connections.send(connectionId, outcome.frames);
}

/** The person said something: our turn. */
export async function answerWords(
  services: ConversationServices,
  connectionId: string,
  words: string,
): Promise<void> {
  await takeTurn(services, connectionId, ({ conversation, turns, elapsedMs }) => {
    const turn: Turn = {
      call_id: conversation.call_id,
      index: conversation.turn_count,
      role: 'user',
      content: words,
      // The carrier tells us when they have finished speaking.
      offset_ms: beganAt(conversation.offset_ms, elapsedMs - speakingMs(words)),
      created_at: services.now().toISOString(),
    };
    return {
      event: { type: 'heard', text: words, turn: turn.index },
      history: turns,
      written: [turn],
      turnCount: conversation.turn_count + 1,
      freeFromMs: afterSpeaking(turn.offset_ms, words),
    };
  });
}

/** The person cut our last words: the transcript keeps what they heard of them, and the model learns of it. */
export async function noteInterruption(
  services: ConversationServices,
  connectionId: string,
  { utteranceUntilInterrupt }: InterruptFrame,
): Promise<void> {
  const heard = unescapeSpeech(utteranceUntilInterrupt ?? '').trim();
  await takeTurn(services, connectionId, ({ conversation, turns }) => {
    const last = turns.findLast((turn) => turn.role === 'assistant');
    // What was heard belongs to older words when others have been spoken since.
    if (last === undefined || !last.content.includes(heard)) return null;
    const cut = { ...last, content: heard };
    return {
      event: { type: 'interrupted', heard },
      history: turns.map((turn) => (turn.index === last.index ? cut : turn)),
      written: heard === '' ? [] : [cut],
      turnCount: conversation.turn_count,
      freeFromMs: Math.min(conversation.offset_ms, afterSpeaking(last.offset_ms, heard)),
    };
  });
}

/** The person pressed a key. */
export async function noteKey(
  services: ConversationServices,
  connectionId: string,
  digit: string,
): Promise<void> {
  await takeTurn(services, connectionId, ({ conversation, turns }) => ({
    event: { type: 'key-pressed', digit },
    history: turns,
    written: [],
    turnCount: conversation.turn_count,
    freeFromMs: conversation.offset_ms,
  }));
}

/** What a frame does to the conversation before the model is asked. */
interface Happening {
  readonly event: DialogueEvent;
  readonly history: readonly Turn[];
  /** Turns that are new or changed. */
  readonly written: readonly Turn[];
  readonly turnCount: number;
  /** From when on, in the conversation's time, the next words can be spoken. */
  readonly freeFromMs: number;
}

interface Reading {
  readonly conversation: Conversation;
  readonly turns: readonly Turn[];
  readonly elapsedMs: number;
}

async function takeTurn(
  services: ConversationServices,
  connectionId: string,
  happen: (reading: Reading) => Happening | null,
): Promise<void> {
  const callId = await callOf(services, connectionId);
  if (callId === null) {
    log('relay-frame-without-session');
    return;
  }
  annotateLog({ call_id: callId });
  for (let tries = 0; tries < maxTries; tries += 1) {
    const [{ conversation, turns }, plan] = await Promise.all([
      getConversationWithTurns(services.table, callId),
      planOf(services.table, callId),
    ]);
    if (conversation?.connection_id !== connectionId || conversation.status === 'ended') return;
    const now = services.now();
    const elapsedMs = now.getTime() - Date.parse(conversation.started_at);
    const happening = happen({ conversation, turns, elapsedMs });
    if (happening === null) return;
    const { items, outcome } = await planTurn(services, plan, conversation, happening, elapsedMs, now);
    if (!(await written(services.table, items))) continue;
    log('turn', {
      turn: happening.turnCount,
      spoke: outcome.words !== null,
      ended: outcome.ended,
      duration_ms: services.now().getTime() - now.getTime(),
    });
    await services.connections.send(connectionId, outcome.frames);
    return;
  }
  throw new Error('the conversation changed each time a turn was to be taken');
}

async function planTurn(
  services: ConversationServices,
  plan: CallPlan,
  conversation: Conversation,
  { event, history, written: changed, turnCount, freeFromMs }: Happening,
  elapsedMs: number,
  now: Date,
): Promise<{ items: TransactionItem[]; outcome: TurnOutcome }> {
  const { record, memory } = ConversationState.parse(conversation.state);
  const actions = await collect(services.model, { plan, record, memory, history, event, now });
  const outcome = carryOut(actions, { record, memory }, turnCount, plan);
  const ours: Turn[] =
    outcome.words === null
      ? []
      : [
          {
            call_id: conversation.call_id,
            index: turnCount,
            role: 'assistant',
            content: outcome.words,
            offset_ms: beganAt(freeFromMs, elapsedMs),
            created_at: now.toISOString(),
          },
        ];
  const next: Conversation = {
    ...conversation,
    epoch: conversation.epoch + 1,
    turn_count: turnCount + ours.length,
    offset_ms: ours.reduce((_, turn) => afterSpeaking(turn.offset_ms, turn.content), freeFromMs),
    status: outcome.ended ? 'ended' : 'open',
    state: stateAfter(services.model, outcome),
    updated_at: now.toISOString(),
  };
  const items = [
    replaceConversationItem(services.table, next),
    ...[...changed, ...ours].map((turn) => putTurnItem(services.table, turn)),
  ];
  return { items, outcome };
}

/** Whether the turn was written; false when another frame's turn came first. */
async function written(table: Table, items: TransactionItem[]): Promise<boolean> {
  try {
    await writeTransaction(table, items);
    return true;
  } catch (error) {
    if (error instanceof TransactionConditionFailed || isConflict(error)) return false;
    throw error;
  }
}

/** Two transactions met on the same items; DynamoDB cancels one of them. */
function isConflict(error: unknown): boolean {
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).some((reason) => reason.Code === 'TransactionConflict')
  );
}

/** What never changes once it is written, so a function that has seen it needs no read. Forgets the oldest first. */
class Memo<Value> {
  readonly #values = new Map<string, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  recall(key: string): Value | undefined {
    return this.#values.get(key);
  }

  remember(key: string, value: Value): void {
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#limit && oldest !== undefined) this.#values.delete(oldest);
  }
}

/** Call of each connection. */
const calls = new Memo<string>(1_000);
/** Plan of each call. */
const plans = new Memo<CallPlan>(100);

async function planOf(table: Table, callId: string): Promise<CallPlan> {
  const known = plans.recall(callId);
  if (known !== undefined) return known;
  const plan = CallPlan.parse(await getConversationPlan(table, callId));
  plans.remember(callId, plan);
  return plan;
}

async function callOf(services: ConversationServices, connectionId: string): Promise<string | null> {
  const known = calls.recall(connectionId);
  if (known !== undefined) return known;
  const giveUpAtMs = Date.now() + setupWaitMs;
  for (;;) {
    const connection = await getRelayConnection(services.table, connectionId, services.now().getTime());
    if (connection !== null) {
      calls.remember(connectionId, connection.call_id);
      return connection.call_id;
    }
    if (Date.now() > giveUpAtMs) return null;
    await sleep(setupPollMs);
  }
}

/**
 * The call that a session is for, with its plan; null for a session that is none of ours. The handshake's signature
 * is the same for every call, so the token of this call and the carrier's name for it are checked as well.
 */
async function identifyCall(
  services: ConversationServices,
  { callSid, customParameters = {} }: SetupFrame,
): Promise<{ call: Call; plan: CallPlan } | null> {
  const taskId = Uuid.safeParse(customParameters.task_id);
  const callId = Uuid.safeParse(customParameters.call_id);
  if (!taskId.success || !callId.success) return null;
  if (!verifyRelayToken(await services.authTokens(), callId.data, customParameters.token ?? '')) return null;
  annotateLog({ task_id: taskId.data, call_id: callId.data });
  const [call, task] = await Promise.all([
    getCall(services.table, taskId.data, callId.data),
    getTask(services.table, taskId.data),
  ]);
  if (call === null || task === null || call.status !== 'IN_PROGRESS') return null;
  // The answer to our request to place the call may still be on its way when the person has already picked up.
  if (call.carrier_call_sid !== null && call.carrier_call_sid !== callSid) return null;
  const [patient, project] = await Promise.all([
    getPatient(services.table, task.patient_id),
    getProject(services.table, task.project_id),
  ]);
  return patient === null || project === null ? null : { call, plan: createCallPlan(task, patient, project) };
}

async function collect(model: DialogueModel, input: DialogueInput): Promise<DialogueAction[]> {
  const actions: DialogueAction[] = [];
  for await (const action of model.takeTurn(input, new AbortController().signal)) actions.push(action);
  return actions;
}

function stateAfter(model: DialogueModel, { record, memory }: TurnOutcome): ConversationState {
  return { model: model.name, record, memory };
}
