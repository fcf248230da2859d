import { createServer, type Server } from 'node:http';
import { closeServer, listenOnLoopback } from '../../loopback.ts';
import { LocalStackError } from '../local-stack-error.ts';

/**
 * An HTTP server that listens but has no handler yet. Unless a port is given, the stack reuses its previous one for
 * this data, if free, because calls in progress have URLs with it.
 */
export async function openServer(
  wantedPort: number,
  lastPort: number | null,
): Promise<{ server: Server; port: number }> {
  const candidates = wantedPort === 0 && lastPort !== null ? [lastPort, 0] : [wantedPort];
  for (const candidate of candidates) {
    // Clients offer HTTP/2 with the same header (h2c); they are answered in HTTP/1.1, as RFC 9110, section 7.8 allows.
    const server = createServer({
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    });
    try {
      return { server, port: await listenOnLoopback(server, candidate) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new LocalStackError(`Port ${wantedPort} is in use; choose another one, or 0 for any that is free`);
}

/** Throws at once when a server could not be opened on the port; 0 is always free. */
export async function checkPortFree(port: number): Promise<void> {
  const { server } = await openServer(port, null);
  await closeServer(server);
}
