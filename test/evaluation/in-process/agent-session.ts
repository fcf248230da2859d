import type { AnsweredBy } from '#shared/domain/call.ts';
import { Conversation, isInTranscript, type StoredTurn } from '#shared/table/conversation.ts';
import type { CallPlan } from '#shared/voice-agent/call-plan/call-plan.ts';
import { ConversationState } from '#shared/voice-agent/dialogue/conversation-state.ts';
import type {
  DialogueAction,
  DialogueInput,
  DialogueModel,
} from '#shared/voice-agent/dialogue/dialogue-model.ts';
import { emptyRecord } from '#shared/voice-agent/dialogue/dialogue-record.ts';
import { apologize } from '#shared/voice-agent/session/apology.ts';
import { findInterrupted, historyWith, recordWith } from '#shared/voice-agent/session/interruption.ts';
import {
  giveUpHolding,
  giveUpListening,
  isHeldTooLong,
  msUntilTooQuiet,
  quietMs,
  withinHoldLimit,
} from '#shared/voice-agent/session/silence.ts';
import { afterSpeaking } from '#shared/voice-agent/session/timeline.ts';
import { carryOut } from '#shared/voice-agent/session/turn-outcome.ts';
import {
  afterInput,
  afterTurn,
  type ConversationSnapshot,
  questionFor,
  type TurnInput,
} from '#shared/voice-agent/session/turn-steps.ts';
import { sampleConversation } from '../../support/sample-tasks.ts';

/** What the agent sends, in this order. */
export type AgentEvent =
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'speech'; readonly text: string; readonly isOpening: boolean }
  /** The session is over; the document that closes the call says these words, null for none. */
  | { readonly kind: 'end' };

/** How long a silence lasts before it is an event, by default as deployed. */
const silenceMs = 9_000;

/**
 * One conversation of the voice agent, kept in memory: the rules of `shared/voice-agent/session` on the
 * events of a line, without the table and the relay. Takes one event at a time.
 */
export class AgentSession {
  /** Real milliseconds from the words heard to the first reaction. */
  readonly responseTimesMs: number[] = [];
  readonly modelErrors: unknown[] = [];
  /** What the person really said, by the index of the turn. */
  readonly said = new Map<number, string>();
  /** The verdict of answering-machine detection, once there is one. */
  answeredBy: AnsweredBy | null = null;
  #conversation: Conversation;
  #turns: readonly StoredTurn[] = [];
  readonly #model: DialogueModel;
  readonly #plan: CallPlan;
  readonly #now: () => Date;

  constructor(model: DialogueModel, plan: CallPlan, callId: string, now: () => Date) {
    this.#model = model;
    // Storage is JSON, so the plan must survive it.
    this.#plan = JSON.parse(JSON.stringify(plan));
    this.#now = now;
    this.#conversation = newConversation(callId, model.name, now());
  }

  /** All turns, including those that the person did not hear. */
  get turns(): readonly StoredTurn[] {
    return this.#turns;
  }

  get state(): ConversationState {
    return ConversationState.parse(this.#conversation.state);
  }

  /** The line opens, and the agent speaks first. */
  open(): Promise<AgentEvent[]> {
    return this.#take({ ...this.#nothingNew(), event: { type: 'opened' } });
  }

  /**
   * @param words what speech recognition understands of what the person said
   * @param said what they really said
   */
  hear(words: string, said: string): Promise<AgentEvent[]> {
    const now = this.#now();
    const index = this.#conversation.turn_count;
    const turn: StoredTurn = {
      call_id: this.#conversation.call_id,
      index,
      role: 'user',
      content: words,
      offset_ms: Math.max(this.#conversation.offset_ms, this.#elapsedMs(now)),
      created_at: now.toISOString(),
    };
    this.said.set(index, said);
    return this.#take({
      ...this.#nothingNew(),
      event: { type: 'heard', text: words, turn: index },
      written: [turn],
      turnCount: index + 1,
      freeFromMs: afterSpeaking(turn.offset_ms, words),
    });
  }

  pressKey(digit: string): Promise<AgentEvent[]> {
    return this.#take({ ...this.#nothingNew(), event: { type: 'key-pressed', digit } });
  }

  /** Our words were interrupted; `heard` is the part of the talk cycle that reached the person. */
  async interrupt(heard: string): Promise<AgentEvent[]> {
    const found = findInterrupted(
      { type: 'interrupt', utteranceUntilInterrupt: heard },
      { conversation: this.#conversation, turns: this.#turns, plan: this.#plan, now: this.#now() },
    );
    if (found.kind === 'unknown' || found.kind === 'nothing') return [];
    const { cut } = found;
    const record = recordWith(this.state.record, cut);
    if (found.kind === 'older') {
      this.#conversation = { ...this.#conversation, state: { ...this.state, record } };
      this.#write([cut]);
      return [];
    }
    return this.#take({
      ...this.#nothingNew(),
      event: { type: 'interrupted', heard: cut.content },
      history: historyWith(this.#turns, cut),
      written: [cut],
      freeFromMs: Math.min(this.#conversation.offset_ms, afterSpeaking(cut.offset_ms, cut.content)),
      record,
    });
  }

  /** In how many natural milliseconds to check for silence; 0 if it has lasted too long. */
  get msUntilTooQuiet(): number {
    return msUntilTooQuiet(this.#conversation, this.#plan, silenceMs, this.#now());
  }

  /** The agent's reaction to a silence, if it has lasted too long. */
  async noteSilence(): Promise<AgentEvent[]> {
    const now = this.#now();
    const { waiting_since, silences } = this.#conversation;
    const happening: TurnInput = {
      ...this.#nothingNew(),
      event: { type: 'silence', seconds: Math.round(quietMs(this.#conversation, now) / 1000) },
      silences: silences + 1,
    };
    if (waiting_since !== null) {
      return isHeldTooLong(waiting_since, this.#plan, now)
        ? this.#take({ ...happening, actions: giveUpHolding(waiting_since, now) })
        : [];
    }
    if (quietMs(this.#conversation, now) < silenceMs) return [];
    return this.#take(silences === 0 ? happening : { ...happening, actions: giveUpListening });
  }

  #nothingNew(): Omit<TurnInput, 'event'> {
    return {
      history: this.#turns.filter(isInTranscript),
      written: [],
      turnCount: this.#conversation.turn_count,
      freeFromMs: this.#conversation.offset_ms,
      silences: 0,
    };
  }

  async #take(happening: TurnInput): Promise<AgentEvent[]> {
    if (this.#conversation.status === 'ended') return [];
    const reading = this.#read();
    const conversation = afterInput(reading, happening, null);
    const question = questionFor(this.#model, reading, conversation, happening);
    const decided = happening.actions ?? (await this.#decide(question));
    const actions = withinHoldLimit(decided, conversation, this.#plan, reading.now);
    const outcome = carryOut(actions, question, happening.turnCount, this.#plan);
    const { next, ours } = afterTurn(conversation, outcome, {
      actions,
      index: happening.turnCount,
      model: this.#model.name,
      spokeAtMs: reading.elapsedMs,
      now: reading.now,
    });
    this.#write([...happening.written, ...ours]);
    // Storage is JSON, so the memory must survive it.
    this.#conversation = { ...next, state: JSON.parse(JSON.stringify(next.state)) };
    return eventsOf(actions, happening.event.type === 'opened');
  }

  /** The agent apologizes for a model that fails, as in the service. */
  async #decide(question: DialogueInput): Promise<DialogueAction[]> {
    const startedMs = performance.now();
    let firstMs: number | null = null;
    const actions: DialogueAction[] = [];
    try {
      for await (const action of this.#model.takeTurn(question, never)) {
        if (['say', 'press', 'end'].includes(action.type)) firstMs ??= performance.now();
        actions.push(action);
      }
    } catch (error) {
      this.modelErrors.push(error);
      return apologize(question);
    }
    if (firstMs !== null && question.event.type === 'heard') this.responseTimesMs.push(firstMs - startedMs);
    return actions;
  }

  #read(): ConversationSnapshot {
    const now = this.#now();
    return {
      plan: this.#plan,
      conversation: this.#conversation,
      turns: this.#turns,
      answeredBy: this.answeredBy,
      now,
      elapsedMs: this.#elapsedMs(now),
    };
  }

  #elapsedMs(now: Date): number {
    return now.getTime() - Date.parse(this.#conversation.started_at);
  }

  #write(written: readonly StoredTurn[]): void {
    const replaced = new Set(written.map(({ index }) => index));
    this.#turns = [...this.#turns.filter(({ index }) => !replaced.has(index)), ...written].sort(
      (one, other) => one.index - other.index,
    );
  }
}

/** Nothing stops a model here. */
const never = new AbortController().signal;

/** Several sentences of a turn are one talk cycle, and keys are sent before it. */
function eventsOf(actions: readonly DialogueAction[], isOpening: boolean): AgentEvent[] {
  const end = actions.findIndex(({ type }) => type === 'end');
  const done = end < 0 ? actions : actions.slice(0, end);
  const digits = done.flatMap((action): AgentEvent[] =>
    action.type === 'press' ? [{ kind: 'digits', digits: action.digits }] : [],
  );
  const text = done.flatMap((action) => (action.type === 'say' ? [action.text] : [])).join(' ');
  return [
    ...digits,
    ...(text.trim() === '' ? [] : [{ kind: 'speech', text, isOpening } as const]),
    ...(end < 0 ? [] : [{ kind: 'end' } as const]),
  ];
}

function newConversation(callId: string, model: string, now: Date): Conversation {
  const at = now.toISOString();
  return Conversation.parse({
    ...sampleConversation(callId, { task_id: callId, project_id: callId, started_at: at, updated_at: at }),
    quiet_since: at,
    state: { model, record: emptyRecord, memory: null },
  });
}
