/**
 * A mail in plain text. It may lie on servers and screens of anybody, so it holds no health information, its subject
 * and links included.
 */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * What became of a mail: `accepted` by the mail service; `refused`, as it would be each time; `not-now`, so it was
 * not sent and may be later; `unanswered`, so that nobody knows.
 */
export type MailOutcome = 'accepted' | 'refused' | 'not-now' | 'unanswered';

export interface MailAnswer {
  readonly outcome: MailOutcome;
  /** Of an accepted mail, by which the mail service knows it. */
  readonly messageId: string | null;
  /** Name of the error, which holds no address. */
  readonly errorName: string | null;
}

/** Never throws. */
export type SendMail = (mail: Mail) => Promise<MailAnswer>;
