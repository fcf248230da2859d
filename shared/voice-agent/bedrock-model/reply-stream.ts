import type { ContentBlock, ConverseStreamOutput, TokenUsage } from '@aws-sdk/client-bedrock-runtime';
import { DialogueFailure, type FailureReason } from '../dialogue/dialogue-failure.ts';

/** What a reply of the model brings, in the order in which it comes. */
export type ReplyPart =
  | { readonly type: 'text'; readonly piece: string }
  | { readonly type: 'text-end' }
  /** A tool with the whole of its input; `undefined` when that was no JSON. */
  | { readonly type: 'tool'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'stop'; readonly reason: string; readonly content: ContentBlock[] }
  | { readonly type: 'usage'; readonly usage: TokenUsage };

interface OpenBlock {
  readonly tool: { readonly id: string; readonly name: string } | null;
  text: string;
  input: string;
  /** Thoughts go back unread when the model is asked to go on. */
  thought: string;
  signature: string;
}

/**
 * Reads a stream of the Converse API. Text blocks may come without a start, and a tool's input comes as fragments of
 * JSON that mean something only once the block has stopped; an empty one stands for `{}`.
 *
 * @throws DialogueFailure `broken-stream` when the stream ends before the reply does
 */
export async function* readReply(stream: AsyncIterable<ConverseStreamOutput>): AsyncGenerator<ReplyPart> {
  const blocks = new Map<number, OpenBlock>();
  const content: ContentBlock[] = [];
  let isStopped = false;
  for await (const event of stream) {
    if (event.contentBlockStart !== undefined) {
      const { contentBlockIndex = 0, start } = event.contentBlockStart;
      blocks.set(contentBlockIndex, openBlock(start?.toolUse));
    } else if (event.contentBlockDelta !== undefined) {
      const { contentBlockIndex = 0, delta } = event.contentBlockDelta;
      const block = blocks.get(contentBlockIndex) ?? openBlock(undefined);
      blocks.set(contentBlockIndex, block);
      block.input += delta?.toolUse?.input ?? '';
      block.thought += delta?.reasoningContent?.text ?? '';
      block.signature += delta?.reasoningContent?.signature ?? '';
      const piece = delta?.text ?? '';
      block.text += piece;
      if (piece !== '') yield { type: 'text', piece };
    } else if (event.contentBlockStop !== undefined) {
      const { contentBlockIndex = 0 } = event.contentBlockStop;
      const block = blocks.get(contentBlockIndex);
      blocks.delete(contentBlockIndex);
      if (block === undefined) continue;
      const closed = closeBlock(block);
      if (closed.content !== null) content.push(closed.content);
      yield* closed.parts;
    } else if (event.messageStop !== undefined) {
      isStopped = true;
      yield { type: 'stop', reason: event.messageStop.stopReason ?? 'end_turn', content };
    } else if (event.metadata?.usage !== undefined) {
      yield { type: 'usage', usage: event.metadata.usage };
    }
  }
  if (!isStopped) throw new DialogueFailure('broken-stream');
}

function openBlock(
  tool: { toolUseId?: string | undefined; name?: string | undefined } | undefined,
): OpenBlock {
  return {
    tool: tool === undefined ? null : { id: tool.toolUseId ?? '', name: tool.name ?? '' },
    text: '',
    input: '',
    thought: '',
    signature: '',
  };
}

function closeBlock(block: OpenBlock): { content: ContentBlock | null; parts: ReplyPart[] } {
  if (block.tool !== null) {
    const { id, name } = block.tool;
    const input = parsedInput(block.input);
    return {
      content: { toolUse: { toolUseId: id, name, input: isObject(input) ? input : {} } },
      parts: [{ type: 'tool', id, name, input }],
    };
  }
  if (block.thought !== '') {
    const reasoningText = { text: block.thought, signature: block.signature };
    return { content: { reasoningContent: { reasoningText } }, parts: [] };
  }
  // The service refuses blocks of blank text.
  const content = block.text.trim() === '' ? null : { text: block.text };
  return { content, parts: block.text === '' ? [] : [{ type: 'text-end' }] };
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

function parsedInput(written: string): Json | undefined {
  try {
    return JSON.parse(written.trim() === '' ? '{}' : written);
  } catch {
    return undefined;
  }
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a stop reason means when it is no regular end. Source: `StopReason` of the Converse API. */
export function failureOfStop(reason: string): FailureReason | null {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      return null;
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'too-long';
    case 'guardrail_intervened':
    case 'content_filtered':
      return 'content-filtered';
    case 'malformed_model_output':
    case 'malformed_tool_use':
      return 'malformed-output';
    default:
      return 'unexpected';
  }
}

const reasonsByError: Readonly<Record<string, FailureReason>> = {
  ThrottlingException: 'throttled',
  ServiceQuotaExceededException: 'throttled',
  ServiceUnavailableException: 'unavailable',
  InternalServerException: 'unavailable',
  ModelNotReadyException: 'unavailable',
  ModelTimeoutException: 'too-slow',
  TimeoutError: 'unavailable',
  ModelErrorException: 'malformed-output',
  ModelStreamErrorException: 'broken-stream',
  AccessDeniedException: 'access-denied',
  UnrecognizedClientException: 'access-denied',
  ExpiredTokenException: 'access-denied',
  InvalidSignatureException: 'access-denied',
  CredentialsProviderError: 'access-denied',
  ValidationException: 'invalid-request',
  ResourceNotFoundException: 'invalid-request',
};

/** An error of the SDK, of the connection or of the stream as what it means for the turn. */
export function failureOf(error: unknown, otherwise: FailureReason): DialogueFailure {
  if (error instanceof DialogueFailure) return error;
  const name = error instanceof Error ? error.name : '';
  return new DialogueFailure(reasonsByError[name] ?? otherwise, { cause: error });
}
