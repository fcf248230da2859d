import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailAddresses } from '#shared/dashboard/links.ts';
import type { Person, Role } from '#shared/domain/person.ts';
import { sendDueMail } from '#shared/mail/send-due-mail.ts';
import { invitationKey } from '#shared/table/invitation.ts';
import { getMember } from '#shared/table/member.ts';
import {
  type DashboardPages,
  type EmbeddedDashboard,
  openDashboardPages,
  startEmbeddedDashboard,
} from '../../../support/dashboard-pages.ts';
import { type EmbeddedMail, startEmbeddedMail, tokenIn } from '../../../support/embedded-mail.ts';
import { memberOf, storeProjectOf } from '../../../support/project-members.ts';

let dashboard: EmbeddedDashboard;
let pages: DashboardPages;
let mail: EmbeddedMail;
beforeAll(async () => {
  [dashboard, mail] = await Promise.all([startEmbeddedDashboard(), startEmbeddedMail()]);
  pages = openDashboardPages({ ...dashboard.services, sendsMail: true });
});
afterAll(async () => {
  await Promise.all([dashboard?.stop(), mail?.stop()]);
});

const person = (email: string): Person => ({ subject: email, email, name: null });
const owner = memberOf('owner');
let count = 0;

/** An owner invites a person, and the mail is sent. */
async function invited(role: Role) {
  const { table } = dashboard;
  const { id } = await storeProjectOf(table, ['owner', 'viewer']);
  count += 1;
  const email = `nell-${count}@clinic.example.com`;
  const added = await pages.ask(owner, pages.links.members(id), { email, role });
  await sendDueMail(
    {
      table,
      sendMail: mail.sendMail,
      addresses: mailAddresses(pages.links),
      now: () => new Date(),
      random: () => 0,
    },
    invitationKey({ project_id: id, email }),
  );
  const [sent] = await mail.sentTo(email);
  if (sent === undefined) throw new Error('no mail was sent');
  return { table, id, email, added, link: pages.links.join(id, tokenIn(sent)) };
}

describe('the link in an invitation', () => {
  test('shows the invitation, and makes the person a member on confirmation', async () => {
    const { table, id, email, added, link } = await invited('staff');
    expect(added.headers?.location).toBe(`${pages.links.members(id)}?done=member-invited`);
    const nell = person(email);
    const shown = await pages.ask(nell, link);
    expect(shown.statusCode).toBe(200);
    expect(shown.body).toContain('Join project');
    expect(shown.body).toContain(owner.email);
    // Programs that scan mail open links, too.
    expect(await getMember(table, id, email)).toBeNull();
    const joined = await pages.ask(nell, link, {});
    expect([joined.statusCode, joined.headers?.location]).toEqual([
      303,
      `${pages.links.general(id)}?done=joined`,
    ]);
    expect(await getMember(table, id, email)).toMatchObject({ role: 'staff' });
  });

  test('says the same to another person as when used, and changes nothing', async () => {
    const { table, id, email, link } = await invited('owner');
    const mallory = person('mallory@clinic.example.com');
    const answers = [await pages.ask(mallory, link), await pages.ask(mallory, link, {})];
    expect(await getMember(table, id, mallory.email)).toBeNull();
    await pages.ask(person(email), link, {});
    answers.push(await pages.ask(mallory, link), await pages.ask(mallory, pages.links.join(id, 'none')));
    const bodies = answers.map(({ body }) => body.replaceAll(/value="[^"]*"/g, ''));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).not.toContain(email);
    const again = await pages.ask(person(email), link);
    expect([again.statusCode, again.body.includes('Invitation not found')]).toEqual([404, true]);
  });
});

test('owners see, resend and revoke invitations; others see no button', async () => {
  const { id, email, link } = await invited('viewer');
  const shown = await pages.ask(owner, pages.links.members(id));
  expect(shown.body).toContain(email);
  for (const words of ['Invited', 'Resend', 'Revoke']) expect(shown.body).toContain(words);
  const read = await pages.ask(memberOf('viewer'), pages.links.members(id));
  expect(read.body).toContain(email);
  for (const words of ['Resend', 'Revoke']) expect(read.body).not.toContain(words);
  const revoked = await pages.ask(owner, pages.links.members(id, '/remove'), { email });
  expect(revoked.statusCode).toBe(303);
  expect((await pages.ask(person(email), link)).statusCode).toBe(404);
  expect((await pages.ask(owner, pages.links.members(id))).body).not.toContain(email);
});
