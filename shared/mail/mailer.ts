import type { SendMail } from './mail.ts';

/**
 * Opens the mailer; null if the deployment has no sender address. The SDK client is loaded with the first email, so
 * that functions start without it.
 */
export function openMailer(from: string): SendMail | null {
  if (from === '') return null;
  let opening: Promise<SendMail> | null = null;
  return async (mail) => {
    opening ??= import('./ses-mailer.ts').then(({ openSesMailer }) => openSesMailer(from));
    return (await opening)(mail);
  };
}
