import type { Exchange } from './carrier-contract.ts';
import { startTestServer } from './http-server.ts';

/** Sits between a client and a carrier, changes nothing and records every request with its response. */
export interface RecordingProxy {
  readonly origin: string;
  readonly exchanges: Exchange[];
  stop(): Promise<void>;
}

/** @param target where requests go: an origin, and the path below which the carrier's own paths begin */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchanges: Exchange[] = [];
  const server = await startTestServer(async (request, response) => {
    const { authorization = '', 'content-type': requestType } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method,
      redirect: 'manual',
      headers: {
        ...(authorization === '' ? {} : { Authorization: authorization }),
        ...(requestType === undefined ? {} : { 'Content-Type': requestType }),
      },
      ...(request.body === '' ? {} : { body: request.body }),
    });
    const answerBody = Buffer.from(await answer.arrayBuffer());
    exchanges.push({
      method: request.method,
      url: request.url,
      requestType,
      requestBody: request.body,
      status: answer.status,
      answerType: answer.headers.get('content-type') ?? undefined,
      answerBody,
    });
    const passedOn = ['content-type', 'location', 'www-authenticate', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(passedOn)).end(answerBody);
  });
  return { origin: server.origin, exchanges, stop: server.stop };
}
