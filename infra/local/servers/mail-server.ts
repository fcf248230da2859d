import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type RunningServer, serveOnLoopback } from '../../loopback.ts';

/** What SendEmail takes of a simple mail in plain text (API reference of Amazon SES v2); functions send no other. */
const SendEmail = z.object({
  FromEmailAddress: z.string(),
  Destination: z.object({ ToAddresses: z.array(z.string()).check(z.length(1)) }),
  Content: z.object({
    Simple: z.object({
      Subject: z.object({ Data: z.string() }),
      Body: z.object({ Text: z.object({ Data: z.string() }) }),
      Headers: z._default(z.array(z.object({ Name: z.string(), Value: z.string() })), []),
    }),
  }),
});

/** Domain of addresses that the server refuses, as SES refuses those that it cannot send to. */
const refusedDomain = '@refused.example.com';

/** Directory for outgoing emails, none of which is sent. */
export function outboxOf(dataDir: string): string {
  return join(dataDir, 'outbox');
}

/**
 * Serves the one operation of Amazon SES v2 that functions use, by the restJson protocol. Nothing leaves the machine:
 * each email becomes a file in the outbox.
 */
export async function startMail(dataDir: string): Promise<RunningServer> {
  const outbox = outboxOf(dataDir);
  const server = createServer((request, response) => {
    answer(request, outbox).then(
      ([status, body]) => send(response, status, body),
      (error: unknown) => send(response, 500, { message: String(error) }),
    );
  });
  return serveOnLoopback(server);
}

type Answer = readonly [status: number, body: Record<string, unknown>];

async function answer(request: IncomingMessage, outbox: string): Promise<Answer> {
  const { method = '', url = '' } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  if (method === 'POST' && url === '/v2/email/outbound-emails') {
    return sendEmail(Buffer.concat(chunks).toString('utf8'), outbox);
  }
  return failure('NotFoundException', `the local stack does not know ${method} ${url}`, 404);
}

async function sendEmail(text: string, outbox: string): Promise<Answer> {
  const mail = SendEmail.safeParse(JSON.parse(text));
  if (!mail.success) return failure('BadRequestException', z.prettifyError(mail.error));
  const { FromEmailAddress, Destination, Content } = mail.data;
  const { Subject, Body, Headers } = Content.Simple;
  const [to = ''] = Destination.ToAddresses;
  if (to.endsWith(refusedDomain)) return failure('MessageRejected', 'Address is refused.');
  // The newest mail stands last in the outbox.
  const id = `${Date.now()}-${randomUUID()}`;
  const headers = [
    ['From', FromEmailAddress],
    ['To', to],
    ['Subject', Subject.Data],
    ...Headers.map(({ Name, Value }) => [Name, Value]),
  ];
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`);
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  await writeFile(join(outbox, `${id}.eml`), `${lines.join('')}\n${Body.Text.Data}`, { mode: 0o600 });
  return [200, { MessageId: id }];
}

/** An error as restJson services write it. */
function failure(type: string, message: string, status = 400): Answer {
  return [status, { __type: type, message }];
}

function send(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      ...(typeof body.__type === 'string' ? { 'x-amzn-ErrorType': body.__type } : {}),
    })
    .end(JSON.stringify(body));
}
