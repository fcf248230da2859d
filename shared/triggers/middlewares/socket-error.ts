import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult, APIGatewayProxyWebsocketEventV2 } from 'aws-lambda';
import { ServiceError } from '#shared/domain/errors.ts';
import { alarmingEvents } from '#shared/observability/alarming-events.ts';
import { logError } from '#shared/observability/log.ts';
import { errorStatus } from '../error-status.ts';

/**
 * Logs a failure and responds anyway: otherwise API Gateway would send an error frame of its own, unknown to the
 * carrier's protocol.
 */
export function socketError<Event extends APIGatewayProxyWebsocketEventV2>(): MiddlewareObj<
  Event,
  APIGatewayProxyResult
> {
  return {
    onError: (request) => {
      const status = request.error instanceof ServiceError ? errorStatus[request.error.code] : 500;
      if (status === 500) logError(alarmingEvents.socketEventFailed, request.error);
      // Only the response to `$connect` is visible: it accepts or refuses the handshake.
      const isConnect = request.event.requestContext.eventType === 'CONNECT';
      request.response = { statusCode: isConnect ? status : 200, body: '' };
    },
  };
}
