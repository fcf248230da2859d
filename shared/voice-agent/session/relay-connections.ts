import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { clientLimits } from '#shared/aws/client-limits.ts';
import { type OutboundRelayFrame, serializeRelayFrame } from '#shared/carrier/relay-frames.ts';

/** The open sockets of the WebSocket API, as seen from a function. */
export interface RelayConnections {
  /** Sends frames in order. Returns false if the other side has hung up meanwhile, which is no fault. */
  send(connectionId: string, frames: readonly OutboundRelayFrame[]): Promise<boolean>;
  /** Closes a connection; closing a closed one succeeds. */
  close(connectionId: string): Promise<void>;
}

/** @param endpoint `https://…` of the API's stage */
export function openRelayConnections(endpoint: string): RelayConnections {
  const client = new ApiGatewayManagementApiClient({
    endpoint,
    // Later words are useless, and the turn of a person who waits must end.
    ...clientLimits(5_000),
  });
  return {
    async send(connectionId, frames) {
      try {
        for (const frame of frames) {
          await client.send(
            new PostToConnectionCommand({ ConnectionId: connectionId, Data: serializeRelayFrame(frame) }),
          );
        }
        return true;
      } catch (error) {
        if (error instanceof GoneException) return false;
        throw error;
      }
    },
    async close(connectionId) {
      try {
        await client.send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
      } catch (error) {
        if (!(error instanceof GoneException)) throw error;
      }
    },
  };
}
