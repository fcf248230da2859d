import { DeleteMessageBatchCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { WebhookDelivery, WebhookEndpoint, WebhookEventName } from '#shared/domain/webhook.ts';
import { clientAddresses } from '#shared/http/addresses.ts';
import { openResponseBudget } from '#shared/http/response-size-budget.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { getWebhookDelivery } from '#shared/table/webhook-delivery.ts';
import { getWebhookEndpoint } from '#shared/table/webhook-endpoint.ts';
import { changeEndpoint, type EndpointChange } from '#shared/webhooks/change-endpoint.ts';
import { type DeliveryServices, deliver } from '#shared/webhooks/deliver.ts';
import { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import type { ProjectEvent } from '#shared/webhooks/events.ts';
import { fanOut } from '#shared/webhooks/fan-out.ts';
import { type EmbeddedTable, startEmbeddedTable } from './embedded-table.ts';
import { startTestServer, type TestServer } from './http-server.ts';
import { projectServices } from './project-services.ts';

/** An endpoint of its own project. */
export interface Subscriber {
  readonly endpoint: WebhookEndpoint;
  readonly signingSecret: string;
}

/** The delivery worker with its table and queue, under a clock that only the test moves. */
export interface DeliveryFixture {
  readonly services: DeliveryServices;
  /** Lets time pass. */
  pass(seconds: number): void;
  newSubscriber(url: string, events?: WebhookEventName[]): Promise<Subscriber>;
  changeSettings(subscriber: Subscriber, settings: EndpointChange['settings']): Promise<void>;
  /** An event in the subscriber's project, now. */
  callCompleted(subscriber: Subscriber): ProjectEvent;
  /** Fans an event out and takes the messages from the queue. */
  fanOut(event: ProjectEvent): Promise<DeliveryMessage[]>;
  receiveMessages(): Promise<DeliveryMessage[]>;
  readDelivery(message: DeliveryMessage | undefined): Promise<WebhookDelivery>;
  readEndpoint(subscriber: Subscriber): Promise<WebhookEndpoint>;
  /** Moves the clock to the next attempt, and makes it. */
  attemptNext(message: DeliveryMessage): Promise<WebhookDelivery>;
}

export interface DeliverySite {
  newFixture(): Promise<DeliveryFixture>;
  stop(): Promise<void>;
}

/** Starts the servers that a test file's fixtures share. */
export async function startDeliverySite(): Promise<DeliverySite> {
  const embedded = await startEmbeddedTable();
  const queues = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  const sqs = new SQSClient({
    endpoint: queues.address,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    newFixture: () => openFixture(embedded, queues.createQueue(`delivery-${uuidv7()}`).queueUrl, sqs),
    async stop() {
      sqs.destroy();
      await queues.stop();
      await embedded.stop();
    },
  };
}

async function openFixture(
  embedded: EmbeddedTable,
  queueUrl: string,
  sqs: SQSClient,
): Promise<DeliveryFixture> {
  const table = await embedded.newTable();
  // Receivers refuse signatures with another time.
  let nowMs = Date.now();
  const { secrets, network } = projectServices(table);
  const services: DeliveryServices = {
    table,
    secrets,
    network,
    addresses: clientAddresses('https://api.example.test'),
    openBudget: openResponseBudget,
    queue: { url: queueUrl, client: sqs },
    now: () => new Date(nowMs),
    random: () => 0.5,
  };
  const readDelivery = async (message: DeliveryMessage | undefined): Promise<WebhookDelivery> => {
    const delivery = message === undefined ? null : await getWebhookDelivery(table, message, services.now());
    if (delivery === null) throw new Error('no delivery');
    return delivery;
  };
  const receiveMessages = async (): Promise<DeliveryMessage[]> => {
    const messages: DeliveryMessage[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
      );
      if (Messages.length === 0) return messages;
      messages.push(...Messages.map(({ Body = '' }) => DeliveryMessage.parse(JSON.parse(Body))));
      const Entries = Messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  };
  return {
    services,
    pass(seconds) {
      nowMs += seconds * 1000;
    },
    async newSubscriber(url, events = ['call.completed', 'task.completed']) {
      const { webhook } = await createProject(
        { table, secrets, network, keys: null },
        { name: 'Test', carrier: 'sandbox', webhook: { url, events } },
        services.now(),
      );
      if (webhook === null) throw new Error('no webhook');
      return webhook;
    },
    async changeSettings({ endpoint: { id, project_id } }, settings) {
      const address = { projectId: project_id, webhookId: id };
      await changeEndpoint(table, address, () => ({ settings }), services.now());
    },
    callCompleted: ({ endpoint }) => ({
      projectId: endpoint.project_id,
      payload: {
        event: 'call.completed',
        task_id: uuidv7(),
        call_id: uuidv7(),
        timestamp: services.now().toISOString(),
      },
      sequence: 13,
    }),
    async fanOut(event) {
      await fanOut(table, services.queue, [event], services.now());
      return receiveMessages();
    },
    receiveMessages,
    readDelivery,
    async readEndpoint({ endpoint }) {
      const found = await getWebhookEndpoint(table, endpoint.project_id, endpoint.id);
      if (found === null) throw new Error('no endpoint');
      return found;
    },
    async attemptNext(message) {
      const { due_at } = await readDelivery(message);
      if (due_at !== null) nowMs = Math.max(nowMs, Date.parse(due_at));
      await deliver(services, message);
      return readDelivery(message);
    },
  };
}

/** A receiver that responds with a status until told otherwise. */
export interface Receiver extends TestServer {
  status: number;
}

/** Starts a receiver that responds 500 until told otherwise; its responses contain their status. */
export async function startReceiver(): Promise<Receiver> {
  const server = await startTestServer(
    (_, response) => void response.writeHead(receiver.status).end(`answer ${receiver.status}`),
  );
  const receiver: Receiver = { ...server, status: 500 };
  return receiver;
}

/** The only message. */
export function only(messages: readonly DeliveryMessage[]): DeliveryMessage {
  const [message, ...others] = messages;
  if (message === undefined || others.length > 0) throw new Error(`${messages.length} messages`);
  return message;
}
