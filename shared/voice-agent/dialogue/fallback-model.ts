import { setTimeout as sleep } from 'node:timers/promises';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { log } from '#shared/observability/log.ts';
import type { GovernedInput, ProposingModel } from '../core/conversation-core.ts';
import { endMark, endsSentence } from '../core/spoken-guard.ts';
import { type FailureReason, failureCauseOf, failureReasonOf } from './dialogue-failure.ts';
import type { DialogueAction } from './dialogue-model.ts';

/** How long a person on the line waits for a slow model. */
export interface FallbackLimits {
  /** After this long without a word, words bridge the gap, in milliseconds. */
  readonly fillerAfterMs: number;
  /** After this long without a word, the model has failed. */
  readonly giveUpAfterMs: number;
  /** The longest silence within a turn. */
  readonly stalledAfterMs: number;
  /** A longer turn is cut off. */
  readonly turnWithinMs: number;
}

const filler = 'One moment, please.';
/** Ends an interrupted sentence. */
const excuse = '... Excuse me.';
/** Said once for a model that had nothing to say. */
const again = 'Could you say that again, please?';
const closing: DialogueAction = { type: 'end', reason: 'gave-up', farewell: 'fault' };

/**
 * Watches a model while a person waits for it. If it is too slow or fails, nothing replaces it:
 * the call ends with a word on the technical problem, unless the turn can stand as it is, or the model only had
 * nothing to say for the first time.
 */
export function fallbackModel(model: ProposingModel, limits: FallbackLimits): ProposingModel {
  return {
    name: model.name,
    isImmediate: false,
    async *takeTurn(input, signal) {
      const turn = new WatchedTurn();
      const failure = yield* watch(model, limits, turn, input, signal);
      if (signal.aborted || failure === null) return;
      log(alarmingEvents.dialogueFallback, { model: model.name, ...failure, spoke: turn.hasSpoken });
      if (turn.canStand) return;
      if (failure.reason === 'no-words' && isWaitedFor(input) && !hasAskedAgain(input)) {
        yield { type: 'say', text: again };
        return;
      }
      if (turn.isInMidSentence) yield { type: 'say', text: excuse };
      yield closing;
    },
  };
}

/** The model's actions in this turn so far. */
class WatchedTurn {
  /** Keys were pressed, the call was ended, or silence was chosen. */
  #isDecided = false;
  #said = '';

  get hasSpoken(): boolean {
    return this.#said !== '';
  }

  /** Whether there is something to hear, or nothing to wait for. */
  get hasBegun(): boolean {
    return this.hasSpoken || this.#isDecided;
  }

  get isInMidSentence(): boolean {
    return this.hasSpoken && !endsSentence(this.#said);
  }

  /** It is the other side's turn, so nothing needs to be added. */
  get canStand(): boolean {
    return this.#isDecided || (this.hasSpoken && endMark(this.#said) === '?');
  }

  note(action: DialogueAction): void {
    if (action.type === 'say') this.#said = action.text;
    this.#isDecided ||= action.type === 'press' || action.type === 'wait' || action.type === 'end';
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

/** Passes on the model's actions while they arrive in time. Returns why it failed, or `null`. */
async function* watch(
  model: ProposingModel,
  limits: FallbackLimits,
  turn: WatchedTurn,
  input: GovernedInput,
  signal: AbortSignal,
): AsyncGenerator<DialogueAction, Failure | null> {
  const giveUp = new AbortController();
  const actions = model.takeTurn(input, AbortSignal.any([signal, giveUp.signal]))[Symbol.asyncIterator]();
  const startedMs = performance.now();
  let latestMs = startedMs;
  let isFillerDue = isWaitedFor(input);
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
          // Not by the clock, because timers sometimes fire a little early.
          if (giveUpAtMs <= fillAtMs) return lateness(turn);
          isFillerDue = false;
          yield { type: 'say', text: filler };
          break;
        case 'action':
          next = outcomeOf(actions.next());
          turn.note(outcome.action);
          yield outcome.action;
          // A listening person may take their time; that is not silence of the model.
          latestMs = performance.now();
      }
    }
  } finally {
    giveUp.abort();
  }
}

function hasAskedAgain({ history }: GovernedInput): boolean {
  return history.findLast(({ role }) => role === 'assistant')?.content.endsWith(again) === true;
}

/** Acts after which no one waits for our words: those of machines, and requests to wait. */
const patientActs = new Set(['menu', 'announcement', 'mailbox', 'hold', 'transfer']);

/** Music, menus and answering machines are not asked to wait a moment. */
function isWaitedFor({ view: { heard } }: GovernedInput): boolean {
  return heard?.moves.some(({ act }) => !patientActs.has(act)) === true;
}

/** Never rejects, so an abandoned one cannot go unhandled. */
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
