import type * as z from 'zod/mini';
import type { Operations, Route } from '#shared/operations/operation.ts';

/** All that the stack has to know of a function; its handler reads its environment by the same schema. */
export interface FunctionManifest {
  /** File in `functions/` without `.ts`; also the folder of its bundle. */
  readonly name: string;
  readonly description: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** One sentence for the alarm on failing invocations: what users notice. */
  readonly failureMeans: string;
  /** Whether no calls are made, or none can be held, while it fails. */
  readonly failureStopsCalls?: boolean;
  /** An object of the variables in `variables.ts` that the function reads. */
  readonly environment: z.ZodMiniObject;
  readonly trigger: Trigger;
  /** What it may do besides writing its log and being triggered. */
  readonly uses: readonly Use[];
  /**
   * True for a function that sends, itself or through others, to the queue it works from. Lambda would stop
   * such a chain after about sixteen rounds; here the state of the work item bounds it instead.
   */
  readonly allowsRecursion?: boolean;
  /**
   * How many requests a worker of the local stack takes at a time; one, as on Lambda, unless said otherwise. For a
   * function whose requests wait most of the time and share nothing.
   */
  readonly requestsPerWorker?: number;
  /** A worker takes one request at a time all the same where the function has these variables. */
  readonly oneRequestPerWorkerIf?: Readonly<Record<string, string>>;
}

export type Trigger = RestTrigger | QueueTrigger | StreamTrigger | ScheduleTrigger | RelayTrigger;

/** Requests to the REST API. */
export interface RestTrigger {
  readonly kind: 'rest';
  /** Endpoints of the OpenAPI document. */
  readonly operations?: Operations;
  /** Endpoints that the document leaves out. */
  readonly routes?: readonly Route[];
  /**
   * Resource paths of which the function gets every method. It then says itself what is not found or not
   * allowed; for all other paths the gateway does.
   */
  readonly resources?: readonly string[];
}

/** Messages of a queue. */
export interface QueueTrigger {
  readonly kind: 'queue';
  readonly queue: QueueName;
  readonly batchSize: number;
  /**
   * Six times the function's timeout unless said otherwise, so that a throttled batch is not delivered twice.
   */
  readonly visibilityTimeoutSeconds?: number;
  /** Deliveries before a message goes to the dead-letter queue. */
  readonly maxReceives: number;
  /**
   * Batches worked on at the same time, so that a flood cannot take the concurrency of the rest of the
   * service.
   */
  readonly maxConcurrency: number;
  /** One sentence for the alarm on the dead-letter queue: what users notice. */
  readonly deadLettersMean: string;
}

/** Changes of the table. */
export interface StreamTrigger {
  readonly kind: 'stream';
  /** Patterns of records the function wants; the others never invoke it. */
  readonly filters: readonly Record<string, unknown>[];
  readonly batchSize: number;
  /** How long records may be waited for, so that a batch holds more of them. */
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
  /** Writing and deleting what the search finds things by. */
  | 'table.index'
  /** Noting that an API key was used and how many requests its project made, and writing nothing else. */
  | 'table.countRequests'
  /** Writing down what clients see, and writing nothing else. */
  | 'table.recordAccess'
  /** Permission to seal audit entries, file them under patients and set their expiry, and nothing else. */
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
  /** Seals and opens what the table holds sealed. */
  | 'projectKeys.use'
  | 'projectKeys.create'
  | 'projectKeys.delete'
  | 'sessionSecret.read'
  | 'sandboxCarrierSecret.read'
  | 'liveCarrierSecret.read'
  | 'relay.manageConnections'
  /** Starting those of `WARMED_FUNCTIONS`. */
  | 'warmedFunctions.invoke'
  | 'languageModels.invoke'
  | 'mail.send'
  | 'sandboxTable.write'
  | 'sandboxTable.delete'
  | 'sandboxRecordings.read'
  | 'sandboxRecordings.write'
  | 'sandboxRecordings.delete'
  | 'sandboxPeople.read';
