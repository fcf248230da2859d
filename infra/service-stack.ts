import { type App, CfnOutput, Stack, Validations } from 'aws-cdk-lib/core';
import type { FunctionManifest, QueueName, Trigger, Use } from '#shared/triggers/manifest.ts';
import { sandboxCarrierPrefix } from '../functions/manifests/sandbox-phone-api.ts';
import { accessLogsBucket } from './constructs/access-logs-bucket.ts';
import { Alarms } from './constructs/alarms.ts';
import { AuditBucket } from './constructs/audit-bucket.ts';
import { Backup } from './constructs/backup.ts';
import { CustomDomains } from './constructs/custom-domains.ts';
import { OperationsDashboard } from './constructs/dashboard.ts';
import { DialogueModel } from './constructs/dialogue-model.ts';
import { FlowAlarms } from './constructs/flow-alarms.ts';
import { Identity } from './constructs/identity.ts';
import { letReadLiveCarrierSecret } from './constructs/live-carrier-secret.ts';
import { letSendMail } from './constructs/mail-identity.ts';
import { operationsKey } from './constructs/operations-key.ts';
import { ProjectKeys } from './constructs/project-keys.ts';
import { QueueWorker } from './constructs/queue-worker.ts';
import { RecordingsBucket } from './constructs/recordings-bucket.ts';
import { ServiceRestApi } from './constructs/rest-api.ts';
import { phoneManifests, SandboxPhone } from './constructs/sandbox-phone.ts';
import { ScheduledFunction } from './constructs/scheduled-function.ts';
import { SecretsKey } from './constructs/secrets-key.ts';
import type { ServiceContext } from './constructs/service-context.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { ServiceTable } from './constructs/service-table.ts';
import { SessionSecret } from './constructs/session-secret.ts';
import type { Stage } from './constructs/stage.ts';
import { StreamWorker } from './constructs/stream-worker.ts';
import { addTracing } from './constructs/tracing.ts';
import { WebAcl } from './constructs/web-acl.ts';
import { RelayWebSocketApi } from './constructs/websocket-api.ts';
import { manifests } from './manifests.ts';
import { gatewayMethods } from './routes.ts';
import { addParameters } from './service-parameters.ts';
import { grantsOn, isConditional, type Resources, variableValues } from './wiring.ts';

export interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundlesDir: string;
}

/** The whole service: its resources, and the functions of all manifests with their triggers, variables and grants. */
export class ServiceStack extends Stack {
  constructor(app: App, id: string, { stage, bundlesDir }: ServiceStackProps) {
    super(app, id, {
      description: `Voice agent tasks (${stage.name}): makes telephone calls for patients`,
      terminationProtection: stage.deletionProtection,
    });
    Validations.of(this).acknowledge({
      id: 'CloudFormation-Validate::W2509',
      reason: 'LiveCarrierSecretId is the name of a secret, not a secret value.',
    });
    const key = operationsKey(this, 'OperationsKey', stage);
    const context: ServiceContext = {
      stage,
      bundlesDir,
      alarms: new Alarms(this, 'Alarms', key),
      operationsKey: key,
      accessLogs: accessLogsBucket(this, 'AccessLogs', stage),
    };
    const parameters = addParameters(this);
    context.alarms.sendTo(parameters.alarmEmail);

    const table = new ServiceTable(this, 'ServiceTable', context);
    const secretsKey = new SecretsKey(this, 'Secrets', context);
    const projectKeys = new ProjectKeys(this, table);
    const recordings = new RecordingsBucket(this, 'Recordings', context, projectKeys);
    const auditCopies = new AuditBucket(this, 'AuditCopies', context);
    new Backup(this, 'Backup', context, {
      key: table.key,
      sources: [table.table.tableArn, recordings.bucket.bucketArn],
    });
    const sessionSecret = new SessionSecret(this, 'SessionSecret', secretsKey.key);
    const phone = stage.sandboxPhone
      ? new SandboxPhone(this, 'SandboxPhone', context, { key: table.key })
      : null;

    const functions = new Map<string, ServiceFunction>();
    for (const own of phone === null ? [] : [phone.restApi, phone.line])
      functions.set(own.manifest.name, own);
    for (const manifest of manifests) {
      if (phoneManifests.includes(manifest)) continue;
      functions.set(manifest.name, new ServiceFunction(this, context, manifest));
    }
    const functionNamed = (name: string): ServiceFunction =>
      required(functions.get(name), `function ${name}`);
    const functionsWith = (use: Use): ServiceFunction[] =>
      [...functions.values()].filter(({ manifest }) => manifest.uses.includes(use));

    for (const name of ['voice-agent', 'carrier-callback']) {
      functionNamed(name).reserve(parameters.reservedForCalls.orNoValue);
    }
    const queues = new Map<QueueName, QueueWorker>();
    if (phone !== null) queues.set('sandboxLineQueue', phone.lineQueue);
    for (const props of triggeredBy(functions.values(), 'queue')) {
      const name = props.trigger.queue;
      const id = name.charAt(0).toUpperCase() + name.slice(1);
      if (!queues.has(name)) queues.set(name, new QueueWorker(this, id, context, props));
    }
    const queue = (name: QueueName): QueueWorker => required(queues.get(name), `worker of ${name}`);
    const followers = new Map(
      triggeredBy(functions.values(), 'stream').map((props) => {
        const { name } = props.worker.manifest;
        return [
          name,
          new StreamWorker(this, followerIds[name] ?? `Follow-${name}`, context, { table, ...props }),
        ];
      }),
    );
    const follower = (name: string): StreamWorker => required(followers.get(name), `follower ${name}`);
    for (const { worker, trigger } of triggeredBy(functions.values(), 'schedule')) {
      new ScheduledFunction(this, 'Sweep', { job: worker, everyMinutes: trigger.everyMinutes });
    }
    const restApi = new ServiceRestApi(this, 'RestApi', context, {
      limit: {
        requestsPerSecond: parameters.requestsPerSecond.valueAsNumber,
        burst: parameters.requestBurst.valueAsNumber,
      },
      carrierLimit: {
        requestsPerSecond: parameters.carrierRequestsPerSecond.valueAsNumber,
        burst: parameters.carrierRequestBurst.valueAsNumber,
      },
    });
    for (const method of gatewayMethods) {
      if (phone === null && method.path.startsWith(sandboxCarrierPrefix)) continue;
      restApi.addMethod(method, functionNamed);
    }
    const [agent] = triggeredBy(functions.values(), 'relay').map(({ worker }) => worker);
    const relay = new RelayWebSocketApi(this, 'Relay', context, {
      agent: required(agent, 'function for the relay'),
      loggingAccount: restApi.loggingAccount,
    });

    const warmed = ['carrier-callback', ...(stage.provisionedAgents === 0 ? ['voice-agent'] : [])].map(
      functionNamed,
    );
    for (const one of warmed) one.invokeAtMostOnce();

    addTracing(this, { functions: [...functions.values()], restApi });
    new FlowAlarms(this, 'Flow', context, { functionNamed, queue });
    const noCalls = context.alarms.addComposite();
    new OperationsDashboard(this, 'Operations', context, { functionNamed, queue, restApi, noCalls });

    const domains = new CustomDomains(this, 'Domains', { restApi, relay });
    const publicBaseUrl = parameters.publicBaseUrl.or(domains.baseUrl);
    const relayUrl = parameters.publicRelayUrl.or(domains.relayUrl);
    const identity = new Identity(this, 'Identity', context, { publicBaseUrl });
    new WebAcl(this, 'WebAclGuard', context, {
      basePath: domains.basePath,
      restApiStageArn: restApi.api.deploymentStage.stageArn,
      identity,
    });
    const dialogue = new DialogueModel(this, 'Dialogue', { users: functionsWith('languageModels.invoke') });
    const resources: Resources = {
      table,
      secretsKey,
      projectKeys,
      recordings,
      auditCopies,
      sessionSecret,
      phone,
      queue,
      relay,
      warmed,
      identity,
      dialogue,
      parameters,
      publicBaseUrl,
      relayUrl,
    };
    const values = variableValues(resources);
    const grants = grantsOn(resources);
    for (const user of functions.values()) {
      user.setEnvironment(values);
      for (const use of user.manifest.uses) if (!isConditional(use)) grants[use]?.(user);
    }
    letReadLiveCarrierSecret(this, functionsWith('liveCarrierSecret.read'), parameters.liveCarrierSecretId);
    letSendMail(this, functionsWith('mail.send'), parameters.mailFrom);

    this.addOutputs({
      BaseUrl: publicBaseUrl,
      SignInIssuer: identity.issuer,
      SignInClientId: identity.clientId,
      RelayUrl: relayUrl,
      TableName: table.table.tableName,
      SecretsKeyId: secretsKey.key.keyArn,
      RecordingsBucketName: recordings.bucket.bucketName,
      AuditBucketName: auditCopies.bucket.bucketName,
      CallQueueUrl: queue('callQueue').queue.queueUrl,
      CallDeadLetterQueueUrl: queue('callQueue').deadLetters.queueUrl,
      RecordingQueueUrl: queue('recordingQueue').queue.queueUrl,
      RecordingDeadLetterQueueUrl: queue('recordingQueue').deadLetters.queueUrl,
      WatchQueueUrl: queue('watchQueue').queue.queueUrl,
      WatchDeadLetterQueueUrl: queue('watchQueue').deadLetters.queueUrl,
      DeliveryQueueUrl: queue('deliveryQueue').queue.queueUrl,
      DeliveryDeadLetterQueueUrl: queue('deliveryQueue').deadLetters.queueUrl,
      ErasureQueueUrl: queue('erasureQueue').queue.queueUrl,
      ErasureDeadLetterQueueUrl: queue('erasureQueue').deadLetters.queueUrl,
      CompletionDeadLetterQueueUrl: follower('webhook-fanout').deadLetters.queueUrl,
      AuditDeadLetterQueueUrl: follower('audit-keeper').deadLetters.queueUrl,
      ...phone?.outputs,
      AlarmTopicArn: context.alarms.topic.topicArn,
    });
  }

  private addOutputs(values: Record<string, string>): void {
    for (const [name, value] of Object.entries(values)) {
      new CfnOutput(this, name, { value });
    }
  }
}

/** Base name of the resources around a stream worker; deployed stacks keep theirs. */
const followerIds: Partial<Record<string, string>> = {
  'webhook-fanout': 'Completions',
  'audit-keeper': 'AuditEntries',
};

/** The functions of one kind of trigger, each with its trigger. */
function triggeredBy<Kind extends Trigger['kind']>(
  functions: Iterable<ServiceFunction>,
  kind: Kind,
): { worker: ServiceFunction; trigger: Extract<Trigger, { kind: Kind }> }[] {
  const isOfKind = (trigger: Trigger): trigger is Extract<Trigger, { kind: Kind }> => trigger.kind === kind;
  return [...functions].flatMap((worker) => {
    const { trigger }: FunctionManifest = worker.manifest;
    return isOfKind(trigger) ? [{ worker, trigger }] : [];
  });
}

function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`The stack has no ${what}`);
  return value;
}
