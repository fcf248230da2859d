import { createServer, type Server } from 'node:http';
import { listenOnLoopback } from '../../loopback.ts';
import { LocalStackError } from '../local-stack-error.ts';

/**
 * An HTTP server that listens and that nobody serves yet. With no port of its own choice the stack takes the one that it had
 * on this data before, if it is free: calls that are under way have been given addresses with it.
 */
export async function openServer(
  wantedPort: number,
  lastPort: number | null,
): Promise<{ server: Server; port: number }> {
  const candidates = wantedPort === 0 && lastPort !== null ? [lastPort, 0] : [wantedPort];
  for (const candidate of candidates) {
    const server = createServer();
    try {
      return { server, port: await listenOnLoopback(server, candidate) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new LocalStackError(`Port ${wantedPort} is in use; choose another one, or 0 for any that is free`);
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((closed) => server.close(() => closed()));
}
