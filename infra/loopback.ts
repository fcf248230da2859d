import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';

/** The only address the local stack listens on. */
export const loopback = '127.0.0.1';

/** Lets the server listen on the loopback interface and returns its port; 0 picks a free one. */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** A running server of the local stack. */
export interface RunningServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Serves HTTP on a free loopback port until stopped. */
export async function serveOnLoopback(server: HttpServer): Promise<RunningServer> {
  const port = await listenOnLoopback(server, 0);
  return {
    endpoint: `http://${loopback}:${port}`,
    stop: () => closeServer(server),
  };
}

/** Ends all connections, too. */
export async function closeServer(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((closed) => server.close(() => closed()));
}

/** A port that was free a moment ago, for a server that cannot report the port it chose. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server, 0);
  server.close();
  await once(server, 'close');
  return port;
}
