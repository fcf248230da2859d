import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import * as z from 'zod/mini';
import type { Counted, Counts } from '#shared/cost/call-counts.ts';
import type { FunctionDefinition } from '../../infra/local/functions/function-definition.ts';
import type { FunctionLogLine } from '../../infra/local/functions/function-log.ts';
import type { StackObserver } from '../../infra/local/local-stack.ts';
import { listenOnLoopback } from '../../infra/loopback.ts';

/** The number of requests, and what they wrote: in the table with its indexes, and in each index. */
export interface Asked {
  requests: number;
  writeUnits: number;
  readonly ofIndexes: Map<string, number>;
}

/** The simulated telephone network, which a deployment for real calls does not have. */
const isSandbox = (logicalId: string): boolean => logicalId.startsWith('SandboxPhone');
/** Runs every minute, with or without calls, and is counted separately. */
const sweeper = 'CallSweeper';

const Units = z.object({ CapacityUnits: z._default(z.number(), 0) });
const TableUnits = z.object({
  CapacityUnits: z._default(z.number(), 0),
  GlobalSecondaryIndexes: z.optional(z.record(z.string(), Units)),
});
const DynamoAnswer = z.object({ ConsumedCapacity: z.optional(z.union([TableUnits, z.array(TableUnits)])) });

const reads: ReadonlySet<string> = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']);

const StringAttribute = z.object({ S: z.string() });

const GatewayEvent = z.object({
  httpMethod: z.optional(z.string()),
  requestContext: z.optional(
    z.object({ eventType: z.optional(z.string()), connectionId: z.optional(z.string()) }),
  ),
  Records: z.optional(z.array(z.object({ eventSource: z.string() }))),
});

export function noCounts(): Counts {
  return {
    lambda_invocations: 0,
    lambda_milliseconds: 0,
    dynamodb_write_units: 0,
    dynamodb_read_units: 0,
    sqs_requests: 0,
    s3_writes: 0,
    s3_reads: 0,
    kms_requests: 0,
    secrets_requests: 0,
    rest_requests: 0,
    websocket_messages: 0,
    log_bytes: 0,
  };
}

/**
 * Counts what the functions of a local stack do: it sits between them and the servers, identifies each function by its
 * access key, and lets DynamoDB say what each request consumes.
 */
export class CountingObserver implements StackObserver {
  readonly #servers: Server[] = [];
  /** The target of requests to one of our ports. */
  readonly #targets = new Map<number, string>();
  readonly #logicalIds = new Map<string, string>();
  readonly #connectedAt = new Map<string, number>();
  #counts = noCounts();
  #sweep = noCounts();
  /** Each function's requests since `take`, without the sweeper's. */
  readonly requests = new Map<string, Asked>();
  /** When a call last caused anything, and how long sockets were open. */
  lastAt = performance.now();
  connectedMs = 0;

  static async start(): Promise<CountingObserver> {
    const observer = new CountingObserver();
    for (const _ of serviceVariables) {
      const server = createServer((incoming, outgoing) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const target = observer.#targets.get(incoming.socket.localPort ?? 0) ?? '';
          const asked = asking(incoming.headers, Buffer.concat(chunks));
          const { method } = incoming;
          const url = new URL(incoming.url ?? '/', target);
          // The signature covers the host.
          const headers = { ...incoming.headers, 'content-length': String(asked.body.byteLength) };
          const forwarded = httpRequest(url, { method, headers }, (answer) => {
            const parts: Buffer[] = [];
            answer.on('data', (part: Buffer) => parts.push(part));
            answer.on('end', () => {
              const body = Buffer.concat(parts);
              observer.#count(asked.caller ?? url.searchParams.get('X-Amz-Credential'), asked, method, body);
              outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(body);
            });
          });
          forwarded.on('error', () => outgoing.destroy());
          forwarded.end(asked.body);
        });
      });
      observer.#targets.set(await listenOnLoopback(server, 0), '');
      observer.#servers.push(server);
    }
    return observer;
  }

  readonly instrument = (definition: FunctionDefinition): FunctionDefinition => {
    const environment: Record<string, string> = { ...definition.environment };
    const ports = [...this.#targets.keys()];
    for (const [index, variable] of serviceVariables.entries()) {
      const target = definition.environment[variable];
      const port = ports[index];
      if (target === undefined || port === undefined) throw new Error(`${variable} is not set`);
      this.#targets.set(port, target);
      for (const [name, value] of Object.entries(environment)) {
        environment[name] = value.replaceAll(target, `http://127.0.0.1:${port}`);
      }
    }
    this.#logicalIds.set(definition.name, definition.logicalId);
    return { ...definition, environment };
  };

  readonly onInvoked = ({ logicalId }: FunctionDefinition, event: unknown, milliseconds: number): void => {
    if (isSandbox(logicalId)) return;
    this.#add(logicalId, 'lambda_invocations', 1);
    this.#add(logicalId, 'lambda_milliseconds', Math.max(1, Math.ceil(milliseconds)));
    const { httpMethod, requestContext, Records = [] } = z.parse(GatewayEvent, event);
    if (httpMethod !== undefined) this.#add(logicalId, 'rest_requests', 1);
    if (Records.some(({ eventSource }) => eventSource === 'aws:sqs')) this.#add(logicalId, 'sqs_requests', 2);
    const { eventType, connectionId = '' } = requestContext ?? {};
    if (eventType === 'MESSAGE') this.#add(logicalId, 'websocket_messages', 1);
    if (eventType === 'CONNECT') this.#connectedAt.set(connectionId, performance.now());
    if (eventType === 'DISCONNECT') {
      this.connectedMs += performance.now() - (this.#connectedAt.get(connectionId) ?? performance.now());
    }
  };

  readonly onSocketRequest = (method: string): void => {
    if (method === 'POST') this.#add('', 'websocket_messages', 1);
  };

  readonly onLog = ({ functionName, line }: FunctionLogLine): void => {
    const logicalId = this.#logicalIds.get(functionName) ?? '';
    if (!isSandbox(logicalId)) this.#add(logicalId, 'log_bytes', Buffer.byteLength(line) + 1);
  };

  /** The counts since the last time. */
  take(): { call: Counts; sweep: Counts } {
    const taken = { call: this.#counts, sweep: this.#sweep };
    this.#counts = noCounts();
    this.#sweep = noCounts();
    this.requests.clear();
    return taken;
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  }

  #count(
    credential: string | null,
    { service, operation, items }: Asking,
    method: string | undefined,
    answer: Buffer,
  ): void {
    const [logicalId = '', , , signedFor] = credential?.split('/') ?? [];
    if (isSandbox(logicalId)) return;
    const note = this.#noteRequest(
      logicalId,
      `${operation === '' ? `${method} ${signedFor}` : operation} ${items}`,
    );
    if (service === 'DynamoDB') {
      const { ConsumedCapacity = [] } = z.parse(DynamoAnswer, JSON.parse(answer.toString('utf8')));
      const isRead = reads.has(operation);
      for (const { CapacityUnits, GlobalSecondaryIndexes = {} } of [ConsumedCapacity].flat()) {
        this.#add(logicalId, isRead ? 'dynamodb_read_units' : 'dynamodb_write_units', CapacityUnits);
        if (isRead || note === undefined) continue;
        note.writeUnits += CapacityUnits;
        for (const [index, { CapacityUnits: units }] of Object.entries(GlobalSecondaryIndexes)) {
          note.ofIndexes.set(index, (note.ofIndexes.get(index) ?? 0) + units);
        }
      }
    } else if (service === 'SQS') this.#add(logicalId, 'sqs_requests', 1);
    else if (service === 'TrentService') this.#add(logicalId, 'kms_requests', 1);
    else if (service === 'secretsmanager') this.#add(logicalId, 'secrets_requests', 1);
    // An invocation's cost is counted where it arrives.
    else if (signedFor === 'lambda') return;
    // S3 does not charge for deletion. Only the sandbox's functions use its buckets.
    else if (method === 'GET' || method === 'HEAD') this.#add(logicalId, 's3_reads', 1);
    else if (method !== 'DELETE') this.#add(logicalId, 's3_writes', 1);
  }

  #noteRequest(logicalId: string, request: string): Asked | undefined {
    if (logicalId === sweeper) return undefined;
    const name = `${logicalId} ${request}`.trimEnd();
    const noted = this.requests.get(name) ?? {
      requests: 0,
      writeUnits: 0,
      ofIndexes: new Map<string, number>(),
    };
    noted.requests += 1;
    this.requests.set(name, noted);
    return noted;
  }

  #add(logicalId: string, counted: Counted, amount: number): void {
    if (logicalId === sweeper) this.#sweep[counted] += amount;
    else {
      this.#counts[counted] += amount;
      this.lastAt = performance.now();
    }
  }
}

/** Each names its own server; SQS and S3 share one. */
const serviceVariables = [
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL_SQS',
  'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  'AWS_ENDPOINT_URL_KMS',
] as const;

interface Asking {
  readonly caller: string | null;
  /** As in the header `X-Amz-Target`, without versions; empty for S3. */
  readonly service: string;
  readonly operation: string;
  /** The kinds of written items: their sort keys up to the first `#`; for recordings, what follows the call. */
  readonly items: string;
  readonly body: Buffer;
}

function asking(headers: IncomingHttpHeaders, body: Buffer): Asking {
  const [prefix = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  const service = prefix.replace(/^Amazon/, '').replace(/_\d+$/, '');
  const caller = /Credential=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? null;
  if (service !== 'DynamoDB') return { caller, service, operation, items: '', body };
  const input = z.parse(z.record(z.string(), z.unknown()), JSON.parse(body.toString('utf8')));
  return {
    caller,
    service,
    operation,
    items: reads.has(operation) ? '' : sortKeys(input).join('+'),
    body: Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' })),
  };
}

/** The kinds of items that a request writes, in order. */
function sortKeys(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const { success, data } = z.safeParse(StringAttribute, 'sk' in input ? input.sk : undefined);
  if (success) return [data.S.endsWith('#RECORDING') ? 'RECORDING' : data.S.replace(/#.*/, '')];
  return Object.entries(input).flatMap(([name, value]) => (name === 'ConditionCheck' ? [] : sortKeys(value)));
}
