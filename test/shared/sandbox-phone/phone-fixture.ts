import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { type WebSocket, WebSocketServer } from 'ws';
import type { CarrierCredentials } from '#shared/carrier/credentials.ts';
import { verifySignature } from '#shared/carrier/signature.ts';
import { LineMessage } from '#shared/sandbox-phone/line/line-queue.ts';
import type { LineServices } from '#shared/sandbox-phone/line/line-services.ts';
import { runCall } from '#shared/sandbox-phone/line/run-call.ts';
import { bundledDirectory } from '#shared/sandbox-phone/personas/directory.ts';
import { handleRequest } from '#shared/sandbox-phone/rest/handle-request.ts';
import type { RestServices } from '#shared/sandbox-phone/rest/rest-services.ts';
import { decodeWav } from '#shared/sandbox-phone/sound/wav.ts';
import type { SandboxCall } from '#shared/sandbox-phone/store/sandbox-call.ts';
import { getItem, openSandboxStore, type SandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { listenOnLoopback } from '../../../infra/loopback.ts';
import { basicAuthorization } from '../../support/basic-authorization.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { matchGateway } from '../../support/gateway-match.ts';
import { createSandboxTable } from './sandbox-table.ts';
import { type Agent, ScriptedAgent } from './scripted-agent.ts';

export const accountSid = `AC${'0'.repeat(31)}1`;
export const authToken = '0123456789abcdef0123456789abcdef';
export const keyPair = { user: `SK${'0'.repeat(31)}1`, password: 'key-secret' };
export const caller = '+12025550190';

/** Requests to the application under test. */
export interface Callback {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly isSigned: boolean;
  readonly headers: IncomingMessage['headers'];
}

export interface RelayFrame {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The sandbox phone on embedded servers, with an application that tests configure. */
export class PhoneFixture {
  readonly baseUrl: string;
  readonly relayUrl: string;
  readonly store: SandboxStore;
  readonly rest: RestServices;
  readonly line: LineServices;
  readonly callbacks: Callback[] = [];
  /** Frames that the application received over the relay. */
  readonly frames: RelayFrame[] = [];
  readonly handshakes: { url: string; isSigned: boolean }[] = [];
  closeCode: number | null = null;
  /** Responses to requests by path; by default a good answer document, and 204 for everything else. */
  readonly answers = new Map<
    string,
    (form: Readonly<Record<string, string>>) => { status: number; body?: string; contentType?: string }
  >();
  agent: Agent = () => null;
  /** Said when the session begins. */
  onSetup: string | null = null;
  isRelayOpen = true;
  readonly #tables: EmbeddedTable;
  readonly #queues: EmbeddedQueues;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #queueUrl: string;

  static async start(): Promise<PhoneFixture> {
    const server = createServer();
    const [port, tables, queues] = await Promise.all([
      listenOnLoopback(server, 0),
      startEmbeddedTable(),
      startEmbeddedQueues(),
    ]);
    const client = new DynamoDBClient({
      endpoint: tables.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    const tableName = `sandbox-${randomUUID()}`;
    await createSandboxTable(client, tableName);
    queues.createBucket('sandbox');
    return new PhoneFixture(
      tables,
      queues,
      { server, port },
      openSandboxStore(tableName, client),
      queues.createQueue('line'),
    );
  }

  private constructor(
    tables: EmbeddedTable,
    queues: EmbeddedQueues,
    { server, port }: { server: Server; port: number },
    store: SandboxStore,
    queueUrl: string,
  ) {
    this.baseUrl = `http://127.0.0.1:${port}/stage`;
    this.relayUrl = `ws://127.0.0.1:${port}/relay`;
    this.#tables = tables;
    this.#queues = queues;
    this.#server = server;
    this.#queueUrl = queueUrl;
    this.store = store;
    const bucket = { client: queues.s3, name: 'sandbox' };
    const credentials: CarrierCredentials = {
      accountSid,
      authTokens: [authToken],
      restUser: keyPair.user,
      restPassword: keyPair.password,
    };
    this.rest = {
      store,
      bucket,
      lineQueue: { client: queues.sqs, url: queueUrl },
      credentials: async () => credentials,
      renewedCredentials: async () => credentials,
      publicBaseUrl: this.baseUrl,
      voiceUrl: `${this.baseUrl}/inbound`,
    };
    this.line = {
      store,
      lineQueue: this.rest.lineQueue,
      bucket,
      authToken,
      publicBaseUrl: this.baseUrl,
      relayUrl: this.relayUrl,
      pace: 0,
      // Real voices are made where a test listens to them.
      speech: 'tones',
      directory: bundledDirectory(),
    };
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      const signature = request.headers['x-twilio-signature'];
      this.handshakes.push({
        url: request.url ?? '',
        isSigned: verifySignature([authToken], String(signature), this.relayUrl, []),
      });
      if (!this.isRelayOpen) {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#converse(webSocket));
    });
  }

  async stop(): Promise<void> {
    this.#sockets.close();
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all([this.#tables.stop(), this.#queues.stop()]);
  }

  /** Resets what was seen and configured, between two tests. */
  reset(): void {
    this.callbacks.length = 0;
    this.frames.length = 0;
    this.handshakes.length = 0;
    this.answers.clear();
    this.agent = () => null;
    this.onSetup = null;
    this.isRelayOpen = true;
    this.closeCode = null;
  }

  /** A client's request to the REST API, over HTTP. */
  request(
    method: string,
    path: string,
    form?: Record<string, string> | URLSearchParams,
    headers: Record<string, string> = basicAuthorization(accountSid, authToken),
  ): Promise<Response> {
    return fetch(`${this.baseUrl}/sandbox-phone/2010-04-01/Accounts/${accountSid}${path}`, {
      method,
      headers,
      redirect: 'manual',
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
  }

  /** Places a call that reports everything; returns its SID. */
  async place(to: string, more: Record<string, string> = {}): Promise<string> {
    const form = new URLSearchParams({
      To: to,
      From: caller,
      Url: `${this.baseUrl}/answer`,
      StatusCallback: `${this.baseUrl}/status`,
      Timeout: '20',
      ...more,
    });
    for (const event of ['initiated', 'ringing', 'answered', 'completed'])
      form.append('StatusCallbackEvent', event);
    const response = await this.request('POST', '/Calls.json', form);
    const body: { sid?: string } = Object(await response.json());
    if (response.status !== 201 || body.sid === undefined) throw new Error(`not placed: ${response.status}`);
    return body.sid;
  }

  /** Plays the call that waits in the queue. */
  async play(services: Partial<LineServices> = {}): Promise<void> {
    const { Messages = [] } = await this.#queues.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: this.#queueUrl, WaitTimeSeconds: 2 }),
    );
    const [message] = Messages;
    if (message?.Body === undefined) throw new Error('no call waits');
    const { call_sid } = LineMessage.parse(JSON.parse(message.Body));
    await runCall({ ...this.line, ...services }, call_sid);
    await this.#queues.sqs.send(
      new DeleteMessageCommand({ QueueUrl: this.#queueUrl, ReceiptHandle: message.ReceiptHandle }),
    );
  }

  /** Deletes what the line was told, as when the sender crashes before. */
  async loseMessages(): Promise<void> {
    await this.#queues.sqs.send(new PurgeQueueCommand({ QueueUrl: this.#queueUrl }));
  }

  /** How many messages are delayed in the queue. */
  async delayedMessages(): Promise<number> {
    const { Attributes = {} } = await this.#queues.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: this.#queueUrl, AttributeNames: ['All'] }),
    );
    return Number(Attributes.ApproximateNumberOfMessagesDelayed);
  }

  async call(sid: string): Promise<SandboxCall> {
    const call = await getItem(this.store, 'call', sid);
    if (call === null) throw new Error('there is no such call');
    return call;
  }

  /** The recording's audio, through the REST API and its redirect. */
  async sound(recordingSid: string, channels: 1 | 2): Promise<ReturnType<typeof decodeWav>> {
    const redirect = await this.request(
      'GET',
      `/Recordings/${recordingSid}.wav?RequestedChannels=${channels}`,
    );
    if (redirect.status !== 302) throw new Error(`no redirect: ${redirect.status}`);
    const media = await fetch(redirect.headers.get('location') ?? '');
    if (!media.ok) throw new Error(`no sound: ${media.status}`);
    return decodeWav(Buffer.from(await media.arrayBuffer()));
  }

  formsOf(path: string): Readonly<Record<string, string>>[] {
    return this.callbacks.filter((callback) => callback.path === path).map((callback) => callback.form);
  }

  /** The contents of the status callbacks, in order. */
  statuses(): string[] {
    return this.formsOf('/status').map((form) => form.CallStatus ?? '');
  }

  /** A document with a recording and the relay, like an application's. */
  answerDocument(attributes = ''): string {
    return `<?xml version="1.0" encoding="UTF-8"?><Response>
      <Start><Recording channels="dual" track="both" trim="do-not-trim"
        recordingStatusCallback="${this.baseUrl}/recording"
        recordingStatusCallbackEvent="in-progress completed absent"/></Start>
      <Connect action="${this.baseUrl}/relay-end"><ConversationRelay url="${this.relayUrl}" ${attributes}>
        <Parameter name="token" value="a&amp;b"/></ConversationRelay></Connect></Response>`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '/', this.baseUrl);
    const path = url.pathname.replace(/^\/stage/, '');
    if (path.startsWith('/sandbox-phone/')) {
      await this.#answerRest(request, url, path, body, response);
      return;
    }
    const form = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
    this.callbacks.push({
      path,
      form,
      headers: request.headers,
      isSigned: verifySignature(
        [authToken],
        String(request.headers['x-twilio-signature']),
        `${this.baseUrl}${path}`,
        Object.entries(form),
      ),
    });
    const standard = {
      '/answer': { status: 200, body: this.answerDocument() },
      '/relay-end': { status: 200, body: '<Response><Hangup/></Response>' },
    };
    const answer: { status: number; body?: string; contentType?: string } | undefined =
      this.answers.get(path)?.(form) ?? Object.entries(standard).find(([name]) => name === path)?.[1];
    response.writeHead(answer?.status ?? 204, { 'Content-Type': answer?.contentType ?? 'text/xml' });
    response.end(answer?.body ?? '');
  }

  async #answerRest(
    request: IncomingMessage,
    url: URL,
    path: string,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const match = matchGateway(request.method ?? '', path);
    if (match === null) {
      response.writeHead(404).end();
      return;
    }
    const answer = await handleRequest(this.rest, {
      method: request.method ?? '',
      resource: match.resource,
      path,
      pathParameters: match.pathParameters,
      query: url.searchParams,
      headers: { authorization: request.headers.authorization ?? '' },
      body,
    });
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  }

  #converse(socket: WebSocket): void {
    const agent = new ScriptedAgent(socket);
    let turn = 0;
    socket.on('close', (code) => {
      this.closeCode = code;
    });
    socket.on('message', (data) => {
      const frame: RelayFrame = JSON.parse(String(data));
      this.frames.push(frame);
      if (frame.type === 'setup' && this.onSetup !== null) agent.say(this.onSetup);
      if (frame.type === 'interrupt') agent.interrupt();
      if (frame.type !== 'prompt') return;
      const move = this.agent(String(frame.voicePrompt), turn);
      turn += 1;
      if (move !== null) agent.make(move);
    });
  }
}
