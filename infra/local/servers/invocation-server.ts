import { createServer, type IncomingMessage } from 'node:http';
import { type RunningServer, serveOnLoopback } from '../../loopback.ts';
import { invokedFunction } from '../access/aws-request.ts';
import type { InvocableFunction } from '../functions/function-pool.ts';

/**
 * Serves the one operation of Lambda that functions use: invoking a function without waiting for it. A failure is in
 * that function's log, and nothing is tried again.
 *
 * @param find a function by its name
 */
export async function startInvocations(
  find: (name: string) => InvocableFunction | undefined,
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(request, find).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  return serveOnLoopback(server);
}

async function answer(
  request: IncomingMessage,
  find: (name: string) => InvocableFunction | undefined,
): Promise<number> {
  const { method, url = '', headers } = request;
  const invoked = find(invokedFunction(url) ?? '');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  if (method !== 'POST' || headers['x-amz-invocation-type'] !== 'Event') return 400;
  if (invoked === undefined) return 404;
  const event: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  invoked.invoke(event).catch(() => {});
  return 202;
}
