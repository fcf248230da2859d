import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { closeServer, loopback } from '../loopback.ts';
import { startAccessGuard } from './access/access-guard.ts';
import { Activity } from './event-sources/activity.ts';
import type { EventSource } from './event-sources/event-source.ts';
import { prepareEventSources } from './event-sources/event-source-mappings.ts';
import { type Schedule, startSchedules } from './event-sources/schedule.ts';
import { readAssets } from './functions/cloud-assembly.ts';
import {
  type AwsEndpoints,
  awsEnvironmentOf,
  defineFunctions,
  type FunctionDefinition,
} from './functions/function-definition.ts';
import { FunctionHosts } from './functions/function-hosts.ts';
import { type FunctionLogLine, openFunctionLog } from './functions/function-log.ts';
import { bundleFunctionWorker, FunctionPool } from './functions/function-pool.ts';
import { attach, openApis } from './gateway/attach-apis.ts';
import { holdRequests } from './gateway/held-requests.ts';
import { pacedIdle } from './gateway/paced-idle.ts';
import type { WebSocketApi } from './gateway/websocket-api.ts';
import { openStackIdentity } from './identity/stack-identity.ts';
import { LocalStackError } from './local-stack-error.ts';
import { ownParameters, webSocketPathOf } from './own-parameters.ts';
import { provisionBuckets } from './provision/buckets.ts';
import { provisionKeys } from './provision/keys.ts';
import { provisionQueues } from './provision/queues.ts';
import { provisionSecrets } from './provision/secrets.ts';
import { provisionTables } from './provision/tables.ts';
import { startDynamoDb } from './servers/dynamodb-server.ts';
import { startInvocations } from './servers/invocation-server.ts';
import { openServer } from './servers/kept-port.ts';
import { startKms } from './servers/kms-server.ts';
import { startMail } from './servers/mail-server.ts';
import { startQueuesAndObjects } from './servers/queue-and-object-server.ts';
import { startSecrets } from './servers/secrets-server.ts';
import { openStackState, type StackState } from './stack-state.ts';
import { createDeployment } from './template/deployment.ts';
import { kebabCase, localRegion } from './template/physical-names.ts';
import { loadTemplate, stackNameOf, type Template } from './template/template.ts';

export interface LocalStackOptions {
  /** The synthesized template and the cloud assembly that has the functions' code. */
  readonly templatePath: string;
  readonly assemblyDir: string;
  /** Data directory, which a restart continues from. */
  readonly dataDir: string;
  /** What the caller holds open there already; otherwise it is opened here, and closed in the end. */
  readonly state?: StackState;
  /** Port of the REST and WebSocket APIs; 0 picks a free one. */
  readonly port: number;
  /** Values of template parameters; the public addresses are set by the stack itself. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Receives messages for the user. */
  readonly log?: (line: string) => void;
  readonly observer?: StackObserver;
  /** Whether functions are held to their roles; off by default, because it takes 40 % of the processor time. */
  readonly checksAccess?: boolean;
}

/** Observes what the functions do. */
export interface StackObserver {
  /** Changes how the function runs, such as the addresses in its environment. */
  instrument(definition: FunctionDefinition): FunctionDefinition;
  onInvoked(definition: FunctionDefinition, event: unknown, milliseconds: number): void;
  /** A request to the management endpoint of the WebSocket API. */
  onSocketRequest(method: string): void;
}

export interface LocalStack {
  /** Base URL of the REST API, without trailing slash. */
  readonly baseUrl: string;
  /** Address of the WebSocket API. */
  readonly relayUrl: string;
  /** The template's outputs. */
  readonly outputs: Record<string, string>;
  readonly endpoints: AwsEndpoints;
  /** With these variables, an SDK client in this process or another one talks to the stack. */
  readonly awsEnvironment: Record<string, string>;
  readonly functionNames: readonly string[];
  /** Requests to AWS denied by a function's role so far; empty when access is not checked. */
  readonly refusedAccess: readonly string[];
  /** Invokes a function (by name or logical ID) with an event and returns its result; throws what it throws. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Calls the listener with every line that a function writes from now on. */
  onFunctionLog(listener: (line: FunctionLogLine) => void): void;
  /** Stops everything that was started; running functions get a moment to finish. */
  stop(): Promise<void>;
}

/** A function's own failure, as the caller of a synchronous invocation sees it. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
  readonly errorType: string;

  constructor(functionName: string, errorType: string, message: string) {
    super(`${functionName} failed with ${errorType}: ${message}`);
    this.errorType = errorType;
  }
}

/** How long functions may continue when the stack stops. */
const stopGraceMs = 1_500;

/**
 * Runs a synthesized template on this machine: its functions from their bundles, its APIs, event sources and schedules
 * in this process, its tables, queues and buckets in embedded servers. Everything listens on the loopback interface.
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const template = await loadTemplate(options.templatePath);
  const undo: (() => Promise<void> | void)[] = [];
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await start(options, template, undo, undoAll);
  } catch (error) {
    await undoAll();
    throw error;
  }
}

async function start(
  options: LocalStackOptions,
  template: Template,
  undo: (() => Promise<void> | void)[],
  undoAll: () => Promise<void>,
): Promise<LocalStack> {
  const { templatePath, assemblyDir, port: wantedPort, parameters = {}, log = () => {}, observer } = options;
  const dataDir = resolve(options.dataDir);

  const state = options.state ?? openStackState(dataDir);
  if (options.state === undefined) undo.push(() => state.close());
  const functionLog = openFunctionLog(join(dataDir, 'functions.log'));
  undo.push(() => functionLog.close());

  // The port comes first, because the functions' environment has it.
  const { server, port } = await openServer(wantedPort, state.port());
  undo.push(() => closeServer(server));
  const releaseRequests = holdRequests(server);
  state.savePort(port);
  const baseUrl = `http://${loopback}:${port}`;
  const relayUrl = `ws://${loopback}:${port}${webSocketPathOf(template)}`;

  // A custom identity provider is used as in a deployment.
  const ownsIdentity =
    Object.hasOwn(template.Parameters ?? {}, 'OidcIssuer') && parameters.OidcIssuer === undefined;
  const identity = ownsIdentity ? await openStackIdentity(state) : null;
  undo.push(async () => identity?.stop());

  const idle = pacedIdle(parameters.SandboxPhonePace ?? template.Parameters?.SandboxPhonePace?.Default);
  let queueOrigin = '';
  let streams: ReadonlyMap<string, string> = new Map();
  const deployment = createDeployment({
    stackName: stackNameOf(templatePath),
    template,
    parameters: {
      ...ownParameters(template, { baseUrl, relayUrl, idle }),
      ...identity?.parameters,
      ...parameters,
    },
    servers: {
      get queueOrigin() {
        return queueOrigin;
      },
      streamArn: (tableName) => streams.get(tableName),
    },
  });

  const secrets = await startSecrets(provisionSecrets(deployment, state));
  undo.push(() => secrets.stop());
  const keys = provisionKeys(deployment, state);
  const kms = await startKms(keys);
  undo.push(() => kms.stop());
  const mail = await startMail(dataDir);
  undo.push(() => mail.stop());
  let pools: readonly FunctionPool[] = [];
  const lambda = await startInvocations((name) => pools.find(({ definition }) => definition.name === name));
  undo.push(() => lambda.stop());
  const stopLater = <T extends { stop(): Promise<void> }>(server: T): T => {
    undo.push(() => server.stop());
    return server;
  };
  const starting = {
    dynamoDb: startDynamoDb(dataDir, log).then(stopLater),
    queuesAndObjects: startQueuesAndObjects(dataDir, state.failedMessages(), log).then(stopLater),
    workerCode: bundleFunctionWorker(),
    assets: readAssets(assemblyDir),
    identity: identity?.serve(baseUrl, log),
  };
  // Waits for all before handling a failure, so that none is left half started.
  await Promise.allSettled(Object.values(starting));
  const dynamoDb = await starting.dynamoDb;
  const queuesAndObjects = await starting.queuesAndObjects;
  const workerCode = await starting.workerCode;
  const assets = await starting.assets;
  await starting.identity;
  queueOrigin = queuesAndObjects.endpoint;
  state.keepFailedMessages(queuesAndObjects.inFlight);
  const endpoints = {
    dynamodb: dynamoDb.endpoint,
    sqs: queuesAndObjects.endpoint,
    s3: queuesAndObjects.endpoint,
    secretsManager: secrets.endpoint,
    kms: kms.endpoint,
    mail: mail.endpoint,
    lambda: lambda.endpoint,
  };
  const clients = sdkClients(endpoints);
  undo.push(() => {
    for (const client of Object.values(clients)) client.destroy();
  });
  const [tableStreams, queues] = await Promise.all([
    provisionTables(deployment, clients.tables),
    provisionQueues(deployment, clients.queues, queueOrigin),
    provisionBuckets(deployment, endpoints.s3),
  ]);
  streams = tableStreams;

  const awsEnvironment = awsEnvironmentOf(endpoints, dataDir);
  const activity = new Activity();
  const guard =
    options.checksAccess === true
      ? stopLater(await startAccessGuard(deployment, endpoints, keys, log))
      : null;
  const hosts = new FunctionHosts(workerCode, functionLog);
  // The template knows the address of AWS alone, because no parameter may change it.
  const management = { RELAY_MANAGEMENT_URL: relayUrl.replace(/^ws/, 'http') };
  pools = defineFunctions(deployment, assets, { ...awsEnvironment, ...management }).map((defined) => {
    const guarded = guard?.instrument(defined) ?? defined;
    const definition = observer?.instrument(guarded) ?? guarded;
    const touch = (): void => activity.touch();
    return new FunctionPool(definition, hosts, functionLog, touch, observer?.onInvoked);
  });
  undo.push(async () => {
    await Promise.all(pools.map((pool) => pool.stop()));
  });

  const apis = openApis(deployment, pools, idle);
  const startEventSources = prepareEventSources(deployment, {
    functions: pools,
    queues,
    sqs: clients.queues,
    streams: clients.streams,
    state,
    activity,
    log,
  });
  const outputs = deployment.outputs();
  // Everything in the template is known to be runnable; functions may be called from here on.
  const eventSources = startEventSources();
  const schedules = startSchedules(deployment, pools, state);
  attach(server, apis, guard, (method) => observer?.onSocketRequest(method));
  releaseRequests();

  return {
    baseUrl,
    relayUrl,
    outputs,
    endpoints,
    awsEnvironment,
    refusedAccess: guard?.refused ?? [],
    functionNames: pools.map(({ definition }) => definition.name),
    invoke: async (name, event) => {
      const pool = pools.find(({ definition }) =>
        [definition.name, definition.logicalId, kebabCase(definition.logicalId)].includes(name),
      );
      if (pool === undefined) throw new LocalStackError(`There is no function ${name}`);
      const result = await pool.invoke(event);
      switch (result.kind) {
        case 'succeeded':
          return result.payload;
        case 'failed':
          throw new FunctionError(name, result.error.errorType, result.error.errorMessage);
        case 'event-too-large':
          throw new FunctionError(name, 'RequestEntityTooLargeException', 'The event is larger than 6 MB');
        default:
          return result satisfies never;
      }
    },
    onFunctionLog: (listener) => functionLog.onLine(listener),
    stop: once(async () => {
      await quiesce({ server, webSocketApi: apis.webSocketApi, pools, eventSources, schedules });
      await undoAll();
      await Promise.all(eventSources.map((source) => source.ended()));
    }),
  };
}

/** Nothing new starts, and running work gets a moment to finish. */
async function quiesce(running: {
  server: Server;
  webSocketApi: WebSocketApi | null;
  pools: readonly FunctionPool[];
  eventSources: readonly EventSource[];
  schedules: readonly Schedule[];
}): Promise<void> {
  const { server, webSocketApi, pools, eventSources, schedules } = running;
  for (const schedule of schedules) schedule.stop();
  for (const source of eventSources) source.stop();
  server.close();
  server.closeIdleConnections();
  const settled = (async () => {
    await Promise.all([webSocketApi?.stop(), ...eventSources.map((source) => source.settled())]);
    while (pools.some((pool) => pool.running > 0)) await new Promise((next) => setTimeout(next, 10));
  })();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((end) => {
    timer = setTimeout(end, stopGraceMs);
  });
  await Promise.race([settled, limit]);
  clearTimeout(timer);
  // Ends what is still running; the next start resumes the functions' messages.
  await Promise.all(pools.map((pool) => pool.stop()));
  await settled;
}

function sdkClients(endpoints: LocalStack['endpoints']) {
  const shared = {
    region: localRegion,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    // Pollers retry by themselves, and a stop must not wait for the SDK's retries.
    maxAttempts: 1,
  };
  const clients = {
    tables: new DynamoDBClient({ ...shared, endpoint: endpoints.dynamodb }),
    streams: new DynamoDBStreamsClient({ ...shared, endpoint: endpoints.dynamodb }),
    queues: new SQSClient({ ...shared, endpoint: endpoints.sqs }),
  };
  for (const { middlewareStack } of Object.values(clients)) {
    // The SDK formats each response for an absent logger: for a stream's records that takes longer than reading them.
    middlewareStack.remove('loggerMiddleware');
    middlewareStack.remove('getUserAgentMiddleware');
  }
  return clients;
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
