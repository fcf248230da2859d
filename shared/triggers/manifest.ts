import type * as z from 'zod/mini';
import type { Operations, Route } from '#shared/operations/operation.ts';

/** What the stack needs to know about a function; its handler parses its environment with the same schema. */
export interface FunctionManifest {
  /** File in `functions/` without `.ts`; also the folder of its bundle. */
  readonly name: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** One sentence for the alarm on failing invocations: what users notice. */
  readonly failureMeans: string;
  /** Whether its failure means that no calls are made or no conversation is possible. */
  readonly failureStopsCalls?: boolean;
  /** An object of the variables in `variables.ts` that the function reads. */
  readonly environment: z.ZodMiniObject;
  readonly trigger: Trigger;
  /** Permissions besides writing its log and its trigger's. */
  readonly uses: readonly Use[];
  /**
   * True for a function that sends, even indirectly, to its own queue. Lambda would stop such a loop after about
   * sixteen rounds; here the state of the work item bounds it instead.
   */
  readonly allowsRecursion?: boolean;
  /**
   * How many concurrent requests a worker of the local stack takes; one by default, as on Lambda. For functions whose
   * requests mostly wait and share nothing.
   */
  readonly requestsPerWorker?: number;
  /** With these variables, a worker takes one request at a time anyway. */
  readonly oneRequestPerWorkerIf?: Readonly<Record<string, string>>;
}

export type Trigger = RestTrigger | QueueTrigger | StreamTrigger | ScheduleTrigger | RelayTrigger;

/** Requests to the REST API. */
export interface RestTrigger {
  readonly kind: 'rest';
  /** Endpoints of the OpenAPI document. */
  readonly operations?: Operations;
  /** Endpoints that the document omits. */
  readonly routes?: readonly Route[];
  /**
   * Resource paths whose every method goes to the function, which then answers 404 and 405 itself; for all other paths
   * the gateway does.
   */
  readonly resources?: readonly string[];
}

/** Messages of a queue. */
export interface QueueTrigger {
  readonly kind: 'queue';
  readonly queue: QueueName;
  readonly batchSize: number;
  /** Default: six times the function's timeout, so that a throttled batch is not delivered twice. */
  readonly visibilityTimeoutSeconds?: number;
  /** Deliveries before a message goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** Maximum concurrent batches, so that a flood cannot take the concurrency of the rest of the service. */
  readonly maxConcurrency: number;
  /** One sentence for the alarm on the dead-letter queue: what users notice. */
  readonly deadLettersMean: string;
}

/** Changes of the table. */
export interface StreamTrigger {
  readonly kind: 'stream';
  /** Patterns of the records that invoke the function. */
  readonly filters: readonly Record<string, unknown>[];
  readonly batchSize: number;
  /** How long to collect records for a batch. */
  readonly batchWindowSeconds?: number;
  readonly retryAttempts: number;
  /** One sentence for the alarm on given-up batches: what users notice. */
  readonly deadLettersMean: string;
}

export interface ScheduleTrigger {
  readonly kind: 'schedule';
  readonly everyMinutes: number;
}

/** The connections of the WebSocket API: each handshake, frame and disconnection. */
export interface RelayTrigger {
  readonly kind: 'relay';
}

export type QueueName =
  | 'callQueue'
  | 'recordingQueue'
  | 'watchQueue'
  | 'deliveryQueue'
  | 'erasureQueue'
  | 'sandboxLineQueue';

/** A resource of the stack and what a function does with it. */
export type Use =
  | 'table.read'
  | 'table.write'
  | 'table.delete'
  /** Write and delete search terms. */
  | 'table.index'
  /** Only record an API key's use and its project's request count. */
  | 'table.countRequests'
  /** Only record accesses by clients. */
  | 'table.recordAccess'
  /** Only seal audit entries, file them under patients and set their expiry. */
  | 'table.sealAudit'
  | 'auditBucket.write'
  | `${QueueName}.send`
  | 'recordings.read'
  | 'recordings.write'
  | 'recordings.erase'
  | 'exports.read'
  | 'exports.write'
  | 'secretsKey.decrypt'
  | 'secretsKey.encrypt'
  /** Seal and open sealed values of the table. */
  | 'projectKeys.use'
  | 'projectKeys.create'
  | 'projectKeys.delete'
  | 'sessionSecret.read'
  | 'sandboxCarrierSecret.read'
  | 'liveCarrierSecret.read'
  | 'relay.manageConnections'
  /** Start the functions in `WARMED_FUNCTIONS`. */
  | 'warmedFunctions.invoke'
  | 'languageModels.invoke'
  | 'mail.send'
  | 'sandboxTable.write'
  | 'sandboxTable.delete'
  | 'sandboxRecordings.read'
  | 'sandboxRecordings.write'
  | 'sandboxRecordings.delete'
  | 'sandboxPeople.read';
