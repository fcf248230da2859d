import { SESv2Client } from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MailOutcome } from '#shared/mail/mail.ts';
import { openMailer } from '#shared/mail/mailer.ts';
import { openSesMailer } from '#shared/mail/ses-mailer.ts';
import { respondJson, startTestServer, type TestServer } from '../../support/http-server.ts';

/** The next response of SES; null to hang up without one. */
let answer: readonly [status: number, errorType: string] | null = null;
let ses: TestServer;
beforeAll(async () => {
  ses = await startTestServer((_, response) => {
    if (answer === null) {
      response.destroy();
      return;
    }
    const [status, errorType] = answer;
    response.setHeader('x-amzn-ErrorType', errorType);
    respondJson(response, status, { message: 'nora@clinic.example.com is in this sentence' });
  });
});
afterAll(() => ses?.stop());

const mail = { to: 'nora@clinic.example.com', subject: 'Hello', text: 'Nora' };

describe('email by SES', () => {
  test.each<[string, number, MailOutcome]>([
    ['MessageRejected', 400, 'refused'],
    ['BadRequestException', 400, 'refused'],
    ['MailFromDomainNotVerifiedException', 400, 'not-now'],
    ['SendingPausedException', 400, 'not-now'],
    ['AccessDeniedException', 403, 'not-now'],
    ['TooManyRequestsException', 429, 'not-now'],
    ['InternalFailure', 500, 'unanswered'],
  ])('that returns %s is tried once, and is %s', async (errorType, status, outcome) => {
    answer = [status, errorType];
    const before = ses.requests.length;
    const { errorName, ...rest } = await sendMail();
    expect(rest).toEqual({ outcome, messageId: null });
    expect(errorName).toBe(errorType);
    expect(ses.requests.length - before).toBe(1);
  });

  test('is not retried if its outcome is unknown', async () => {
    answer = null;
    const before = ses.requests.length;
    expect(await sendMail()).toMatchObject({ outcome: 'unanswered', messageId: null });
    expect(ses.requests.length - before).toBe(1);
  });

  test('is not sent without a sender address', () => {
    expect(openMailer('')).toBeNull();
  });
});

function sendMail() {
  const client = new SESv2Client({
    endpoint: ses.origin,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  return openSesMailer('calls@example.com', client)(mail);
}
