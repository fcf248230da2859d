import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { AwsEndpoints } from '../../infra/local/functions/function-definition.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { unpackChromium } from './chromium.ts';
import { startDynamoDbServer } from './dynamodb-servers.ts';
import { mailFrom } from './embedded-mail.ts';
import { openTemporaryStack } from './temporary-stack.ts';

/** What tests in other processes need to know of the running stack. */
export interface StackFacts {
  readonly baseUrl: string;
  readonly relayUrl: string;
  readonly endpoints: AwsEndpoints;
  readonly outputs: Record<string, string>;
  readonly dataDirectory: string;
  /**
   * `POST {controlUrl}/{function name}` with an event as JSON invokes the function and answers its result;
   * `/refused-access` lists what functions asked of AWS that their roles do not allow.
   */
  readonly controlUrl: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackFacts;
  }
}

/**
 * One local stack for all stack tests: the synthesized template with sandbox calls that take no real time.
 * Vitest loads a global setup through its default export.
 */
// biome-ignore lint/style/noDefaultExport: see above
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await unpackChromium();
  const server = (process.env.DYNAMODB_LOCAL ?? '') === '' ? null : await startDynamoDbServer();
  if (server !== null) process.env.DYNAMODB_ENDPOINT = server.endpoint;
  const { stack, dataDirectory, close } = await openTemporaryStack(
    'test',
    {
      // Tests ask faster than any client would, and several at once: as fast as this machine answers.
      RequestsPerSecond: '10000',
      RequestBurst: '5000',
      ProjectRequestsPerSecond: '200',
      MailFrom: mailFrom,
      // How the voices of a call sound is tested in `sound/`, and with the deployable code in `measure-calls.test.ts`.
      SandboxPhoneSpeech: 'tones',
      OperatorEmails: demoPeople.owner.email,
    },
    { checksAccess: true },
  );

  const control = createServer(async (request, response) => {
    if (request.url === '/refused-access') {
      response.end(JSON.stringify(stack.refusedAccess));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    try {
      const event: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
      const result = await stack.invoke(String(request.url).slice(1), event);
      response.end(JSON.stringify(result ?? null));
    } catch (error) {
      response.writeHead(500).end(JSON.stringify({ error: String(error) }));
    }
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
  const { port } = control.address() as AddressInfo;

  project.provide('stack', {
    baseUrl: stack.baseUrl,
    relayUrl: stack.relayUrl,
    endpoints: stack.endpoints,
    outputs: stack.outputs,
    dataDirectory,
    controlUrl: `http://127.0.0.1:${port}`,
  });

  return async () => {
    control.closeAllConnections();
    control.close();
    await close();
    await server?.stop();
  };
}
