import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { ServiceError } from '#shared/domain/errors.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import { errorStatus } from '../error-status.ts';

/**
 * Logs a failure and answers all the same: API Gateway would send the carrier an error frame of its own,
 * which the carrier's protocol does not know.
 */
export function socketError<Event extends APIGatewayProxyWebsocketEventV2>(): MiddlewareObj<
  Event,
  APIGatewayProxyResult
> {
  return {
    onError: (request) => {
      const status = request.error instanceof ServiceError ? errorStatus[request.error.code] : 500;
      if (status === 500) logError(alarmingEvents.socketEventFailed, request.error);
      // Only the answer to `$connect` is seen by anyone: it accepts or refuses the handshake.
      const isConnect = request.event.requestContext.eventType === 'CONNECT';
      request.response = { statusCode: isConnect ? status : 200, body: '' };
    },
  };
}
