import type { z } from 'zod/mini';
import { DialogueFailure, type FailureReason } from '../dialogue/dialogue-failure.ts';

/*
 * The request to a language model and its reply, in our own format: the same for every service. A
 * transport converts it to the format of its service and reads the reply as it arrives.
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
   * Everything before it recurs in the next turn, so it is worth caching for services with explicit
   * cache points.
   */
  | { readonly type: 'boundary' };

/** Messages alternate, the user's first; tool results are alone in the message after their uses. */
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
  /** Bounds the reply, in tokens; the turn's maximum if omitted. */
  readonly maxTokens?: number;
}

/** Counts of tokens; `input` counts neither cache reads nor cache writes. */
export type Usage = Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>>;

export type ReplyEvent =
  | { readonly type: 'text'; readonly piece: string }
  | { readonly type: 'text-end' }
  /** A tool use with its whole input; `undefined` if that was invalid JSON. */
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: Json | undefined }
  /** The reply is over; `stop` is the service's reason. */
  | { readonly type: 'done'; readonly stop: string; readonly usage: Usage };

export interface Transport {
  /** The service's name of the model. */
  readonly model: string;
  /**
   * Sends a request, once, and returns the reply as it arrives. Ends the request when `signal` is aborted;
   * errors after that mean nothing.
   *
   * @throws DialogueFailure if the service refuses, disconnects or stops the reply early
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ReplyEvent>;
}

/** Bounds one reply; a spoken turn takes a tenth of it. */
export const maxReplyTokens = 600;
/** The most likely words each time: repeated calls get the same words. */
export const temperature = 0;

/** A tool's input as the model wrote it; an empty text means `{}`. Some services encode it twice. */
export function parsedInput(written: string): Json | undefined {
  try {
    const input: Json = JSON.parse(written.trim() === '' ? '{}' : written);
    return typeof input === 'string' ? JSON.parse(input) : input;
  } catch {
    return undefined;
  }
}

/**
 * The services' stop reasons that are failures; all others are regular. Source: `StopReason` of Converse,
 * `finish_reason` of OpenAI.
 */
const stops: Readonly<Record<string, FailureReason>> = {
  max_tokens: 'too-long',
  model_context_window_exceeded: 'too-long',
  length: 'too-long',
  guardrail_intervened: 'content-filtered',
  content_filtered: 'content-filtered',
  content_filter: 'content-filtered',
  malformed_model_output: 'malformed-output',
  malformed_tool_use: 'malformed-output',
  error: 'broken-stream',
  abort: 'broken-stream',
};

/** The end of a reply: counted first, then a failure if it is one. `stop` is null if none has come. */
export function* ending(stop: string | null, usage: Usage): Generator<ReplyEvent> {
  if (stop === null) throw new DialogueFailure('broken-stream');
  yield { type: 'done', stop, usage };
  const failure = Object.hasOwn(stops, stop) ? stops[stop] : undefined;
  if (failure !== undefined) throw new DialogueFailure(failure);
}

/** The meaning of a service's refusal; without a status it was unreachable. */
export function failureOfStatus(status: number): FailureReason {
  if (status === 401 || status === 403) return 'access-denied';
  if (status === 429) return 'throttled';
  if (status === 408 || status === 504) return 'too-slow';
  return status >= 500 || status === 0 ? 'unavailable' : 'invalid-request';
}
