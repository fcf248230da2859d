import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type RunningServer, serveOnLoopback } from '../../loopback.ts';

/** What a service does with the body of a request, by its operation as the header `X-Amz-Target` names it. */
export type AwsJsonOperations = ReadonlyMap<string, (content: unknown) => AwsJsonResponse>;

export interface AwsJsonResponse {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Serves the operations by version 1.1 of the AWS JSON protocol, in which every request is a POST to `/`. */
export async function startAwsJson(operations: AwsJsonOperations): Promise<RunningServer> {
  const server = createServer((request, response) => {
    void answer(request, response, operations);
  });
  return serveOnLoopback(server);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  operations: AwsJsonOperations,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const target = String(request.headers['x-amz-target']);
  const { status, body } = respondAwsJson(target, Buffer.concat(chunks).toString('utf8'), operations);
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/** Answers one request without a connection. */
export function respondAwsJson(target: string, text: string, operations: AwsJsonOperations): AwsJsonResponse {
  const operation = operations.get(target);
  if (operation === undefined) {
    return failure('UnknownOperationException', `the local stack does not support ${target}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return failure('SerializationException', 'the body is not JSON');
  }
  return operation(content);
}

/** A client error. Services differ in whether they write `message` or `Message`; clients read both. */
export function failure(type: string, message: string): AwsJsonResponse {
  return { status: 400, body: { __type: type, Message: message, message } };
}
