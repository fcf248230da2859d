import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { CfnStage, LogGroupLogDestination, WebSocketApi, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ArnFormat, Stack } from 'aws-cdk-lib/core';
import { Construct, type IDependable } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** Name of the stage, which is also the path the carrier connects to. */
const relayStageName = 'relay';

/**
 * A call connects once, and the carrier starts at most 100 per second (`LiveCarrierCallsPerSecond`). Anyone may try to
 * connect, so a flood must not take the executions of calls in progress.
 */
const connectLimit = { rateLimit: 100, burstLimit: 200 };
/** Frames of calls in progress, up to a few per second each. */
const frameLimit = { rateLimit: 5_000, burstLimit: 5_000 };

export interface RelayWebSocketApiProps {
  /** Receives the connection, every frame and the disconnection. */
  readonly agent: ServiceFunction;
  /** Account settings that a stage with access logs depends on. */
  readonly loggingAccount: IDependable;
}

/**
 * The WebSocket API of the carrier's relay. Responses go through the management endpoint and never as a route
 * response: an error frame from the gateway would count against the call.
 */
export class RelayWebSocketApi extends Construct {
  readonly api: WebSocketApi;
  readonly stage: WebSocketStage;
  /** The address the carrier connects to, made from the API alone as for the REST API. */
  readonly url: string;
  /**
   * The address of its connections' management: always API Gateway's own, because requests are signed with the host and
   * no proxy can pass them on.
   */
  readonly managementUrl: string;

  constructor(scope: Construct, id: string, context: ServiceContext, props: RelayWebSocketApiProps) {
    super(scope, id);
    const agent = props.agent.publish(context.stage.provisionedAgents);
    this.api = new WebSocketApi(this, 'Api', {
      apiName: `${Stack.of(this).stackName}-relay`,
      description: 'Conversation relay',
      connectRouteOptions: { integration: new WebSocketLambdaIntegration('ConnectIntegration', agent) },
      disconnectRouteOptions: { integration: new WebSocketLambdaIntegration('DisconnectIntegration', agent) },
      defaultRouteOptions: { integration: new WebSocketLambdaIntegration('DefaultIntegration', agent) },
    });
    acknowledge(this.api, {
      'AwsSolutions-APIG4':
        "The function checks the carrier's signature on connection, and closes any other socket.",
    });
    const { region, urlSuffix } = Stack.of(this);
    const address = `${this.api.apiId}.execute-api.${region}.${urlSuffix}/${relayStageName}`;
    this.url = `wss://${address}`;
    this.managementUrl = `https://${address}`;
    const accessLog = new LogGroup(this, 'AccessLog', {
      encryptionKey: context.operationsKey,
      retention: context.stage.logRetention,
      removalPolicy: context.stage.dataRemoval,
    });
    this.stage = new WebSocketStage(this, 'Stage', {
      webSocketApi: this.api,
      stageName: relayStageName,
      autoDeploy: true,
      throttle: frameLimit,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(accessLogLine),
      },
    });
    // The settings below name a route, which must exist before the stage.
    this.stage.node.addDependency(props.loggingAccount, this.api);
    if (this.stage.node.defaultChild instanceof CfnStage) {
      this.stage.node.defaultChild.addPropertyOverride('RouteSettings', {
        $connect: {
          ThrottlingRateLimit: connectLimit.rateLimit,
          ThrottlingBurstLimit: connectLimit.burstLimit,
        },
      });
    }
  }

  /** Lets the function send to, inspect and close connections. */
  letManageConnections(manager: ServiceFunction): void {
    const connections = Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.api.apiId,
      resourceName: `${relayStageName}/*/@connections/*`,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    manager.allow(['execute-api:ManageConnections'], [connections]);
    manager.explainWildcard(connections, 'API Gateway assigns connection IDs.');
  }
}

const accessLogLine = JSON.stringify({
  request_id: '$context.requestId',
  time: '$context.requestTime',
  event: '$context.eventType',
  connection_id: '$context.connectionId',
  status: '$context.status',
  error: '$context.integrationErrorMessage',
  latency_ms: '$context.integrationLatency',
});
