import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Holds requests to a server that already listens but cannot respond yet. The returned function releases them, in
 * order, to the handler that is installed by then.
 */
export function holdRequests(server: Server): () => void {
  const held: (() => void)[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    held.push(() => server.emit('request', request, response));
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A client that disconnects meanwhile is not an error.
    socket.on('error', () => {});
    held.push(() => server.emit('upgrade', request, socket, head));
  };
  server.on('request', onRequest);
  server.on('upgrade', onUpgrade);
  return () => {
    server.off('request', onRequest);
    server.off('upgrade', onUpgrade);
    for (const serve of held.splice(0)) serve();
  };
}
