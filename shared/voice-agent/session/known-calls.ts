import { setTimeout as sleep } from 'node:timers/promises';
import type { AnsweredBy } from '#shared/domain/call.ts';
import type { Table } from '#shared/table/client.ts';
import type { Conversation, StoredTurn } from '#shared/table/conversation.ts';
import { getConversationPlan } from '#shared/table/conversation-plan.ts';
import { getRelayConnection } from '#shared/table/relay-connection.ts';
import { CallPlan } from '../call-plan/call-plan.ts';

/*
 * Data a function has seen needs no read while a person waits for an answer: some of it never changes once
 * written, and the next step proves the state of a conversation.
 */

/** A frame may arrive while `setup` is still in progress. */
const setupWaitMs = 3_000;
const setupPollMs = 40;

/** Evicts the oldest first. */
class Memo<Value> {
  readonly #values = new Map<string, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  recall(key: string): Value | undefined {
    return this.#values.get(key);
  }

  forget(key: string): void {
    this.#values.delete(key);
  }

  remember(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#limit && oldest !== undefined) this.#values.delete(oldest);
  }
}

/** Call of each connection. */
const calls = new Memo<string>(1_000);
/** Plan of each call. */
const plans = new Memo<CallPlan>(100);

/** A conversation after this function's last step in it. */
export interface CachedConversation {
  readonly conversation: Conversation;
  readonly turns: readonly StoredTurn[];
  /** As known at that step. */
  readonly answeredBy: AnsweredBy | null;
}
const cachedConversations = new Memo<CachedConversation>(50);

/**
 * The state of a conversation, if this function took its last step, which is typical: the most
 * recent environment is used first. Another may have continued since; then the next step fails and the
 * conversation must be read.
 */
export function recallConversation(callId: string): CachedConversation | undefined {
  return cachedConversations.recall(callId);
}

export function rememberConversation({ conversation, ...cached }: CachedConversation): void {
  // A copy, as from a read: a model must not find its own, possibly changed objects.
  const state: unknown = JSON.parse(JSON.stringify(conversation.state));
  cachedConversations.remember(conversation.call_id, { ...cached, conversation: { ...conversation, state } });
}

export function forgetConversation(callId: string): void {
  cachedConversations.forget(callId);
}

export function rememberCall(connectionId: string, callId: string, plan: CallPlan): void {
  calls.remember(connectionId, callId);
  plans.remember(callId, plan);
}

export async function planOf(table: Table, callId: string): Promise<CallPlan> {
  const known = plans.recall(callId);
  if (known !== undefined) return known;
  const plan = CallPlan.parse(await getConversationPlan(table, callId));
  plans.remember(callId, plan);
  return plan;
}

/** The call of a connection; null if none was set up for it, after a short wait for a setup in progress. */
export async function callOf(table: Table, connectionId: string, now: () => Date): Promise<string | null> {
  const known = calls.recall(connectionId);
  if (known !== undefined) return known;
  const giveUpAtMs = Date.now() + setupWaitMs;
  for (;;) {
    const connection = await getRelayConnection(table, connectionId, now().getTime());
    if (connection !== null) {
      calls.remember(connectionId, connection.call_id);
      return connection.call_id;
    }
    if (Date.now() > giveUpAtMs) return null;
    await sleep(setupPollMs);
  }
}
