import { newSession } from '#shared/dashboard/session/session.ts';
import type { Person } from '#shared/domain/person.ts';
import { mailsIn, type SentMail } from './embedded-mail.ts';
import { eventually, stack, stackTable } from './stack.ts';

/** The stack's mails to a person about a project, oldest first. */
export async function mailsAbout(projectId: string, { email }: Pick<Person, 'email'>): Promise<SentMail[]> {
  const mails = await mailsIn(stack().dataDirectory);
  return mails.filter(({ to, text }) => to === email && text.includes(projectId));
}

/** The link in the newest invitation to the project, once it is sent. */
export function invitationLink(projectId: string, person: Pick<Person, 'email'>): Promise<string> {
  return eventually('the invitation', async () => {
    const newest = (await mailsAbout(projectId, person)).at(-1);
    return /^\S+\/join\/\S+$/m.exec(newest?.text ?? '')?.[0];
  });
}

/** Opens dashboard pages and submits their forms as a signed-in person. */
export async function signedIn(person: Person) {
  const cookie = `vat_session=${await newSession(stackTable(), person, new Date())}`;
  const open = (address: string) => fetch(address, { headers: { cookie }, redirect: 'manual' });
  return {
    open,
    async send(address: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
      const page = await (await open(address)).text();
      const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
      return fetch(address, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin: stack().baseUrl },
        body: new URLSearchParams({ form_token: formToken, ...fields }),
      });
    },
  };
}
