import type { SendMail } from './mail.ts';

/**
 * The way out for mail; null where the deployment has no address to send from. The SDK's client is loaded with the
 * first mail: functions that also do other work start without it.
 */
export function openMailer(from: string): SendMail | null {
  if (from === '') return null;
  let opening: Promise<SendMail> | null = null;
  return async (mail) => {
    opening ??= import('./ses-mailer.ts').then(({ openSesMailer }) => openSesMailer(from));
    return (await opening)(mail);
  };
}
