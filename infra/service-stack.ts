import { CfnPolicy } from 'aws-cdk-lib/aws-iam';
import {
  type App,
  ArnFormat,
  CfnCondition,
  CfnOutput,
  CfnParameter,
  Duration,
  Fn,
  Stack,
  Validations,
} from 'aws-cdk-lib/core';
import { Alarms } from './constructs/alarms.ts';
import { DialogueModel } from './constructs/dialogue-model.ts';
import { Identity } from './constructs/identity.ts';
import { QueueWorker } from './constructs/queue-worker.ts';
import { RecordingsBucket } from './constructs/recordings-bucket.ts';
import { ServiceRestApi } from './constructs/rest-api.ts';
import { SandboxPhone } from './constructs/sandbox-phone.ts';
import { ScheduledFunction } from './constructs/scheduled-function.ts';
import { SecretsKey } from './constructs/secrets-key.ts';
import type { ServiceContext } from './constructs/service-context.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
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

export interface ServiceStackProps {
  readonly stage: Stage;
  readonly bundlesDir: string;
}

/** The whole service. Read from top to bottom it follows a task: request, table, queue, call, conversation, webhook. */
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
    const parameters = this.addParameters();

    const table = new ServiceTable(this, 'ServiceTable', context);
    const secretsKey = new SecretsKey(this, 'Secrets', context);
    const recordings = new RecordingsBucket(this, 'Recordings', context);

    const requestFunction = (
      props: Pick<ServiceFunctionProps, 'name' | 'description' | 'failureMeans'>,
    ): ServiceFunction =>
      new ServiceFunction(this, context, { memoryMb: 1024, timeoutSeconds: 10, ...props });

    const createPatient = requestFunction({
      name: 'create-patient',
      description: 'POST /v1/patient',
      failureMeans: 'Clients cannot register patients and get 500.',
    });
    const getPatient = requestFunction({
      name: 'get-patient',
      description: 'GET /v1/patient/{patient_id}',
      failureMeans: 'Clients cannot read patients and get 500.',
    });
    const listPatients = requestFunction({
      name: 'list-patients',
      description: 'GET /v1/patient',
      failureMeans: 'Clients cannot list patients and get 500.',
    });
    const createTask = requestFunction({
      name: 'create-task',
      description: 'POST /v1/task',
      failureMeans: 'Clients cannot create tasks and get 500, so no new calls are made.',
    });
    const getTask = requestFunction({
      name: 'get-task',
      description: 'GET /v1/task/{task_id}',
      failureMeans: 'Clients cannot read how their tasks stand and get 500.',
    });
    const listTasks = requestFunction({
      name: 'list-tasks',
      description: 'GET /v1/task',
      failureMeans: 'Clients cannot list tasks and get 500.',
    });
    const cancelTask = requestFunction({
      name: 'cancel-task',
      description: 'POST /v1/task/{task_id}/cancel',
      failureMeans: 'Clients cannot cancel tasks and get 500, so calls that nobody wants any more are made.',
    });
    const getCallRecording = requestFunction({
      name: 'get-call-recording',
      description: 'GET /v1/call/{call_id}/recording',
      failureMeans: 'Clients cannot fetch recordings and get 500.',
    });
    const openApi = requestFunction({
      name: 'open-api',
      description: 'The description of the API, and a page that shows it',
      failureMeans: 'Nobody can read how the API is to be used; the API itself works.',
    });
    const dashboard = requestFunction({
      name: 'dashboard',
      description: 'The pages on which people manage projects',
      failureMeans: 'People see an error in place of a page of the dashboard; the API works.',
    });
    const adminMembers = requestFunction({
      name: 'admin-members',
      description: 'Who may enter a project, for its owners',
      failureMeans: 'Nobody can be let into a project or taken out of it.',
    });
    const adminAuditLog = requestFunction({
      name: 'admin-audit-log',
      description: 'GET /admin/projects/{project_id}/audit-log',
      failureMeans: 'Nobody can read what was done in a project; it is written down all the same.',
    });
    const adminProjects = requestFunction({
      name: 'admin-projects',
      description: 'The projects of the management API',
      failureMeans: 'People cannot create or change projects and get 500; calls go on.',
    });
    const adminPatients = requestFunction({
      name: 'admin-patients',
      description: 'The patients of the management API',
      failureMeans: 'People cannot look at patients and get 500; calls go on.',
    });
    const adminApiKeys = requestFunction({
      name: 'admin-api-keys',
      description: 'The API keys of the management API',
      failureMeans: 'Nobody can create or revoke API keys; those that there are work.',
    });
    const adminWebhooks = requestFunction({
      name: 'admin-webhooks',
      description: '/admin/projects/{project_id}/webhooks, their secrets and deliveries',
      failureMeans: 'Owners cannot manage webhooks or look at what was sent, and get 500; sending goes on.',
    });
    const adminTasks = requestFunction({
      name: 'admin-tasks',
      description: 'The tasks and recordings of the management API',
      failureMeans: 'People cannot look at tasks, create or cancel them and get 500; calls go on.',
    });
    const methodNotAllowed = requestFunction({
      name: methodNotAllowedFunction,
      description: '405 for every method that a path does not have',
      failureMeans: 'Clients that use a wrong method get 500 instead of an answer that says so.',
    });
    const carrierCallback = requestFunction({
      name: 'carrier-callback',
      description: 'Verifies what the carrier reports about a call and passes it on',
      failureMeans:
        'Calls that are answered hear nothing, and the progress of calls is seen late or not at all.',
    });
    const callRunner = new ServiceFunction(this, context, {
      name: 'call-runner',
      description: 'Places calls and follows them to their end',
      memoryMb: 512,
      timeoutSeconds: 60,
      failureMeans: 'Calls are placed late, or ended calls stay in progress until the queue tries again.',
      feedsItself: true,
    });
    const recordingKeeper = new ServiceFunction(this, context, {
      name: 'recording-keeper',
      description: 'Fetches recordings from the carrier and deletes those that are no longer wanted',
      memoryMb: 512,
      // The longest recording over a slow line: as long as a function can run.
      timeoutSeconds: 15 * 60,
      failureMeans: 'Recordings are stored late, so calls stay in progress, or are kept for too long.',
      feedsItself: true,
    });
    const callSweeper = new ServiceFunction(this, context, {
      name: 'call-sweeper',
      description: 'Finds tasks, calls and webhook deliveries whose time has come',
      memoryMb: 512,
      timeoutSeconds: 50,
      failureMeans: 'Redials, lost calls and retried webhooks wait until the sweeper runs again.',
    });
    const voiceAgent = new ServiceFunction(this, context, {
      name: 'voice-agent',
      description: 'Holds the conversation, one frame of the relay at a time',
      memoryMb: 1024,
      // Below the gateway's 29 s, after which it would send the carrier an error frame of its own.
      timeoutSeconds: 25,
      failureMeans: 'The agent falls silent in the middle of calls.',
    });
    const conversationWatch = new ServiceFunction(this, context, {
      name: 'conversation-watch',
      description: 'Notices when nothing is heard on a line any more, or when a hold takes too long',
      memoryMb: 1024,
      timeoutSeconds: 25,
      failureMeans: 'Calls on which nobody speaks, or which stay on hold, last longer than they should.',
      feedsItself: true,
    });
    const webhookFanout = new ServiceFunction(this, context, {
      name: 'webhook-fanout',
      description: 'Turns finished calls and tasks into webhook deliveries',
      memoryMb: 512,
      timeoutSeconds: 30,
      failureMeans: 'Clients are told late that calls and tasks are completed.',
    });
    const webhookDelivery = new ServiceFunction(this, context, {
      name: 'webhook-delivery',
      description: 'Sends one webhook to one endpoint',
      memoryMb: 512,
      timeoutSeconds: 20,
      failureMeans: 'Webhooks are not sent for a fault of ours and wait for the queue to try again.',
      feedsItself: true,
    });

    const callQueue = new QueueWorker(this, 'CallQueue', context, {
      worker: callRunner,
      batchSize: 5,
      maxReceives: 5,
      maxConcurrency: 20,
      deadLettersMean:
        'Something about a call was given up: a task is not dialled, or its call ends only by its limit.',
    });
    const recordingQueue = new QueueWorker(this, 'RecordingQueue', context, {
      worker: recordingKeeper,
      // One after the other: a batch would take as long as its recordings together.
      batchSize: 1,
      // What died is begun anew as soon as it cannot be running any more; done twice, it does no harm.
      visibilityTimeoutSeconds: recordingKeeper.timeoutSeconds,
      maxReceives: 5,
      maxConcurrency: 10,
      deadLettersMean:
        'Recordings are fetched or deleted only when their call is looked at again, so calls stay in progress.',
    });
    const watchQueue = new QueueWorker(this, 'WatchQueue', context, {
      worker: conversationWatch,
      batchSize: 5,
      // Somebody is on the line: a look that failed is not left lying for long, and one that comes twice does no harm.
      visibilityTimeoutSeconds: conversationWatch.timeoutSeconds,
      maxReceives: 5,
      maxConcurrency: 20,
      deadLettersMean:
        'Conversations are no longer watched: calls on which nobody speaks end only by their limit.',
    });
    const deliveryQueue = new QueueWorker(this, 'DeliveryQueue', context, {
      worker: webhookDelivery,
      batchSize: 1,
      maxReceives: 10,
      maxConcurrency: 50,
      deadLettersMean:
        'Clients were not told of completed calls or tasks, because their webhooks were given up.',
    });
    const completions = new StreamWorker(this, 'Completions', context, {
      table,
      worker: webhookFanout,
      filters: [{ eventName: ['MODIFY'], dynamodb: { NewImage: { type: { S: ['task', 'call'] } } } }],
      batchSize: 100,
      retryAttempts: 10,
      deadLettersMean: 'Completed calls or tasks were skipped, so clients get no webhook for them.',
    });
    new ScheduledFunction(this, 'Sweep', { job: callSweeper, every: Duration.minutes(1) });

    const restApi = new ServiceRestApi(this, 'RestApi', context, { requestsPerSecond: 200, burst: 400 });
    const relay = new RelayWebSocketApi(this, 'Relay', context, {
      agent: voiceAgent,
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

    const restFunctions: Record<RestFunctionName, ServiceFunction> = {
      'create-patient': createPatient,
      'get-patient': getPatient,
      'list-patients': listPatients,
      'create-task': createTask,
      'get-task': getTask,
      'list-tasks': listTasks,
      'cancel-task': cancelTask,
      'get-call-recording': getCallRecording,
      'open-api': openApi,
      'admin-members': adminMembers,
      'admin-audit-log': adminAuditLog,
      'admin-projects': adminProjects,
      'admin-patients': adminPatients,
      'admin-tasks': adminTasks,
      'admin-api-keys': adminApiKeys,
      'admin-webhooks': adminWebhooks,
      dashboard,
      'carrier-callback': carrierCallback,
      'sandbox-phone-api': phone.restApi,
    };
    for (const route of routes) {
      restApi.addRoute(route, restFunctions[route.function]);
    }
    restApi.refuseOtherMethods(routes, methodNotAllowed);

    for (const name of restFunctionNames) {
      table.let(restFunctions[name], tableAccessOf(name));
    }
    const clientFunctions = routes.flatMap((route) =>
      route.authentication === 'api-key' ? restFunctions[route.function] : [],
    );
    for (const answering of clientFunctions) {
      table.letNoteRequests(answering);
      answering.setEnvironment(
        'PROJECT_REQUESTS_PER_SECOND',
        parameters.projectRequestsPerSecond.valueAsString,
      );
    }
    const adminFunctions = routes.flatMap((route) =>
      ['oidc', 'session'].includes(route.authentication) ? restFunctions[route.function] : [],
    );
    const identity = new Identity(this, 'Identity', context, { publicBaseUrl, users: adminFunctions });
    new SessionSecret(this, 'SessionSecret').letRead(dashboard);
    table.letDelete(adminMembers);
    table.letDelete(dashboard);
    table.letDelete(adminWebhooks);
    for (const worker of [
      callRunner,
      recordingKeeper,
      voiceAgent,
      conversationWatch,
      webhookFanout,
      webhookDelivery,
    ]) {
      table.let(worker, 'write');
    }
    table.let(callSweeper, 'read');
    for (const ender of [callRunner, recordingKeeper]) {
      table.letDelete(ender);
    }
    for (const sender of [
      createTask,
      cancelTask,
      adminTasks,
      dashboard,
      carrierCallback,
      callRunner,
      recordingKeeper,
      callSweeper,
    ]) {
      callQueue.letSend(sender, 'CALL_QUEUE_URL');
    }
    for (const sender of [callSweeper, webhookFanout, webhookDelivery, adminWebhooks, dashboard]) {
      deliveryQueue.letSend(sender, 'DELIVERY_QUEUE_URL');
    }
    for (const sender of [voiceAgent, conversationWatch]) {
      watchQueue.letSend(sender, 'WATCH_QUEUE_URL');
      sender.setEnvironment('SILENCE_SECONDS', parameters.silenceSeconds.valueAsString);
      relay.letManageConnections(sender);
    }
    for (const user of [webhookDelivery, adminWebhooks, dashboard]) {
      user.setEnvironment('WEBHOOK_LOOPBACK', parameters.webhookLoopback.valueAsString);
    }
    secretsKey.letOpen(webhookDelivery);
    secretsKey.letSealAndOpen(adminWebhooks);
    secretsKey.letSealAndOpen(dashboard);
    recordings.letRead(getCallRecording);
    recordings.letRead(adminTasks);
    recordings.letRead(dashboard);
    recordings.letKeep(recordingKeeper);
    recordingQueue.letSend(callRunner, 'RECORDING_QUEUE_URL');

    for (const writer of [
      listPatients,
      getTask,
      listTasks,
      cancelTask,
      carrierCallback,
      callRunner,
      openApi,
      adminProjects,
      adminPatients,
      adminTasks,
      adminAuditLog,
      adminApiKeys,
      adminWebhooks,
      dashboard,
    ]) {
      writer.setEnvironment('PUBLIC_BASE_URL', publicBaseUrl);
    }
    for (const relayUser of [carrierCallback, voiceAgent, conversationWatch]) {
      relayUser.setEnvironment('RELAY_URL', relayUrl);
    }
    for (const caller of [callRunner, recordingKeeper]) {
      caller.setEnvironment('SANDBOX_CARRIER_BASE_URL', Fn.join('', [publicBaseUrl, sandboxCarrierPrefix]));
    }
    callRunner.setEnvironment(
      'LIVE_CARRIER_CALLS_PER_SECOND',
      parameters.liveCarrierCallsPerSecond.valueAsString,
    );
    callRunner.setEnvironment('LIVE_CARRIER_MAX_CALLS', parameters.liveCarrierMaxCalls.valueAsString);
    const carrierUsers = [carrierCallback, callRunner, recordingKeeper, voiceAgent];
    for (const user of carrierUsers) {
      phone.letUseSecret(user);
    }
    this.letUseLiveCarrierSecret(carrierUsers, parameters.liveCarrierSecretId);
    new DialogueModel(this, 'Dialogue', { users: [voiceAgent, conversationWatch] });

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

  /** The only things in which one deployment, or the local stack, differs from another. */
  private addParameters() {
    return {
      publicBaseUrl: new AddressParameter(this, 'PublicBaseUrl', {
        description:
          'Address that clients and the carrier use, without a slash at its end. Empty: that of the API.',
        allowedPattern: '^$|^https?://[^/?#]+(/[^/?#]+)*$',
      }),
      publicRelayUrl: new AddressParameter(this, 'PublicRelayUrl', {
        description:
          'Address of the conversation relay as the carrier dials it. Empty: that of the WebSocket API.',
        allowedPattern: '^$|^wss?://[^/?#]+(/[^/?#]+)*$',
      }),
      projectRequestsPerSecond: new CfnParameter(this, 'ProjectRequestsPerSecond', {
        description:
          'How many requests per second a project may make, on average over ten seconds. 0: no limit.',
        default: '50',
        allowedPattern: '^\\d{1,4}$',
      }),
      sandboxPhonePace: new CfnParameter(this, 'SandboxPhonePace', {
        description:
          'Real seconds that one second of a simulated call takes, from 0 to 1, which is real time.',
        default: '0.05',
        allowedPattern: '^(0(\\.\\d+)?|1(\\.0+)?)$',
      }),
      sandboxPhoneCallsPerSecond: new CfnParameter(this, 'SandboxPhoneCallsPerSecond', {
        description:
          'How many simulated calls may start in a second; those beyond wait in the queue of the carrier. 0: no limit.',
        default: '0',
        allowedPattern: '^\\d{1,3}(\\.\\d+)?$',
      }),
      sandboxPhoneSpeech: new CfnParameter(this, 'SandboxPhoneSpeech', {
        description:
          'What simulated calls sound like: voices, or tones of the same length, which cost almost nothing.',
        default: 'voices',
        allowedValues: ['voices', 'tones'],
      }),
      webhookLoopback: new CfnParameter(this, 'WebhookLoopback', {
        description:
          'Whether webhooks may go to the machine itself, by plain HTTP too: for the local stack only.',
        default: 'refused',
        allowedValues: ['refused', 'allowed'],
      }),
      silenceSeconds: new CfnParameter(this, 'SilenceSeconds', {
        description:
          'After how many seconds in which nobody speaks the agent asks, and after as many again hangs up.',
        default: '9',
        allowedPattern: '^([2-9]|[1-5]\\d|60)$',
      }),
      liveCarrierSecretId: new CfnParameter(this, 'LiveCarrierSecretId', {
        description:
          'Name of the secret with the live carrier account. Empty: calls to the sandbox phone only.',
        default: '',
        allowedPattern: '^[A-Za-z0-9/_+=.@-]*$',
        constraintDescription: 'Must be the name of a secret of this account and region, not its ARN.',
      }),
      liveCarrierCallsPerSecond: new CfnParameter(this, 'LiveCarrierCallsPerSecond', {
        description: 'New calls per second that the live carrier account takes without queueing them.',
        default: '1',
        allowedPattern: '^([1-9]\\d?|100)$',
      }),
      liveCarrierMaxCalls: new CfnParameter(this, 'LiveCarrierMaxCalls', {
        description: 'Calls that the live carrier account takes at the same time, all projects together.',
        default: '100',
        allowedPattern: '^[1-9]\\d{0,3}$',
      }),
    };
  }

  /** Names the live account's secret to the functions and, if there is one, lets them read it. */
  private letUseLiveCarrierSecret(users: readonly ServiceFunction[], secretName: CfnParameter): void {
    for (const user of users) {
      user.setEnvironment('LIVE_CARRIER_SECRET_ID', secretName.valueAsString);
    }
    const hasLiveCarrier = new CfnCondition(this, 'HasLiveCarrier', {
      expression: Fn.conditionNot(Fn.conditionEquals(secretName.valueAsString, '')),
    });
    const policy = new CfnPolicy(this, 'LiveCarrierSecretPolicy', {
      policyName: 'LiveCarrierSecret',
      roles: users.map((user) => user.role.roleName),
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'secretsmanager:GetSecretValue',
            // Secrets Manager ends the ARN of a secret with six characters of its own.
            Resource: this.formatArn({
              service: 'secretsmanager',
              resource: 'secret',
              resourceName: `${secretName.valueAsString}-??????`,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        ],
      },
    });
    policy.cfnOptions.condition = hasLiveCarrier;
  }

  private addOutputs(values: Record<string, string>): void {
    for (const [name, value] of Object.entries(values)) {
      new CfnOutput(this, name, { value });
    }
  }
}

/** An address that can be given from outside, because behind a custom domain or on one machine it is another one. */
class AddressParameter {
  private readonly parameter: CfnParameter;
  private readonly isGiven: CfnCondition;

  constructor(stack: Stack, id: string, props: { description: string; allowedPattern: string }) {
    this.parameter = new CfnParameter(stack, id, { default: '', ...props });
    this.isGiven = new CfnCondition(stack, `${id}IsGiven`, {
      expression: Fn.conditionNot(Fn.conditionEquals(this.parameter.valueAsString, '')),
    });
  }

  or(own: string): string {
    return Fn.conditionIf(this.isGiven.logicalId, this.parameter.valueAsString, own).toString();
  }
}
