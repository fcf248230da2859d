/**
 * An email in plain text. It may end up on anyone's servers and screens, so it holds no health information, not even
 * in its subject and links.
 */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Outcome of sending: `accepted` by the email service; `refused` permanently; `not-now`: not sent, may be retried;
 * `unanswered`: unknown.
 */
export type MailOutcome = 'accepted' | 'refused' | 'not-now' | 'unanswered';

export interface MailAnswer {
  readonly outcome: MailOutcome;
  /** ID of an accepted email at the email service. */
  readonly messageId: string | null;
  /** Name of the error, which contains no address. */
  readonly errorName: string | null;
}

/** Never throws. */
export type SendMail = (mail: Mail) => Promise<MailAnswer>;
