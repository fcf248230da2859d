import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** The only address that anything of the local stack listens on. */
export const loopback = '127.0.0.1';

/** Lets the server listen on the loopback interface and says on which port; 0 picks a free one. */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A port that was free a moment ago, for a server that cannot tell which one it chose. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}
