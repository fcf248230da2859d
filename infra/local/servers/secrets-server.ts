import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { listenOnLoopback, loopback } from './loopback.ts';

export interface LocalSecret {
  readonly name: string;
  readonly arn: string;
  readonly value: string;
}

export interface SecretsServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const requestSchema = z.object({ SecretId: z.string(), VersionStage: z.optional(z.string()) });

/** Serves the one operation of Secrets Manager that functions use: reading the current value of a secret. */
export async function startSecrets(secrets: readonly LocalSecret[]): Promise<SecretsServer> {
  const server = createServer((request, response) => {
    void answer(request, response, secrets);
  });
  const port = await listenOnLoopback(server, 0);
  return {
    endpoint: `http://${loopback}:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  secrets: readonly LocalSecret[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { status, body } = respond(
    String(request.headers['x-amz-target']),
    Buffer.concat(chunks).toString('utf8'),
    secrets,
  );
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

function respond(
  target: string,
  text: string,
  secrets: readonly LocalSecret[],
): { status: number; body: Record<string, unknown> } {
  if (target !== 'secretsmanager.GetSecretValue') {
    return failure('UnknownOperationException', `the local Secrets Manager does not know ${target}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return failure('SerializationException', 'the body is not JSON');
  }
  const parsed = requestSchema.safeParse(content);
  if (!parsed.success) return failure('ValidationException', 'SecretId is required');
  const { SecretId: id } = parsed.data;
  const found = secrets.find(({ name, arn }) => name === id || arn === id);
  if (found === undefined) {
    return failure('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }
  return {
    status: 200,
    body: {
      ARN: found.arn,
      Name: found.name,
      SecretString: found.value,
      VersionId: '00000000-0000-4000-8000-000000000001',
      VersionStages: ['AWSCURRENT'],
    },
  };
}

function failure(type: string, message: string): { status: number; body: Record<string, unknown> } {
  return { status: 400, body: { __type: type, Message: message, message } };
}
