import {
  BadRequestException,
  MessageRejected,
  SESv2Client,
  SESv2ServiceException,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import { clientLimits } from '#shared/aws/client-limits.ts';
import type { Mail, MailAnswer, SendMail } from './mail.ts';

const charset = 'UTF-8';
const timeoutMs = 5_000;

/**
 * Sends by Amazon SES v2; region, credentials and endpoint come from the environment. Each email is tried once:
 * SendEmail has no idempotency token, so a retry without a response could send it twice.
 */
export function openSesMailer(
  from: string,
  client: SESv2Client = new SESv2Client(clientLimits(timeoutMs, 1)),
): SendMail {
  return async (mail) => {
    try {
      const { MessageId = null } = await client.send(commandOf(from, mail));
      return { outcome: 'accepted', messageId: MessageId, errorName: null };
    } catch (error) {
      return { outcome: outcomeOf(error), messageId: null, errorName: nameOf(error) };
    }
  };
}

function commandOf(from: string, { to, subject, text, headers = {} }: Mail): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: { Data: subject, Charset: charset },
        Body: { Text: { Data: text, Charset: charset } },
        Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })),
      },
    },
  });
}

/** Source: errors of SendEmail in the API reference of Amazon SES v2. */
function outcomeOf(error: unknown): MailAnswer['outcome'] {
  if (error instanceof MessageRejected || error instanceof BadRequestException) return 'refused';
  const status = error instanceof SESv2ServiceException ? error.$metadata.httpStatusCode : undefined;
  // After an SES fault, the email may or may not have been sent.
  return status !== undefined && status < 500 ? 'not-now' : 'unanswered';
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
