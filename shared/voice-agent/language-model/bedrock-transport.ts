import {
  BedrockRuntimeClient,
  type ContentBlock,
  type Message as ConverseMessage,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  BedrockRuntimeServiceException as ServiceException,
  type SystemContentBlock,
  type TokenUsage,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { DialogueFailure } from '../dialogue/dialogue-failure.ts';
import { CachePoints } from './cache-points.ts';
import {
  type Block,
  ending,
  failureOfStatus,
  type ModelRequest,
  maxReplyTokens,
  parsedInput,
  type ReplyEvent,
  type Transport,
  temperature,
} from './transport.ts';

const connectWithinMs = 2_000;
/** The longest silence of a connection; the turn itself is abandoned long before. */
const silentSocketMs = 20_000;

/**
 * The client for Amazon Bedrock. It uses HTTP/1.1 with a pool of connections that survive between invocations; the
 * SDK's default for this service is an HTTP/2 session, which a frozen function finds dead when it wakes up. It never
 * retries, because another model serves the person on the line sooner.
 */
export function openBedrockClient(region: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: connectWithinMs,
      socketTimeout: silentSocketMs,
    }),
  });
}

/** @param model ID or ARN of an inference profile, a model, or provisioned throughput */
export function bedrockTransport(client: BedrockRuntimeClient, model: string): Transport {
  return {
    model,
    async *stream(request, signal) {
      let hasBegun = false;
      try {
        const command = new ConverseStreamCommand(converseInput(request, model));
        const { stream = [] } = await client.send(command, { abortSignal: signal });
        hasBegun = true;
        yield* replyEvents(stream);
      } catch (error) {
        throw failureOf(error, hasBegun);
      }
    },
  };
}

function converseInput(
  { rules, plan, tools, messages, maxTokens = maxReplyTokens }: ModelRequest,
  modelId: string,
) {
  const cache = new CachePoints(modelId);
  cache.pass(JSON.stringify(tools));
  // In the service's reading order: tools, instructions, messages.
  const system: SystemContentBlock[] = [{ text: rules }, ...cache.pointAfter(rules), { text: plan }];
  cache.pass(plan);
  return {
    modelId,
    system,
    messages: messages.map(
      ({ role, blocks }): ConverseMessage => ({
        role,
        content: blocks.flatMap((block) => contentOf(block, cache)),
      }),
    ),
    toolConfig: {
      tools: tools.map(({ name, description, inputSchema }) => ({
        toolSpec: { name, description, inputSchema: { json: inputSchema } },
      })),
    },
    inferenceConfig: { maxTokens, temperature },
  };
}

function contentOf(block: Block, cache: CachePoints): ContentBlock[] {
  if (block.type === 'boundary') return cache.pointAfter('');
  cache.pass(JSON.stringify(block));
  switch (block.type) {
    case 'text':
      return [{ text: block.text }];
    case 'call':
      return [{ toolUse: { toolUseId: block.id, name: block.name, input: block.input } }];
    case 'result':
      return [
        {
          toolResult: {
            toolUseId: block.id,
            content: [{ text: block.text }],
            status: block.isProblem ? 'error' : 'success',
          },
        },
      ];
  }
}

/** Reads a stream of the Converse API. Text blocks may come without a start, and tools in fragments of JSON. */
async function* replyEvents(
  stream: AsyncIterable<ConverseStreamOutput> | never[],
): AsyncGenerator<ReplyEvent> {
  const tools = new Map<number, { id: string; name: string; input: string }>();
  let stop: string | null = null;
  let usage: TokenUsage | undefined;
  for await (const event of stream) {
    const { contentBlockStart, contentBlockDelta, contentBlockStop } = event;
    const block = contentBlockStart ?? contentBlockDelta ?? contentBlockStop;
    const index = block?.contentBlockIndex ?? 0;
    const use = contentBlockStart?.start?.toolUse;
    if (use !== undefined) tools.set(index, { id: use.toolUseId ?? '', name: use.name ?? '', input: '' });
    const piece = contentBlockDelta?.delta?.text ?? '';
    if (piece !== '') yield { type: 'text', piece };
    const tool = tools.get(index);
    if (tool !== undefined) tool.input += contentBlockDelta?.delta?.toolUse?.input ?? '';
    if (contentBlockStop !== undefined) {
      yield tool === undefined
        ? { type: 'text-end' }
        : { type: 'call', ...tool, input: parsedInput(tool.input) };
    }
    stop = event.messageStop?.stopReason ?? stop;
    usage = event.metadata?.usage ?? usage;
  }
  yield* ending(stop, {
    input: usage?.inputTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    cacheRead: usage?.cacheReadInputTokens ?? 0,
    cacheWrite: usage?.cacheWriteInputTokens ?? 0,
  });
}

/** The meaning of an SDK or connection error for the turn; its name is logged. */
function failureOf(error: unknown, hasBegun: boolean): DialogueFailure {
  if (error instanceof DialogueFailure) return error;
  if (hasBegun) return new DialogueFailure('broken-stream', { cause: error });
  const status = error instanceof ServiceException ? error.$metadata.httpStatusCode : undefined;
  return new DialogueFailure(failureOfStatus(status ?? 0), { cause: error });
}
