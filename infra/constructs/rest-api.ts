import {
  AccessLogFormat,
  CfnAccount,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Size, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { securityHeaders } from '#shared/triggers/middlewares/security-headers.ts';
import type { ErrorCode } from '../../shared/domain/errors.ts';
import { type GatewayMethod, routes } from '../routes.ts';
import { acknowledge, type Reasons } from './acknowledge.ts';
import { alarmPeriod } from './alarms.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';

/** Requests per second, and burst. */
export interface RateLimit {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

export interface ServiceRestApiProps {
  /** Default of all methods. */
  readonly limit: RateLimit;
  /** Limit of the carrier's callbacks, so that client traffic cannot stop calls. */
  readonly carrierLimit: RateLimit;
}

/**
 * Responses of the gateway itself. Each has the `detail` that clients read in every error. The gateway's own wording
 * is not passed on: it names parts of AWS that mean nothing to a client.
 */
const gatewayResponses: readonly {
  id: string;
  type: ResponseType;
  detail: string;
  code: ErrorCode;
  statusCode?: string;
  headers?: Record<string, string>;
}[] = [
  // For an unknown path the gateway reports a missing authentication token and would answer 403.
  {
    id: 'UnknownRoute',
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: '404',
    detail: 'Not found',
    code: 'not_found',
  },
  {
    id: 'ResourceNotFound',
    type: ResponseType.RESOURCE_NOT_FOUND,
    statusCode: '404',
    detail: 'Not found',
    code: 'not_found',
  },
  // On such a path it also takes a bearer token for an AWS signature and finds it invalid. No route uses the gateway's
  // authorization, so it checks signatures only without a route.
  {
    id: 'UnknownRouteWithKey',
    type: ResponseType.INVALID_SIGNATURE,
    statusCode: '404',
    detail: 'Not found',
    code: 'not_found',
  },
  {
    id: 'UnknownRouteWithOldKey',
    type: ResponseType.EXPIRED_TOKEN,
    statusCode: '404',
    detail: 'Not found',
    code: 'not_found',
  },
  {
    id: 'BadBody',
    type: ResponseType.BAD_REQUEST_BODY,
    detail: 'Malformed request body',
    code: 'invalid_request',
  },
  {
    id: 'BadParameters',
    type: ResponseType.BAD_REQUEST_PARAMETERS,
    detail: 'Malformed request parameters',
    code: 'invalid_request',
  },
  {
    id: 'TooLarge',
    type: ResponseType.REQUEST_TOO_LARGE,
    detail: 'Request body too large',
    code: 'payload_too_large',
  },
  {
    id: 'UnsupportedMediaType',
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    detail: 'Unsupported media type',
    code: 'unsupported_media_type',
  },
  { id: 'AccessDenied', type: ResponseType.ACCESS_DENIED, detail: 'Forbidden', code: 'forbidden' },
  { id: 'FirewallRefused', type: ResponseType.WAF_FILTERED, detail: 'Forbidden', code: 'forbidden' },
  {
    id: 'Throttled',
    type: ResponseType.THROTTLED,
    detail: 'Too many requests',
    code: 'too_many_requests',
    headers: { 'Retry-After': "'1'" },
  },
  {
    id: 'QuotaExceeded',
    type: ResponseType.QUOTA_EXCEEDED,
    detail: 'Too many requests',
    code: 'too_many_requests',
  },
  { id: 'OtherClientError', type: ResponseType.DEFAULT_4XX, detail: 'Bad request', code: 'invalid_request' },
  // A timed-out or crashed function would be 502 or 504: clients are promised one status for our faults.
  {
    id: 'ServerError',
    type: ResponseType.DEFAULT_5XX,
    statusCode: '500',
    detail: 'Internal server error',
    code: 'internal_error',
  },
];

const authenticated =
  'One middleware of every route checks API keys, sessions and carrier signatures in the functions.';
const apiReasons: Reasons = {
  'AwsSolutions-APIG2':
    "Functions validate requests against the contract's schemas and report errors in detail.",
  'AwsSolutions-APIG4': authenticated,
  'AwsSolutions-COG4': authenticated,
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    "API Gateway requires it of an account to write logs, for all of the account's APIs.",
};
const executionLogs =
  'Execution logs hold bodies and headers, which are health information; the access log has a line per request.';
const stageReasons: Reasons = {
  'AwsSolutions-APIG6': executionLogs,
  'HIPAA.Security-APIGWExecutionLoggingEnabled': executionLogs,
  'HIPAA.Security-APIGWCacheEnabledAndEncrypted':
    "Responses are one client's health information and must never be cached.",
  'HIPAA.Security-APIGWSSLEnabled':
    'A client certificate authenticates the gateway to HTTP integrations; there are only functions.',
  'HIPAA.Security-APIGWXrayEnabled':
    'Tracing is a parameter: segments hold URLs with patient IDs. Every log line has the request ID.',
};

/**
 * The REST API: every route of the table, 405 for the other methods of its paths, and errors that clients can read.
 */
export class ServiceRestApi extends Construct {
  readonly api: RestApi;
  /**
   * Address of the stage, made from the API alone: functions behind the API have it in their environment, so an
   * address made from the stage would be circular.
   */
  readonly url: string;
  /** The account's permission for API Gateway to write logs; every stage with access logs depends on it. */
  readonly loggingAccount: CfnAccount;

  constructor(scope: Construct, id: string, context: ServiceContext, props: ServiceRestApiProps) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', {
      encryptionKey: context.operationsKey,
      retention: context.stage.logRetention,
      removalPolicy: context.stage.dataRemoval,
    });
    this.api = new RestApi(this, 'Api', {
      // The name is a metric dimension, so it must differ between stages.
      restApiName: Stack.of(this).stackName,
      description: 'Voice agent tasks',
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: true,
      // Lists, transcripts and the API's documentation are text and compress to a fraction.
      minCompressionSize: Size.bytes(1024),
      deployOptions: {
        stageName: context.stage.name,
        ...methodSettings(props.limit),
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(accessLogLine),
        tracingEnabled: false,
        methodOptions: Object.fromEntries(
          routes
            .filter(({ authentication }) => authentication === 'carrier-signature')
            .map(({ path, method }) => [`${path}/${method}`, methodSettings(props.carrierLimit)]),
        ),
      },
    });
    this.api.node.tryRemoveChild('Endpoint');
    acknowledge(this.api, apiReasons);
    acknowledge(this.api.deploymentStage, stageReasons);
    const { region, urlSuffix } = Stack.of(this);
    this.url = `https://${this.api.restApiId}.execute-api.${region}.${urlSuffix}/${context.stage.name}`;
    const account = this.api.node.findChild('Account');
    if (!(account instanceof CfnAccount)) {
      throw new Error('The REST API has no account settings to wait for');
    }
    this.loggingAccount = account;

    for (const { id: answerId, type, detail, code, statusCode, headers } of gatewayResponses) {
      this.api.addGatewayResponse(answerId, {
        type,
        ...(statusCode === undefined ? {} : { statusCode }),
        templates: { 'application/json': JSON.stringify({ detail }) },
        responseHeaders: {
          'X-Request-Id': 'context.requestId',
          ...quoted({ 'X-Error-Code': code, ...securityHeaders }),
          ...headers,
        },
      });
    }

    context.alarms.add(this, 'ServerErrors', {
      metric: this.api.metricServerError({ period: alarmPeriod, statistic: 'Sum' }),
      threshold: 5,
      meaning:
        'Clients or the carrier get 500 from the REST API, so tasks are not created or calls are not tracked.',
    });
  }

  /** Adds a method of a resource, answered by the function or, without one, by 405. */
  addMethod({ path, method, answer }: GatewayMethod, functionNamed: (name: string) => ServiceFunction): void {
    const resource = this.api.root.resourceForPath(path);
    if ('function' in answer) {
      const { lambda } = functionNamed(answer.function);
      resource.addMethod(method, new LambdaIntegration(lambda, { scopePermissionToMethod: false }));
    } else {
      const { integration, methodResponses } = refusal(answer.allowedMethods);
      resource.addMethod(method, integration, { methodResponses: [...methodResponses] });
    }
  }
}

function methodSettings({ requestsPerSecond, burst }: RateLimit): MethodDeploymentOptions {
  return {
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: burst,
    // Execution logs and traces hold bodies and headers, which are health information; both stay off.
    loggingLevel: MethodLoggingLevel.OFF,
    dataTraceEnabled: false,
  };
}

/** Body types that a request by a wrong method may plausibly have; any other type gets 415. */
const bodyTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
];

/** 405 in the form that functions use, without invoking one. A mock integration answers the status in its template. */
function refusal(allowedMethods: readonly string[]) {
  const given = {
    ...quoted({
      Allow: allowedMethods.join(', '),
      'Cache-Control': 'no-store',
      'X-Error-Code': 'method_not_allowed' satisfies ErrorCode,
      ...securityHeaders,
    }),
    'X-Request-Id': 'context.requestId',
  };
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [`method.response.header.${name}`, value]),
  );
  const declared = Object.fromEntries(Object.keys(headers).map((name) => [name, true]));
  const statusCode = '405';
  return {
    integration: new MockIntegration({
      requestTemplates: Object.fromEntries(bodyTypes.map((type) => [type, `{"statusCode": ${statusCode}}`])),
      passthroughBehavior: PassthroughBehavior.NEVER,
      integrationResponses: [
        {
          statusCode,
          responseParameters: headers,
          responseTemplates: { 'application/json': JSON.stringify({ detail: 'Method not allowed' }) },
        },
      ],
    }),
    methodResponses: [{ statusCode, responseParameters: declared }],
  };
}

/** Header values as the gateway's literals: in single quotes. */
function quoted(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));
}

/** Logs the route's pattern, never the path: an unknown path may contain anything. */
const accessLogLine = JSON.stringify({
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  gateway_error: '$context.error.responseType',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  function_latency_ms: '$context.integrationLatency',
  source_ip: '$context.identity.sourceIp',
});
