import { setTimeout as sleep } from 'node:timers/promises';
import type { Table } from '#shared/table/client.ts';
import { getConversationPlan } from '#shared/table/conversation-plan.ts';
import { getRelayConnection } from '#shared/table/relay-connection.ts';
import { CallPlan } from './plan/call-plan.ts';

/*
 * What never changes once it is written: a function that has seen it needs no read while somebody waits for an answer.
 */

/** A frame may arrive while `setup` is still being worked on. */
const setupWaitMs = 3_000;
const setupPollMs = 40;

/** Forgets the oldest first. */
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

/** The call that a connection belongs to; null when none was set up for it, waiting a little for a setup under way. */
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
