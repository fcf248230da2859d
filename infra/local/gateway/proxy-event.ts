import { localAccountId } from '../template/physical-names.ts';
import { requestTime } from './integration.ts';
import { eventHeaders, headerOf, lastAndAll, type ReceivedRequest } from './received-request.ts';

/** What of the API goes into each event. */
export interface ProxyEventContext {
  readonly apiId: string;
  readonly stage: string;
  readonly resourceId: string;
  readonly resourcePath: string;
  readonly pathParameters: Record<string, string> | null;
  readonly binaryMediaTypes: readonly string[];
}

/** The event of a Lambda proxy integration of a REST API (payload format 1.0), as behind a custom domain. */
export function proxyEvent(
  request: ReceivedRequest,
  body: Buffer,
  context: ProxyEventContext,
): Record<string, unknown> {
  const { headers, multiValueHeaders } = eventHeaders(request);
  const query = lastAndAll([...new URLSearchParams(request.query)], (name) => name);
  const hasQuery = Object.keys(query.headers).length > 0;
  const host = headerOf(request, 'host') ?? 'localhost';
  // Text types are always decoded as text: bytes that are not UTF-8 arrive mangled, as when deployed.
  const contentType = headerOf(request, 'content-type') ?? 'application/json';
  const isBinary = body.length > 0 && isBinaryType(contentType, context.binaryMediaTypes);
  return {
    resource: context.resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers,
    multiValueHeaders,
    queryStringParameters: hasQuery ? query.headers : null,
    multiValueQueryStringParameters: hasQuery ? query.multiValueHeaders : null,
    pathParameters: context.pathParameters,
    stageVariables: null,
    requestContext: {
      accountId: localAccountId,
      apiId: context.apiId,
      domainName: host.replace(/:\d+$/, ''),
      domainPrefix: host.split('.')[0] ?? '',
      extendedRequestId: request.id,
      httpMethod: request.method,
      identity: {
        sourceIp: request.sourceIp,
        userAgent: headerOf(request, 'user-agent') ?? null,
        accessKey: null,
        accountId: null,
        caller: null,
        user: null,
        userArn: null,
      },
      path: request.path,
      protocol: 'HTTP/1.1',
      requestId: request.id,
      requestTime: requestTime(request.at),
      requestTimeEpoch: request.at.getTime(),
      resourceId: context.resourceId,
      resourcePath: context.resourcePath,
      stage: context.stage,
    },
    body: body.length === 0 ? null : body.toString(isBinary ? 'base64' : 'utf8'),
    isBase64Encoded: isBinary,
  };
}

/** Whether a media type is one that the API treats as binary; an asterisk stands for any. */
export function isBinaryType(mediaType: string, binaryMediaTypes: readonly string[]): boolean {
  const essence = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  const [type] = essence.split('/');
  return binaryMediaTypes.some((binary) =>
    ['*/*', `${type}/*`, essence].includes(binary.replaceAll('~1', '/').toLowerCase()),
  );
}
