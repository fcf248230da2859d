import { DialogueFailure } from '#shared/voice-agent/dialogue/dialogue-failure.ts';
import type { ModelRequest, ReplyEvent, Transport } from '#shared/voice-agent/language-model/transport.ts';

/** A request with everything that one can have. */
export const sampleRequest: ModelRequest = {
  rules: 'The rules.',
  plan: 'The plan.',
  tools: [
    { name: 'note', description: 'Notes.', inputSchema: { type: 'object', properties: {}, required: [] } },
  ],
  messages: [
    { role: 'user', blocks: [{ type: 'text', text: 'Hello?' }, { type: 'boundary' }] },
    {
      role: 'assistant',
      blocks: [
        { type: 'text', text: 'Thank you.' },
        { type: 'call', id: 'use-1', name: 'note', input: { words: 'Dana' } },
      ],
    },
    { role: 'user', blocks: [{ type: 'result', id: 'use-1', text: 'nobody said so', isProblem: true }] },
  ],
};

export async function eventsOf(
  transport: Transport,
  request: ModelRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of transport.stream(request, signal)) events.push(event);
  return events;
}

/** Why reading failed. */
export async function reasonOf(reading: Promise<unknown>): Promise<unknown> {
  const error: unknown = await reading.catch((failure: unknown) => failure);
  return error instanceof DialogueFailure ? error.reason : error;
}
