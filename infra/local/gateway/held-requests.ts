import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Keeps what comes to a server that listens already and cannot answer yet. The returned function lets go of it: whoever
 * serves the requests by then gets them, in the order in which they came.
 */
export function holdRequests(server: Server): () => void {
  const held: (() => void)[] = [];
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    held.push(() => server.emit('request', request, response));
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Whoever goes away in the meantime is no error.
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
