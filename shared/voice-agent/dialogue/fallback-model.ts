import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { log } from '#shared/observability/log.ts';
import { type FailureReason, failureCauseOf, failureReasonOf } from './dialogue-failure.ts';
import type { DialogueAction, DialogueInput, DialogueModel } from './dialogue-model.ts';
import type { DialogueRecord } from './dialogue-record.ts';
import { recordAfter } from './record-after.ts';

/** How long somebody on the line is let wait for a model that takes its time. */
export interface FallbackLimits {
  /** After so long without a word something is said to bridge the gap, in milliseconds. */
  readonly fillerAfterMs: number;
  /** After so long without a word the standby takes the turn. */
  readonly giveUpAfterMs: number;
  /** The longest silence in the middle of a turn. */
  readonly stalledAfterMs: number;
  /** A turn that goes on for longer is cut. */
  readonly turnWithinMs: number;
  /** After so many failures in a row the standby keeps the call. */
  readonly maxFailures: number;
}

/** A model that can always answer, and how it is told what it has missed while another one held the conversation. */
export interface Standby {
  /** Immediate, so that nobody waits for it a second time. */
  readonly model: DialogueModel;
  catchUp(memory: unknown, input: DialogueInput): unknown;
}

const Memory = z.object({
  primary: z.unknown(),
  standby: z.unknown(),
  /** Turns in a row in which the primary model failed. */
  failures: z.int(),
});
type Memory = z.infer<typeof Memory>;

const filler = 'One moment, please.';
/** Ends a sentence that broke off. */
const excuse = '... Excuse me.';

/**
 * Two models as one: the primary model takes the turns as long as it can, the standby takes those in which it is too
 * slow or fails, and continues a turn that broke off before anything was asked. The conversation goes on as if one had
 * held it: both share the record, and what the standby did not see it is told.
 */
export function fallbackModel(
  primary: DialogueModel,
  standby: Standby,
  limits: FallbackLimits,
): DialogueModel {
  return {
    name: primary.name,
    isImmediate: false,
    async *takeTurn(input, signal) {
      const memory: Memory =
        input.memory === null ? { primary: null, standby: null, failures: 0 } : Memory.parse(input.memory);
      if (memory.failures >= limits.maxFailures) {
        memory.standby = yield* standbyTurn(standby, memory.standby, input, signal);
        if (!signal.aborted) yield { type: 'remember', memory };
        return;
      }
      const turn = new WatchedTurn(input, memory.primary);
      const failure = yield* watch(primary, standby, limits, turn, memory, signal);
      if (signal.aborted) return;
      memory.primary = turn.memory;
      if (failure !== null) {
        memory.failures += 1;
        log('dialogue-fallback', {
          model: primary.name,
          reason: failure.reason,
          cause: failure.cause,
          failures: memory.failures,
          spoke: turn.hasSpoken,
        });
        memory.standby = yield* takeOver(standby, memory.standby, turn, signal);
      } else if (isAnswered(input)) {
        memory.failures = 0;
      }
      if (!signal.aborted) yield { type: 'remember', memory };
    },
  };
}

/** Events that a model has to think about; others cannot fail and prove nothing. */
function isAnswered({ event }: DialogueInput): boolean {
  return event.type === 'heard' || event.type === 'silence';
}

/** What the primary model has done in its turn so far. */
class WatchedTurn {
  readonly input: DialogueInput;
  record: DialogueRecord;
  memory: unknown;
  /** The turn can stand as it is: keys were pressed, the call was ended, or nothing is to be said. */
  isDecided = false;
  #said = '';

  constructor(input: DialogueInput, memory: unknown) {
    this.input = input;
    this.record = input.record;
    this.memory = memory;
  }

  get hasSpoken(): boolean {
    return this.#said !== '';
  }

  /** Whether there is something to hear, or nothing to wait for. */
  get hasBegun(): boolean {
    return this.hasSpoken || this.isDecided;
  }

  get isInMidSentence(): boolean {
    return this.hasSpoken && !/[.?!]["')]*$/.test(this.#said);
  }

  get hasAsked(): boolean {
    return /\?["')]*$/.test(this.#said);
  }

  note(action: DialogueAction): void {
    this.record = recordAfter(this.record, action, this.input.history.length);
    if (action.type === 'say') this.#said = action.text;
    this.isDecided ||= action.type === 'press' || action.type === 'wait' || action.type === 'end';
  }
}

interface Failure {
  readonly reason: FailureReason;
  readonly cause: string | null;
}

function lateness({ hasBegun }: WatchedTurn): Failure {
  return { reason: hasBegun ? 'stalled' : 'too-slow', cause: null };
}

type Outcome =
  | { readonly type: 'action'; readonly action: DialogueAction }
  | { readonly type: 'done' }
  | { readonly type: 'late' }
  | { readonly type: 'aborted' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** Passes the primary model's actions on while they come in time. Returns why it failed, or `null`. */
async function* watch(
  primary: DialogueModel,
  standby: Standby,
  limits: FallbackLimits,
  turn: WatchedTurn,
  memory: Memory,
  signal: AbortSignal,
): AsyncGenerator<DialogueAction, Failure | null> {
  const giveUp = new AbortController();
  const actions = primary
    .takeTurn({ ...turn.input, memory: memory.primary }, AbortSignal.any([signal, giveUp.signal]))
    [Symbol.asyncIterator]();
  const startedMs = performance.now();
  let latestMs = startedMs;
  let isFillerDue = true;
  let next = outcomeOf(actions.next());
  try {
    for (;;) {
      const now = performance.now();
      const giveUpAtMs = Math.min(
        turn.hasBegun ? latestMs + limits.stalledAfterMs : startedMs + limits.giveUpAfterMs,
        startedMs + limits.turnWithinMs,
      );
      const fillAtMs =
        isFillerDue && !turn.hasBegun ? startedMs + limits.fillerAfterMs : Number.POSITIVE_INFINITY;
      if (giveUpAtMs <= now) return lateness(turn);
      const outcome = await inTime(next, Math.min(giveUpAtMs, fillAtMs) - now, signal);
      switch (outcome.type) {
        case 'aborted':
        case 'done':
          return null;
        case 'failed':
          return outcome.failure;
        case 'late':
          // Not by the clock, because timers end a little early now and then.
          if (giveUpAtMs <= fillAtMs) return lateness(turn);
          isFillerDue = false;
          if (await wouldSpeak(standby, memory.standby, turn.input, signal)) {
            yield { type: 'say', text: filler };
          }
          break;
        case 'action':
          next = outcomeOf(actions.next());
          if (outcome.action.type === 'remember') turn.memory = outcome.action.memory;
          else {
            turn.note(outcome.action);
            yield outcome.action;
          }
          // Whoever listens may take their time; that is no silence of the model.
          latestMs = performance.now();
      }
    }
  } finally {
    giveUp.abort();
  }
}

/** Never rejects, so that one which nobody waits for any more cannot go unhandled. */
async function outcomeOf(next: Promise<IteratorResult<DialogueAction>>): Promise<Outcome> {
  try {
    const result = await next;
    return result.done === true ? { type: 'done' } : { type: 'action', action: result.value };
  } catch (error) {
    return { type: 'failed', failure: { reason: failureReasonOf(error), cause: failureCauseOf(error) } };
  }
}

async function inTime(next: Promise<Outcome>, waitMs: number, signal: AbortSignal): Promise<Outcome> {
  if (signal.aborted) return { type: 'aborted' };
  const waiting = new AbortController();
  const late = sleep(Math.max(waitMs, 0), undefined, {
    signal: AbortSignal.any([signal, waiting.signal]),
  }).then(
    (): Outcome => ({ type: 'late' }),
    (): Outcome => ({ type: 'aborted' }),
  );
  const outcome = await Promise.race([next, late]);
  waiting.abort();
  return signal.aborted ? { type: 'aborted' } : outcome;
}

/** Music, menus and answering machines are not asked to wait a moment: there the standby would keep silent, too. */
async function wouldSpeak(
  standby: Standby,
  memory: unknown,
  input: DialogueInput,
  signal: AbortSignal,
): Promise<boolean> {
  const caughtUp = standby.catchUp(memory, input);
  for await (const { type } of standby.model.takeTurn({ ...input, memory: caughtUp }, signal)) {
    if (type === 'say') return true;
  }
  return false;
}

/**
 * The standby takes the turn, or the rest of it. Words that broke off are excused; after a question or a decision there
 * is nothing to add. Returns the standby's memory.
 */
async function* takeOver(
  standby: Standby,
  memory: unknown,
  turn: WatchedTurn,
  signal: AbortSignal,
): AsyncGenerator<DialogueAction, unknown> {
  if (turn.isDecided || turn.hasAsked) return memory;
  if (turn.isInMidSentence) yield { type: 'say', text: excuse };
  return yield* standbyTurn(standby, memory, { ...turn.input, record: turn.record }, signal);
}

async function* standbyTurn(
  standby: Standby,
  memory: unknown,
  input: DialogueInput,
  signal: AbortSignal,
): AsyncGenerator<DialogueAction, unknown> {
  let latest = standby.catchUp(memory, input);
  for await (const action of standby.model.takeTurn({ ...input, memory: latest }, signal)) {
    if (signal.aborted) break;
    if (action.type === 'remember') latest = action.memory;
    else yield action;
  }
  return latest;
}
