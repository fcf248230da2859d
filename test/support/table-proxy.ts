import type { ServerResponse } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '#shared/table/client.ts';
import type { EmbeddedTable } from './embedded-table.ts';
import { startTestServer } from './http-server.ts';

/** What happens to a request: it is forwarded, answered by the proxy, or lost. */
export type OnTheWay = (
  operation: string,
  forward: () => Promise<void>,
  response: ServerResponse,
) => Promise<void>;

export interface TableProxy {
  /** The embedded table, reached through the proxy. */
  readonly table: Table;
  /** The operations requested so far, including the SDK's retries. */
  readonly operations: string[];
  stop(): Promise<void>;
}

export async function startTableProxy(embedded: EmbeddedTable, onTheWay: OnTheWay): Promise<TableProxy> {
  const operations: string[] = [];
  const server = await startTestServer(async (request, response) => {
    const { 'x-amz-target': target, 'x-amz-date': date, authorization } = request.headers;
    const operation = String(target).split('.').at(-1) ?? '';
    operations.push(operation);
    const forward = async (): Promise<void> => {
      const answer = await fetch(embedded.endpoint, {
        method: 'POST',
        headers: {
          'x-amz-target': String(target),
          'x-amz-date': String(date),
          authorization: String(authorization),
          'content-type': 'application/x-amz-json-1.0',
        },
        body: request.body,
      });
      const text = await answer.text();
      if (response.destroyed) return;
      response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(text);
    };
    await onTheWay(operation, forward, response);
  });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: server.origin, region: 'us-east-1', credentials });
  return {
    table: openTable(embedded.table.name, client),
    operations,
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}

/** Carries out the first write, but loses its response with the connection. */
export function losingFirstAnswer(): OnTheWay {
  let isFirst = true;
  return async (operation, forward, response) => {
    if (isFirst && operation !== 'GetItem') {
      isFirst = false;
      response.destroy();
    }
    await forward();
  };
}

/** The table as seen by a function that dies at one of its requests, which still arrives or does not. */
export async function endingAt(
  embedded: EmbeddedTable,
  request: number,
  { arrives }: { readonly arrives: boolean },
  work: (table: Table) => Promise<unknown>,
): Promise<boolean> {
  let requests = 0;
  const way: OnTheWay = async (_, forward, response) => {
    requests += 1;
    if (requests === request && arrives) {
      response.destroy();
      return forward();
    }
    if (requests >= request) return void response.destroy();
    return forward();
  };
  const proxy = await startTableProxy(embedded, way);
  try {
    await work(proxy.table);
    return requests < request;
  } catch {
    return false;
  } finally {
    await proxy.stop();
  }
}
