import { type App, CfnOutput, Duration, Fn, Stack, Validations } from 'aws-cdk-lib/core';
import { Alarms } from './constructs/alarms.ts';
import { DialogueModel } from './constructs/dialogue-model.ts';
import { Identity } from './constructs/identity.ts';
import { letUseLiveCarrierSecret } from './constructs/live-carrier-secret.ts';
import { QueueWorker } from './constructs/queue-worker.ts';
import { RecordingsBucket } from './constructs/recordings-bucket.ts';
import { ServiceRestApi } from './constructs/rest-api.ts';
import { SandboxPhone } from './constructs/sandbox-phone.ts';
import { ScheduledFunction } from './constructs/scheduled-function.ts';
import { SecretsKey } from './constructs/secrets-key.ts';
import type { ServiceContext } from './constructs/service-context.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import { ServiceTable } from './constructs/service-table.ts';
import { SessionSecret } from './constructs/session-secret.ts';
import type { Stage } from './constructs/stage.ts';
import { StreamWorker } from './constructs/stream-worker.ts';
import { RelayWebSocketApi } from './constructs/websocket-api.ts';
import {
  methodNotAllowedFunction,
  type RestFunctionName,
  restFunctionNames,
  routes,
  sandboxCarrierPrefix,
  tableAccessOf,
} from './routes.ts';
import { addServiceFunctions, type ServiceFunctionName } from './service-functions.ts';
import { addParameters } from './service-parameters.ts';

export interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundlesDir: string;
}

/** The whole service: what it keeps, its functions, what sets them to work, and what each of them may use. */
export class ServiceStack extends Stack {
  constructor(app: App, id: string, { stage, bundlesDir }: ServiceStackProps) {
    super(app, id, {
      description: `Voice agent tasks (${stage.name}): makes telephone calls for patients`,
      terminationProtection: stage.deletionProtection,
    });
    Validations.of(this).acknowledge({
      id: 'CloudFormation-Validate::W2509',
      reason: 'LiveCarrierSecretId is the name of a secret, not a secret.',
    });
    const context: ServiceContext = { stage, bundlesDir, alarms: new Alarms(this, 'Alarms') };
    const parameters = addParameters(this);

    const table = new ServiceTable(this, 'ServiceTable', context);
    const secretsKey = new SecretsKey(this, 'Secrets', context);
    const recordings = new RecordingsBucket(this, 'Recordings', context);

    const functionNamed = addServiceFunctions(this, context);
    const functionsNamed = (...names: ServiceFunctionName[]) => names.map(functionNamed);

    const callQueue = new QueueWorker(this, 'CallQueue', context, {
      worker: functionNamed('call-runner'),
      batchSize: 5,
      maxReceives: 5,
      maxConcurrency: 20,
      deadLettersMean:
        'Something about a call was given up: a task is not dialled, or its call ends only by its limit.',
    });
    const recordingQueue = new QueueWorker(this, 'RecordingQueue', context, {
      worker: functionNamed('recording-keeper'),
      // One after the other: a batch would take as long as its recordings together.
      batchSize: 1,
      // What died is begun anew as soon as it cannot be running any more; done twice, it does no harm.
      visibilityTimeoutSeconds: functionNamed('recording-keeper').timeoutSeconds,
      maxReceives: 5,
      maxConcurrency: 10,
      deadLettersMean:
        'Recordings are fetched or deleted only when their call is looked at again, so calls stay in progress.',
    });
    const watchQueue = new QueueWorker(this, 'WatchQueue', context, {
      worker: functionNamed('conversation-watch'),
      batchSize: 5,
      // Somebody is on the line: a look that failed is not left lying for long, and one that comes twice does no harm.
      visibilityTimeoutSeconds: functionNamed('conversation-watch').timeoutSeconds,
      maxReceives: 5,
      maxConcurrency: 20,
      deadLettersMean:
        'Conversations are no longer watched: calls on which nobody speaks end only by their limit.',
    });
    const deliveryQueue = new QueueWorker(this, 'DeliveryQueue', context, {
      worker: functionNamed('webhook-delivery'),
      batchSize: 1,
      maxReceives: 10,
      maxConcurrency: 50,
      deadLettersMean:
        'Clients were not told of completed calls or tasks, because their webhooks were given up.',
    });
    const completions = new StreamWorker(this, 'Completions', context, {
      table,
      worker: functionNamed('webhook-fanout'),
      filters: [{ eventName: ['MODIFY'], dynamodb: { NewImage: { type: { S: ['task', 'call'] } } } }],
      batchSize: 100,
      retryAttempts: 10,
      deadLettersMean: 'Completed calls or tasks were skipped, so clients get no webhook for them.',
    });
    new ScheduledFunction(this, 'Sweep', { job: functionNamed('call-sweeper'), every: Duration.minutes(1) });

    const restApi = new ServiceRestApi(this, 'RestApi', context, {
      requestsPerSecond: parameters.requestsPerSecond.valueAsNumber,
      burst: parameters.requestBurst.valueAsNumber,
    });
    const relay = new RelayWebSocketApi(this, 'Relay', context, {
      agent: functionNamed('voice-agent'),
      loggingAccount: restApi.loggingAccount,
    });
    const publicBaseUrl = parameters.publicBaseUrl.or(restApi.url);
    const relayUrl = parameters.publicRelayUrl.or(relay.url);
    const phone = new SandboxPhone(this, 'SandboxPhone', context, {
      publicBaseUrl,
      relayUrl,
      pace: parameters.sandboxPhonePace.valueAsString,
      speech: parameters.sandboxPhoneSpeech.valueAsString,
      callsPerSecond: parameters.sandboxPhoneCallsPerSecond.valueAsString,
    });

    const restFunction = (name: RestFunctionName): ServiceFunction =>
      name === 'sandbox-phone-api' ? phone.restApi : functionNamed(name);
    for (const route of routes) {
      restApi.addRoute(route, restFunction(route.function));
    }
    restApi.refuseOtherMethods(routes, functionNamed(methodNotAllowedFunction));

    for (const name of restFunctionNames) {
      table.let(restFunction(name), tableAccessOf(name));
    }
    const clientFunctions = routes.flatMap((route) =>
      route.authentication === 'api-key' ? restFunction(route.function) : [],
    );
    for (const answering of clientFunctions) {
      table.letNoteRequests(answering);
      answering.setEnvironment(
        'PROJECT_REQUESTS_PER_SECOND',
        parameters.projectRequestsPerSecond.valueAsString,
      );
    }
    const adminFunctions = routes.flatMap((route) =>
      ['oidc', 'session'].includes(route.authentication) ? restFunction(route.function) : [],
    );
    const identity = new Identity(this, 'Identity', context, { publicBaseUrl, users: adminFunctions });
    new SessionSecret(this, 'SessionSecret').letRead(functionNamed('dashboard'));
    for (const worker of functionsNamed(
      'call-runner',
      'recording-keeper',
      'voice-agent',
      'conversation-watch',
      'webhook-fanout',
      'webhook-delivery',
    )) {
      table.let(worker, 'write');
    }
    table.let(functionNamed('call-sweeper'), 'read');
    for (const deleter of functionsNamed(
      'admin-members',
      'admin-webhooks',
      'dashboard',
      'call-runner',
      'recording-keeper',
    )) {
      table.letDelete(deleter);
    }
    for (const sender of functionsNamed(
      'create-task',
      'cancel-task',
      'admin-tasks',
      'dashboard',
      'carrier-callback',
      'call-runner',
      'recording-keeper',
      'call-sweeper',
    )) {
      callQueue.letSend(sender, 'CALL_QUEUE_URL');
    }
    for (const sender of functionsNamed(
      'call-sweeper',
      'webhook-fanout',
      'webhook-delivery',
      'admin-webhooks',
      'dashboard',
    )) {
      deliveryQueue.letSend(sender, 'DELIVERY_QUEUE_URL');
    }
    for (const sender of functionsNamed('voice-agent', 'conversation-watch')) {
      watchQueue.letSend(sender, 'WATCH_QUEUE_URL');
      sender.setEnvironment('SILENCE_SECONDS', parameters.silenceSeconds.valueAsString);
      relay.letManageConnections(sender);
    }
    for (const user of functionsNamed('webhook-delivery', 'admin-webhooks', 'dashboard')) {
      user.setEnvironment('WEBHOOK_LOOPBACK', parameters.webhookLoopback.valueAsString);
    }
    secretsKey.letOpen(functionNamed('webhook-delivery'));
    for (const keeper of functionsNamed('admin-webhooks', 'dashboard')) {
      secretsKey.letSealAndOpen(keeper);
    }
    for (const reader of functionsNamed('get-call-recording', 'admin-tasks', 'dashboard')) {
      recordings.letRead(reader);
    }
    recordings.letKeep(functionNamed('recording-keeper'));
    recordingQueue.letSend(functionNamed('call-runner'), 'RECORDING_QUEUE_URL');

    for (const writer of functionsNamed(
      'list-patients',
      'get-task',
      'list-tasks',
      'cancel-task',
      'carrier-callback',
      'call-runner',
      'open-api',
      'admin-projects',
      'admin-patients',
      'admin-tasks',
      'admin-audit-log',
      'admin-api-keys',
      'admin-webhooks',
      'dashboard',
    )) {
      writer.setEnvironment('PUBLIC_BASE_URL', publicBaseUrl);
    }
    for (const relayUser of functionsNamed('carrier-callback', 'voice-agent', 'conversation-watch')) {
      relayUser.setEnvironment('RELAY_URL', relayUrl);
    }
    for (const caller of functionsNamed('call-runner', 'recording-keeper')) {
      caller.setEnvironment('SANDBOX_CARRIER_BASE_URL', Fn.join('', [publicBaseUrl, sandboxCarrierPrefix]));
    }
    functionNamed('call-runner').setEnvironment(
      'LIVE_CARRIER_CALLS_PER_SECOND',
      parameters.liveCarrierCallsPerSecond.valueAsString,
    );
    functionNamed('call-runner').setEnvironment(
      'LIVE_CARRIER_MAX_CALLS',
      parameters.liveCarrierMaxCalls.valueAsString,
    );
    const carrierUsers = functionsNamed('carrier-callback', 'call-runner', 'recording-keeper', 'voice-agent');
    for (const user of carrierUsers) {
      phone.letUseSecret(user);
    }
    letUseLiveCarrierSecret(this, carrierUsers, parameters.liveCarrierSecretId);
    new DialogueModel(this, 'Dialogue', { users: functionsNamed('voice-agent', 'conversation-watch') });

    this.addOutputs({
      BaseUrl: publicBaseUrl,
      SignInIssuer: identity.issuer,
      SignInClientId: identity.clientId,
      RelayUrl: relayUrl,
      TableName: table.table.tableName,
      SecretsKeyId: secretsKey.key.keyArn,
      RecordingsBucketName: recordings.bucket.bucketName,
      CallQueueUrl: callQueue.queue.queueUrl,
      CallDeadLetterQueueUrl: callQueue.deadLetters.queueUrl,
      RecordingQueueUrl: recordingQueue.queue.queueUrl,
      RecordingDeadLetterQueueUrl: recordingQueue.deadLetters.queueUrl,
      WatchQueueUrl: watchQueue.queue.queueUrl,
      WatchDeadLetterQueueUrl: watchQueue.deadLetters.queueUrl,
      DeliveryQueueUrl: deliveryQueue.queue.queueUrl,
      DeliveryDeadLetterQueueUrl: deliveryQueue.deadLetters.queueUrl,
      CompletionDeadLetterQueueUrl: completions.deadLetters.queueUrl,
      SandboxTableName: phone.table.tableName,
      SandboxBucketName: phone.bucket.bucketName,
      SandboxCarrierSecretArn: phone.secretArn,
      SandboxLineQueueUrl: phone.lineWorker.queue.queueUrl,
      SandboxLineDeadLetterQueueUrl: phone.lineWorker.deadLetters.queueUrl,
      AlarmTopicArn: context.alarms.topic.topicArn,
    });
  }

  private addOutputs(values: Record<string, string>): void {
    for (const [name, value] of Object.entries(values)) {
      new CfnOutput(this, name, { value });
    }
  }
}
