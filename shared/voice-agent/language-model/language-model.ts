import * as z from 'zod/mini';
import type { LogFields } from '#shared/observability/log.ts';
import { isOfCaller } from '../call-plan/disclosure.ts';
import type { GovernedInput, ProposingModel } from '../core/conversation-core.ts';
import { isAskedEnough } from '../core/progress-guard.ts';
import { notice, openingWords, reachQuestion } from '../core/wording.ts';
import { DialogueFailure } from '../dialogue/dialogue-failure.ts';
import type { DialogueAction } from '../dialogue/dialogue-model.ts';
import { messagesOf } from './messages.ts';
import { planText, promptVersion, type Reached, rules } from './prompt.ts';
import { toolSpecs } from './tools.ts';
import type { ModelRequest, ReplyEvent, Transport } from './transport.ts';
import { TurnInProgress } from './turn-in-progress.ts';

/** Receives counts and durations of every turn, for the caller's log. */
export type ReportTurn = (turn: LogFields) => void;

/** How often the model is asked within one turn, for the results of its tools. */
const maxRounds = 4;

/** This model's state between turns; everything else is in the transcript and the record. */
const Memory = z.object({
  /** The heard part of our last words before an interruption; `null` without one. */
  interrupted_after: z.nullable(z.string()),
});

/**
 * A language model as a dialogue model. It states the caller and the recording notice in the same words as
 * the built-in model; each turn is one request, or several if its tools return something. Speech is
 * passed on word by word.
 *
 * Throws a `DialogueFailure` if the service or the model fails, possibly after some words.
 */
export function languageModel(name: string, transport: Transport, report: ReportTurn): ProposingModel {
  return {
    name,
    isImmediate: false,
    async *takeTurn(input, signal) {
      const { event } = input;
      // The notice of an automated, recorded call is never left to a model.
      if (event.type === 'opened') yield { type: 'say', text: openingWords(input.plan) };
      else if (event.type === 'interrupted') yield remembering(event.heard);
      else if (event.type === 'key-pressed') return;
      else if (isUnknownParty(input)) yield { type: 'end', reason: 'gave-up', farewell: 'follow-up' };
      else {
        yield* askModel(transport, input, signal, report);
        if (!signal.aborted) yield remembering(null);
      }
    },
  };
}

function isUnknownParty({ view: { party, reach_asked } }: GovernedInput): boolean {
  return party.status !== 'verified' && isAskedEnough(party.asked, reach_asked);
}

/** From this likelihood on, words are taken for a line without a person to tell anything. */
const leastNobody = 0.5;
const ofMachines = new Set(['mailbox', 'menu', 'announcement']);

/** Who is on the line, as the words so far show. */
function reachedBy({ view: { party, heard } }: GovernedInput): Reached {
  if (party.status === 'verified') return 'right-place';
  const isNobody =
    party.status === 'wrong' ||
    heard?.moves.some(
      ({ acts }) => (acts.get('mailbox') ?? 0) + (acts.get('wrong-number') ?? 0) >= leastNobody,
    );
  return isNobody ? 'nobody-to-tell' : 'unclear';
}

/** A person on the line has not yet heard that the call is automated and recorded. */
function isNoticeDue({ view: { party, heard } }: GovernedInput): boolean {
  return heard !== null && !party.notice_heard && !heard.moves.some(({ act }) => ofMachines.has(act));
}

function remembering(interrupted_after: string | null): DialogueAction {
  return { type: 'remember', memory: { interrupted_after } satisfies z.infer<typeof Memory> };
}

async function* askModel(
  transport: Transport,
  input: GovernedInput,
  signal: AbortSignal,
  report: ReportTurn,
): AsyncGenerator<DialogueAction> {
  const statistics = new TurnStatistics();
  const reached = reachedBy(input);
  const facts = [...new Set([...input.plan.facts.filter(isOfCaller), ...input.view.facts])];
  let isIntroduced = !isNoticeDue(input);
  const turn = new TurnInProgress(input, facts);
  const memory = input.memory === null ? null : Memory.parse(input.memory);
  const messages = messagesOf(input, memory?.interrupted_after ?? null);
  const plan = planText(input.plan, {
    reached,
    facts,
    question: reachQuestion(input.plan, input.view.reach_asked),
  });
  try {
    while (statistics.fields.rounds < maxRounds && !signal.aborted) {
      statistics.fields.rounds += 1;
      const request = { rules, plan, tools: toolSpecs, messages: [...messages] };
      for await (const action of playReply(transport, request, turn, statistics, signal)) {
        // That is never left to a model.
        if (action.type === 'say' && !isIntroduced) yield { type: 'say', text: notice(input.plan, 1) };
        isIntroduced ||= action.type === 'say';
        yield action;
      }
      if (signal.aborted || turn.isOver) return;
      const next = turn.nextMessages();
      if (next.length === 0) break;
      messages.push(...next);
    }
    if (!turn.hasSpoken && !signal.aborted) throw new DialogueFailure('no-words');
  } finally {
    report({
      model: transport.model,
      prompt_version: promptVersion,
      ...statistics.fields,
      ...turn.counts,
      duration_ms: statistics.passedMs,
      aborted: signal.aborted,
    });
  }
}

/** Carries out a reply as it arrives. */
async function* playReply(
  transport: Transport,
  request: ModelRequest,
  turn: TurnInProgress,
  statistics: TurnStatistics,
  signal: AbortSignal,
): AsyncGenerator<DialogueAction> {
  // Also aborts the request when the turn is no longer consumed.
  const listener = new AbortController();
  let ending: DialogueAction | null = null;
  try {
    for await (const part of transport.stream(request, AbortSignal.any([signal, listener.signal]))) {
      statistics.count(part);
      for (const action of turn.take(part)) {
        if (signal.aborted) return;
        // No one listens after the end, not even for the turn's token counts.
        if (action.type === 'end') ending = action;
        else yield action;
      }
    }
  } catch (error) {
    // Decisions stand, however the stream ends.
    if (!signal.aborted && !turn.isDecided) throw error;
  } finally {
    listener.abort();
  }
  if (ending !== null && !signal.aborted) yield ending;
}

/** Counts and durations of a turn, for the log. */
class TurnStatistics {
  readonly #startedMs = performance.now();
  readonly fields = {
    rounds: 0,
    first_token_ms: null as number | null,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    stop_reason: null as string | null,
  };

  get passedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }

  count(part: ReplyEvent): void {
    this.fields.first_token_ms ??= this.passedMs;
    if (part.type !== 'done') return;
    this.fields.stop_reason = part.stop;
    this.fields.input_tokens += part.usage.input;
    this.fields.output_tokens += part.usage.output;
    this.fields.cache_read_tokens += part.usage.cacheRead;
    this.fields.cache_write_tokens += part.usage.cacheWrite;
  }
}
