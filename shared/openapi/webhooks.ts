import { SentEventName, WebhookEvent } from '#shared/domain/webhook.ts';
import { isJsonObject } from '#shared/http/clean-json.ts';
import { TaskResource } from '#shared/tasks/task-resource.ts';
import { componentSchemas, reference, toPascalCase } from './component-schemas.ts';
import { propertyDescription } from './member-descriptions.ts';

const summaries: Readonly<Record<SentEventName, string>> = {
  'task.completed': 'A task has ended.',
  'call.completed': 'A call has ended; its transcript and recording are available.',
  'task.started': 'The first call for a task is about to be placed.',
  'call.started': 'The carrier has accepted a call.',
  'call.failed': 'A call has failed; `call.completed` is sent too.',
  'task.needs_review': 'A task has ended and an answer needs review; `task.completed` is sent too.',
  'webhook.test': 'An owner has requested a test event; its task does not exist.',
};

const withoutCall: readonly SentEventName[] = ['task.started', 'webhook.test'];

/** The section `webhooks`, signed by Standard Webhooks (https://www.standardwebhooks.com). */
export function webhooks(): Record<string, object> {
  return Object.fromEntries(SentEventName.options.map((event) => [event, describeWebhook(event)]));
}

function describeWebhook(event: SentEventName): object {
  return {
    post: {
      operationId: `on${toPascalCase(event.replace('.', '_'))}`,
      tags: ['Events'],
      summary: summaries[event],
      description:
        "Signed by Standard Webhooks with the endpoint's secret. Any 2xx within 15 s accepts it; " +
        'anything else is retried for days.',
      security: [],
      parameters: signatureHeaders,
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: eventSchema(event),
            example: {
              event,
              task_id: '01a1fc97-5939-7d04-b5c3-48bad54457cb',
              call_id: withoutCall.includes(event) ? null : '01a1fc97-59c5-7c57-bea3-5ebc6e8ff947',
              timestamp: '2026-11-20T15:07:21.002Z',
            },
          },
        },
      },
      responses: {
        '204': { description: 'Accepted.' },
        '410': { description: 'The endpoint is gone; it receives nothing more.' },
      },
    },
  };
}

/** Inlined: generators omit schemas that only webhooks refer to. */
function eventSchema(event: SentEventName): object {
  const schema = componentSchemas([], [WebhookEvent]).WebhookEvent ?? {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const description = propertyDescription('WebhookEvent', 'event');
  return {
    ...schema,
    properties: {
      ...properties,
      event: { type: 'string', enum: [event], description },
      sequence: {
        type: 'integer',
        description:
          'Higher than in every earlier event of the task. Only for webhooks that select other events than ' +
          '`task.completed` and `call.completed`, or get the whole task.',
      },
      task: {
        anyOf: [reference(TaskResource), { type: 'null' }],
        description: 'The current task, null once erased; only for webhooks that get the whole task.',
      },
    },
  };
}

/** Inlined: generators omit what only webhooks refer to. */
const signatureHeaders = Object.entries({
  'webhook-id': 'The same for every attempt and replay of an event; use it to drop duplicates.',
  'webhook-timestamp': 'When the attempt was signed, in Unix seconds.',
  'webhook-signature': 'Signatures, `v1,` and base64 each, separated by spaces.',
}).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));
