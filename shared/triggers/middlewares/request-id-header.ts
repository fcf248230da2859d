import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** `X-Request-Id` in every response, for finding the request's log lines. */
export function requestIdHeader(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const addHeader = (request: Request<APIGatewayProxyEvent, APIGatewayProxyResult>): void => {
    const { event, response } = request;
    if (response === null || response === undefined) return;
    request.response = {
      ...response,
      headers: { ...response.headers, 'X-Request-Id': event.requestContext.requestId },
    };
  };
  return { after: addHeader, onError: addHeader };
}
