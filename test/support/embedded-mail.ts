import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import type { SendMail } from '#shared/mail/mail.ts';
import { openSesMailer } from '#shared/mail/ses-mailer.ts';
import { outboxOf, startMail } from '../../infra/local/servers/mail-server.ts';

export interface SentMail {
  readonly to: string;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The local stack's mail service, and access to it. */
export interface EmbeddedMail {
  readonly sendMail: SendMail;
  /** What was sent to an address, oldest first. */
  sentTo(address: string): Promise<SentMail[]>;
  stop(): Promise<void>;
}

export const mailFrom = 'calls@example.com';

export async function startEmbeddedMail(): Promise<EmbeddedMail> {
  const directory = await mkdtemp(join(tmpdir(), 'voice-agent-mail-'));
  const server = await startMail(directory);
  const client = new SESv2Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return {
    sendMail: openSesMailer(mailFrom, client),
    sentTo: async (address) => (await mailsIn(directory)).filter(({ to }) => to === address),
    async stop() {
      client.destroy();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The mails in a local stack's outbox, oldest first. */
export async function mailsIn(dataDirectory: string): Promise<SentMail[]> {
  const outbox = outboxOf(dataDirectory);
  const names = await readdir(outbox).catch(() => []);
  return Promise.all(names.sort().map(async (name) => parseMail(await readFile(join(outbox, name), 'utf8'))));
}

function parseMail(mail: string): SentMail {
  const end = mail.indexOf('\n\n');
  const headers = Object.fromEntries(
    mail
      .slice(0, end)
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  return { to: headers.To ?? '', subject: headers.Subject ?? '', headers, text: mail.slice(end + 2) };
}

/** The token of the link in an invitation. */
export function tokenIn({ text }: SentMail): string {
  return /\/join\/([\w-]+)/.exec(text)?.[1] ?? '';
}
