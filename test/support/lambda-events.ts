import type { APIGatewayProxyEvent, Context, SQSEvent } from 'aws-lambda';

/** What Lambda passes to every handler. */
export const lambdaContext: Context = {
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'function-under-test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test',
  memoryLimitInMB: '512',
  awsRequestId: 'request',
  logGroupName: 'group',
  logStreamName: 'stream',
  getRemainingTimeInMillis: () => 10_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};

/** A form post as API Gateway passes it on. */
export function formPostEvent(request: {
  resource: string;
  path: string;
  pathParameters: Record<string, string> | null;
  headers: Record<string, string>;
  body: string | null;
  isBase64Encoded?: boolean;
}): APIGatewayProxyEvent {
  const { resource, path, headers, isBase64Encoded = false } = request;
  return {
    resource,
    path,
    httpMethod: 'POST',
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: request.pathParameters,
    stageVariables: null,
    body: request.body,
    isBase64Encoded,
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      authorizer: null,
      protocol: 'HTTP/1.1',
      httpMethod: 'POST',
      identity: {
        accessKey: null,
        accountId: null,
        apiKey: null,
        apiKeyId: null,
        caller: null,
        clientCert: null,
        cognitoAuthenticationProvider: null,
        cognitoAuthenticationType: null,
        cognitoIdentityId: null,
        cognitoIdentityPoolId: null,
        principalOrgId: null,
        sourceIp: '127.0.0.1',
        user: null,
        userAgent: null,
        userArn: null,
      },
      path,
      stage: 'prod',
      requestId: 'request',
      requestTimeEpoch: 0,
      resourceId: 'resource',
      resourcePath: resource,
    },
  };
}

/** A batch of queue messages; the position of each is its message id. */
export function queueEvent(bodies: readonly string[]): SQSEvent {
  return {
    Records: bodies.map((body, position) => ({
      messageId: String(position),
      receiptHandle: 'receipt',
      body,
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: 'sender',
        ApproximateFirstReceiveTimestamp: '0',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:calls',
      awsRegion: 'us-east-1',
    })),
  };
}
