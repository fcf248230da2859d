import type { z } from 'zod/mini';
import { DialogueFailure, type FailureReason } from '../dialogue/dialogue-failure.ts';

/*
 * What a language model is asked and what it answers, in words of our own: the same for every service that runs one. A
 * transport puts it into the form of its service and reads the answer as it comes.
 */

export type Json = z.core.util.JSONType;

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Json;
}

/** A part of a message. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: Json }
  | { readonly type: 'result'; readonly id: string; readonly text: string; readonly isProblem: boolean }
  /**
   * Everything before it comes again in the next turn, so it is worth keeping for services that are told what
   * to keep.
   */
  | { readonly type: 'boundary' };

/** Messages alternate, the user's first; the results of tools stand alone in the message after their uses. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Block[];
}

export interface ModelRequest {
  /** The same for every call. */
  readonly rules: string;
  /** The plan of this call. */
  readonly plan: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** Bounds the reply, in tokens; as long as a turn may be when it is left out. */
  readonly maxTokens?: number;
}

/** Counts of tokens; `input` are those that were neither read from a cache nor written into one. */
export type Usage = Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>>;

export type ReplyEvent =
  | { readonly type: 'text'; readonly piece: string }
  | { readonly type: 'text-end' }
  /** A use of a tool with the whole of its input; `undefined` when that was no JSON. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: Json | undefined }
  /** The reply is over; `stop` is why, in the words of the service. */
  | { readonly type: 'done'; readonly stop: string; readonly usage: Usage };

export interface Transport {
  /** The model, as the service calls it. */
  readonly model: string;
  /**
   * Sends a request, once, and gives the reply as it comes. Ends the request when `signal` is aborted; what
   * it throws then means nothing.
   *
   * @throws DialogueFailure when the service refuses, breaks off or stops the reply before its end
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ReplyEvent>;
}

/** Bounds one reply; a spoken turn takes a tenth of it. */
export const maxReplyTokens = 600;
/** The likeliest words each time: a person who calls twice is spoken to in the same way. */
export const temperature = 0;

/** The input of a tool as the model wrote it; nothing at all stands for `{}`. */
export function parsedInput(written: string): Json | undefined {
  try {
    return JSON.parse(written.trim() === '' ? '{}' : written);
  } catch {
    return undefined;
  }
}

/** Why a reply stopped, by the words of the services. Source: `StopReason` of Converse, `finish_reason` of OpenAI. */
const stops: Readonly<Record<string, FailureReason | null>> = {
  end_turn: null,
  stop_sequence: null,
  tool_use: null,
  stop: null,
  tool_calls: null,
  max_tokens: 'too-long',
  model_context_window_exceeded: 'too-long',
  length: 'too-long',
  guardrail_intervened: 'content-filtered',
  content_filtered: 'content-filtered',
  content_filter: 'content-filtered',
  malformed_model_output: 'malformed-output',
  malformed_tool_use: 'malformed-output',
};

/** The end of a reply: counted first, and a failure unless it is a regular one. `stop` is null when none has come. */
export function* ending(stop: string | null, usage: Usage): Generator<ReplyEvent> {
  if (stop === null) throw new DialogueFailure('broken-stream');
  yield { type: 'done', stop, usage };
  const failure = Object.hasOwn(stops, stop) ? stops[stop] : 'unexpected';
  if (failure != null) throw new DialogueFailure(failure);
}

/** What it means when a service refuses a request; without a status it could not be reached. */
export function failureOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'access-denied';
  if (status === 429) return 'throttled';
  if (status === 408 || status === 504) return 'too-slow';
  return status >= 500 || status === 0 ? 'unavailable' : 'invalid-request';
}
