import {
  type BedrockRuntimeClient,
  type ContentBlock,
  ConverseStreamCommand,
  type Message,
  type SystemContentBlock,
  type TokenUsage,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod/mini';
import type { LogFields } from '#shared/observability/log.ts';
import { DialogueFailure } from '../dialogue/dialogue-failure.ts';
import type { DialogueAction, DialogueInput, DialogueModel } from '../dialogue/dialogue-model.ts';
import { asksWhomWeReached, reachedSoFar } from '../dialogue/reached-so-far.ts';
import { openingWords, reachQuestion } from '../scripted-model/phrasing.ts';
import { messagesOf } from './messages.ts';
import { type CacheSupport, cacheSupportOf, systemPrompt, toolsOf } from './prompt.ts';
import { failureOf, failureOfStop, readReply } from './reply-stream.ts';
import { TurnInProgress } from './turn-in-progress.ts';

export interface BedrockModelSettings {
  /** Id of a model or, as most models want it, of an inference profile. */
  readonly modelId: string;
  /** Bounds one reply; a spoken turn takes a tenth of it. */
  readonly maxTokens: number;
  /** How often the model is asked within one turn, for what its tools came to. */
  readonly maxRounds: number;
  /** Told counts and durations of every turn: the log of whoever uses the model. */
  readonly report: (turn: LogFields) => void;
}

/** No conversation has more turns of ours than this, whatever is said. */
const maxTurns = 70;
/** How often we ask whom we have reached before we leave them in peace. */
const maxReachQuestions = 4;

/** What this model carries from turn to turn; everything else is in the transcript and the record. */
const Memory = z.object({
  /** What was heard of our last words before the person cut them; `null` when they were not cut. */
  interrupted_after: z.nullable(z.string()),
});
type Memory = z.infer<typeof Memory>;

/**
 * A language model on Amazon Bedrock as a dialogue model. It says the same first words as the scripted one; from then on
 * each turn is one request, or a few when its tools have something to tell it. Speech is passed on word by word.
 *
 * Throws a `DialogueFailure` when the service or the model fails, possibly after words were given.
 */
export function bedrockModel(client: BedrockRuntimeClient, settings: BedrockModelSettings): DialogueModel {
  const cache = cacheSupportOf(settings.modelId);
  return {
    name: 'bedrock',
    isImmediate: false,
    async *takeTurn(input, signal) {
      const memory: Memory = input.memory === null ? { interrupted_after: null } : Memory.parse(input.memory);
      switch (input.event.type) {
        case 'opened':
          // That a machine calls and records is never left to a model to say.
          yield { type: 'say', text: openingWords() };
          return;
        case 'interrupted':
          yield remembering({ interrupted_after: input.event.heard });
          return;
        case 'key-pressed':
          return;
        case 'heard':
        case 'silence': {
          if (isInVain(input)) {
            yield { type: 'end', reason: 'gave-up', farewell: 'follow-up' };
            return;
          }
          const system = systemPrompt(input.plan, reachedSoFar(input), cache);
          yield* askModel({ client, settings, cache, system, input, memory, signal });
          if (!signal.aborted) yield remembering({ interrupted_after: null });
        }
      }
    },
  };
}

function isInVain({ plan, history }: DialogueInput): boolean {
  const ours = history.filter(({ role }) => role === 'assistant');
  const question = reachQuestion(plan);
  return (
    ours.length >= maxTurns ||
    ours.filter(({ content }) => asksWhomWeReached(content, question)).length >= maxReachQuestions
  );
}

function remembering(memory: Memory): DialogueAction {
  return { type: 'remember', memory };
}

interface ModelTurn {
  readonly client: BedrockRuntimeClient;
  readonly settings: BedrockModelSettings;
  readonly cache: CacheSupport;
  readonly system: SystemContentBlock[];
  readonly input: DialogueInput;
  readonly memory: Memory;
  readonly signal: AbortSignal;
}

/** Counts and durations of a turn, for the log. */
interface TurnStatistics {
  rounds: number;
  first_token_ms: number | null;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  tool_uses: number;
  tool_problems: number;
  stop_reason: string | null;
}

async function* askModel(asked: ModelTurn): AsyncGenerator<DialogueAction> {
  const { settings, input, memory, signal } = asked;
  const startedMs = performance.now();
  const statistics: TurnStatistics = {
    rounds: 0,
    first_token_ms: null,
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    tool_uses: 0,
    tool_problems: 0,
    stop_reason: null,
  };
  const turn = new TurnInProgress(input);
  const messages = messagesOf(input, memory.interrupted_after);
  try {
    while (statistics.rounds < settings.maxRounds && !signal.aborted) {
      statistics.rounds += 1;
      const reply = yield* playReply(asked, turn, messages, statistics, startedMs);
      if (reply === null || turn.isDecided) return;
      if (turn.hasSpoken && (reply.results.length === 0 || (turn.isAnswered && !reply.hasProblem))) return;
      if (reply.results.length === 0) throw new DialogueFailure('no-words');
      turn.beginNextReply();
      messages.push({ role: 'assistant', content: reply.content }, { role: 'user', content: reply.results });
    }
    if (!turn.hasSpoken && !signal.aborted) throw new DialogueFailure('no-words');
  } finally {
    settings.report({
      model: settings.modelId,
      ...statistics,
      duration_ms: Math.round(performance.now() - startedMs),
      aborted: signal.aborted,
    });
  }
}

interface Reply {
  readonly content: ContentBlock[];
  /** What its tools came to, for the model to know. */
  readonly results: ContentBlock[];
  readonly hasProblem: boolean;
}

/** Carries one reply out while it comes. `null` when the turn was aborted. */
async function* playReply(
  { client, settings, system, cache, signal }: ModelTurn,
  turn: TurnInProgress,
  messages: readonly Message[],
  statistics: TurnStatistics,
  startedMs: number,
): AsyncGenerator<DialogueAction, Reply | null> {
  // Also ends the request when whoever listens to this turn goes away.
  const listener = new AbortController();
  const abortSignal = AbortSignal.any([signal, listener.signal]);
  const results: ContentBlock[] = [];
  let content: ContentBlock[] = [];
  let hasBegun = false;
  let hasProblem = false;
  let ending: DialogueAction | null = null;
  try {
    const { stream } = await client.send(
      new ConverseStreamCommand({
        modelId: settings.modelId,
        system,
        messages: [...messages],
        toolConfig: { tools: toolsOf(cache) },
        inferenceConfig: { maxTokens: settings.maxTokens },
      }),
      { abortSignal },
    );
    hasBegun = true;
    for await (const part of readReply(stream ?? nothing())) {
      if (signal.aborted) return null;
      if (part.type === 'text' || part.type === 'tool') {
        statistics.first_token_ms ??= Math.round(performance.now() - startedMs);
      }
      let actions: readonly DialogueAction[] = [];
      switch (part.type) {
        case 'text':
          actions = turn.write(part.piece);
          break;
        case 'text-end':
          actions = turn.finishText();
          break;
        case 'tool': {
          const outcome = turn.use(part);
          statistics.tool_uses += 1;
          if (outcome.isProblem) statistics.tool_problems += 1;
          hasProblem ||= outcome.isProblem;
          results.push(outcome.result);
          actions = outcome.actions;
          break;
        }
        case 'stop':
          statistics.stop_reason = part.reason;
          content = part.content;
          actions = turn.finishText();
          break;
        case 'usage':
          count(statistics, part.usage);
      }
      for (const action of actions) {
        if (signal.aborted) return null;
        // Nobody listens any more after the end, not even for what the turn has cost.
        if (action.type === 'end') ending = action;
        else yield action;
      }
      const failure = part.type === 'stop' && !turn.isDecided ? failureOfStop(part.reason) : null;
      if (failure !== null) throw new DialogueFailure(failure);
    }
  } catch (error) {
    if (signal.aborted) return null;
    // What is decided stands, however the stream ends.
    if (!turn.isDecided) throw failureOf(error, hasBegun ? 'broken-stream' : 'unavailable');
  } finally {
    listener.abort();
  }
  if (signal.aborted) return null;
  if (ending !== null) yield ending;
  return { content, results, hasProblem };
}

function count(statistics: TurnStatistics, usage: TokenUsage): void {
  statistics.input_tokens += usage.inputTokens ?? 0;
  statistics.output_tokens += usage.outputTokens ?? 0;
  statistics.cache_read_tokens += usage.cacheReadInputTokens ?? 0;
  statistics.cache_write_tokens += usage.cacheWriteInputTokens ?? 0;
}

async function* nothing(): AsyncGenerator<never> {}
