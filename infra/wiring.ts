import { Fn } from 'aws-cdk-lib/core';
import type { QueueName, Use } from '#shared/triggers/manifest.ts';
import type * as variables from '#shared/triggers/variables.ts';
import { sandboxCarrierPrefix } from '../functions/manifests/sandbox-phone-api.ts';
import type { AuditBucket } from './constructs/audit-bucket.ts';
import type { DialogueModel } from './constructs/dialogue-model.ts';
import type { Identity } from './constructs/identity.ts';
import type { ProjectKeys } from './constructs/project-keys.ts';
import type { QueueWorker } from './constructs/queue-worker.ts';
import type { RecordingsBucket } from './constructs/recordings-bucket.ts';
import type { SandboxPhone, SandboxUse } from './constructs/sandbox-phone.ts';
import type { SecretsKey } from './constructs/secrets-key.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import type { ServiceTable } from './constructs/service-table.ts';
import type { SessionSecret } from './constructs/session-secret.ts';
import type { RelayWebSocketApi } from './constructs/websocket-api.ts';
import type { addParameters } from './service-parameters.ts';

/** Resources of the stack that functions may use or need to know. */
export interface Resources {
  readonly table: ServiceTable;
  readonly secretsKey: SecretsKey;
  readonly projectKeys: ProjectKeys;
  readonly recordings: RecordingsBucket;
  readonly auditCopies: AuditBucket;
  readonly sessionSecret: SessionSecret;
  /** Null where it is not deployed. */
  readonly phone: SandboxPhone | null;
  readonly queue: (name: QueueName) => QueueWorker;
  readonly relay: RelayWebSocketApi;
  /** Functions in a call's path without provisioned concurrency. */
  readonly warmed: readonly ServiceFunction[];
  readonly identity: Identity;
  readonly dialogue: DialogueModel;
  readonly parameters: ReturnType<typeof addParameters>;
  readonly publicBaseUrl: string;
  readonly relayUrl: string;
}

/** The value of every variable that a manifest may name. */
export function variableValues(resources: Resources): Record<keyof typeof variables, string> {
  const { table, secretsKey, recordings, sessionSecret, phone, queue, identity, dialogue } = resources;
  const { auditCopies, parameters, publicBaseUrl, relayUrl } = resources;
  return {
    TABLE_NAME: table.table.tableName,
    WARMED_FUNCTIONS: resources.warmed.map(({ lambda }) => lambda.functionName).join(','),
    CALL_QUEUE_URL: queue('callQueue').queue.queueUrl,
    RECORDING_QUEUE_URL: queue('recordingQueue').queue.queueUrl,
    WATCH_QUEUE_URL: queue('watchQueue').queue.queueUrl,
    DELIVERY_QUEUE_URL: queue('deliveryQueue').queue.queueUrl,
    ERASURE_QUEUE_URL: queue('erasureQueue').queue.queueUrl,
    RECORDINGS_BUCKET: recordings.bucket.bucketName,
    AUDIT_BUCKET: auditCopies.bucket.bucketName,
    SECRETS_KEY_ID: secretsKey.key.keyArn,
    SESSION_SECRET_ID: sessionSecret.arn,
    PUBLIC_BASE_URL: publicBaseUrl,
    RELAY_URL: relayUrl,
    RELAY_MANAGEMENT_URL: resources.relay.managementUrl,
    PROJECT_REQUESTS_PER_SECOND: parameters.projectRequestsPerSecond.valueAsString,
    MAIL_FROM: parameters.mailFrom.valueAsString,
    WEBHOOK_LOOPBACK: parameters.webhookLoopback.valueAsString,
    OIDC_ISSUER: identity.issuer,
    OIDC_CLIENT_ID: identity.clientId,
    SANDBOX_CARRIER_SECRET_ID: phone?.secretArn ?? '',
    SANDBOX_CARRIER_BASE_URL: phone === null ? '' : Fn.join('', [publicBaseUrl, sandboxCarrierPrefix]),
    OPERATOR_EMAILS: parameters.operatorEmails.valueAsString,
    LIVE_CARRIER_SECRET_ID: parameters.liveCarrierSecretId.valueAsString,
    LIVE_CARRIER_CALLS_PER_SECOND: parameters.liveCarrierCallsPerSecond.valueAsString,
    LIVE_CARRIER_MAX_CALLS: parameters.liveCarrierMaxCalls.valueAsString,
    NUMBER_CALLS_PER_DAY: parameters.numberCallsPerDay.valueAsString,
    NUMBER_GAP_MINUTES: parameters.numberGapMinutes.valueAsString,
    SHARED_LINE_CALLS_PER_DAY: parameters.sharedLineCallsPerDay.valueAsString,
    SHARED_LINE_GAP_MINUTES: parameters.sharedLineGapMinutes.valueAsString,
    OPT_OUT_SCOPE: parameters.optOutScope.valueAsString,
    SILENCE_SECONDS: parameters.silenceSeconds.valueAsString,
    RELAY_KEEP_ALIVE_SECONDS: parameters.relayKeepAliveSeconds.valueAsString,
    ...dialogue.variables,
    SANDBOX_TABLE_NAME: phone?.table.tableName ?? '',
    SANDBOX_BUCKET: phone?.bucket.bucketName ?? '',
    SANDBOX_LINE_QUEUE_URL: phone?.lineQueue.queue.queueUrl ?? '',
    SANDBOX_PHONE_PACE: phone?.parameters.pace.valueAsString ?? '',
    SANDBOX_PHONE_SPEECH: phone?.parameters.speech.valueAsString ?? '',
    SANDBOX_PHONE_CALLS_PER_SECOND: phone?.parameters.callsPerSecond.valueAsString ?? '',
  };
}

/** Granted to all users at once, by a policy that exists only if the deployment has the resource. */
type ConditionalUse = (typeof conditionalUses)[number];
const conditionalUses = ['liveCarrierSecret.read', 'languageModels.invoke', 'mail.send'] as const;

export function isConditional(use: Use): use is ConditionalUse {
  return conditionalUses.some((conditional) => conditional === use);
}

type Grant = (user: ServiceFunction) => void;

/** What each `use` of a manifest grants to its function. */
export function grantsOn(
  resources: Resources,
): Record<Exclude<Use, ConditionalUse | SandboxUse>, Grant> & Partial<Record<SandboxUse, Grant>> {
  const { table, secretsKey, projectKeys, recordings, auditCopies, sessionSecret, phone } = resources;
  const { queue, relay } = resources;
  return {
    'table.read': (user) => table.letRead(user),
    'table.write': (user) => table.letWrite(user),
    'table.delete': (user) => table.letDelete(user),
    'table.index': (user) => table.letIndex(user),
    'table.countRequests': (user) => table.letCountRequests(user),
    'table.recordAccess': (user) => table.letRecordAccess(user),
    'table.sealAudit': (user) => table.letSealAudit(user),
    'auditBucket.write': (user) => auditCopies.letWrite(user),
    'callQueue.send': (user) => queue('callQueue').letSend(user),
    'recordingQueue.send': (user) => queue('recordingQueue').letSend(user),
    'watchQueue.send': (user) => queue('watchQueue').letSend(user),
    'deliveryQueue.send': (user) => queue('deliveryQueue').letSend(user),
    'erasureQueue.send': (user) => queue('erasureQueue').letSend(user),
    'sandboxLineQueue.send': (user) => queue('sandboxLineQueue').letSend(user),
    'recordings.read': (user) => recordings.letRead(user),
    'recordings.write': (user) => recordings.letWrite(user),
    'recordings.erase': (user) => recordings.letErase(user),
    'exports.read': (user) => recordings.letReadExports(user),
    'exports.write': (user) => recordings.letWriteExports(user),
    'secretsKey.decrypt': (user) => secretsKey.letDecrypt(user),
    'secretsKey.encrypt': (user) => secretsKey.letEncrypt(user),
    'projectKeys.use': (user) => projectKeys.letUse(user),
    'projectKeys.create': (user) => projectKeys.letCreate(user),
    'projectKeys.delete': (user) => projectKeys.letDelete(user),
    'sessionSecret.read': (user) => sessionSecret.letRead(user),
    'warmedFunctions.invoke': (user) => {
      for (const { lambda } of resources.warmed) user.allow(['lambda:InvokeFunction'], [lambda.functionArn]);
    },
    'relay.manageConnections': (user) => relay.letManageConnections(user),
    ...phone?.grants,
  };
}
