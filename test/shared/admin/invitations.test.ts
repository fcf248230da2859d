import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptInvitation, readInvitation } from '#shared/admin/invitations.ts';
import { addMember, addOwner, readMembers, removeMember, setMember } from '#shared/admin/members.ts';
import { linksBelow, mailAddresses } from '#shared/dashboard/links.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { mostInvitations } from '#shared/domain/invitation.ts';
import type { AdminCaller, Role } from '#shared/domain/person.ts';
import type { SendMail } from '#shared/mail/mail.ts';
import { isMailKey, sendDueMail } from '#shared/mail/send-due-mail.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { getInvitation, invitationKey, putInvitationItem } from '#shared/table/invitation.ts';
import { getMember } from '#shared/table/member.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { DeliveryMessage } from '#shared/webhooks/delivery-queue.ts';
import { type EmbeddedMail, mailFrom, startEmbeddedMail, tokenIn } from '../../support/embedded-mail.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from '../../support/embedded-queues.ts';
import { type EmbeddedTable, startEmbeddedTable } from '../../support/embedded-table.ts';
import { memberOf, storeProjectOf } from '../../support/project-members.ts';
import { refusal } from '../../support/refusal.ts';
import { scanTable } from '../../support/scan-table.ts';

let embedded: EmbeddedTable;
let queues: EmbeddedQueues;
let mail: EmbeddedMail;
beforeAll(async () => {
  [embedded, queues, mail] = await Promise.all([
    startEmbeddedTable(),
    startEmbeddedQueues(),
    startEmbeddedMail(),
  ]);
});
afterAll(async () => {
  await Promise.all([embedded?.stop(), queues?.stop(), mail?.stop()]);
});

const addresses = mailAddresses(linksBelow('https://api.example.test'));
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const notInvited = new ServiceError('not_found', 'Invitation not found');

const as = (email: string): AdminCaller => ({
  person: { subject: `subject of ${email}`, email, name: null },
  requestId: 'request-1',
});
const olive = as(memberOf('owner').email);

let count = 0;

/** A project with its owner, a person to invite, and the worker that sends mail. */
async function newProject(sendMail: SendMail | null = mail.sendMail) {
  const { table } = embedded;
  const { id } = await storeProjectOf(table, ['owner', 'manager']);
  count += 1;
  const queueName = `deliveries-${count}`;
  const queue = { url: queues.createQueue(queueName), client: queues.sqs };
  const email = `nora-${count}@clinic.example.com`;
  const send = (at = new Date()) =>
    sendDueMail(
      {
        table,
        sendMail,
        addresses,
        now: () => at,
        random: () => 0,
      },
      invitationKey({ project_id: id, email }),
    );
  return {
    table,
    id,
    email,
    queueName,
    add: (role: Role, caller = olive, sendsMail = true) =>
      addMember({ table, queue, sendsMail }, caller, id, { email, role }),
    send,
    /** Invites, sends, and returns the content of the link. */
    invite: async (role: Role = 'staff') => {
      await addMember({ table, queue, sendsMail: true }, olive, id, { email, role });
      await send();
      return tokenOfNewest(email);
    },
    invitation: () => getInvitation(table, id, email),
    /** So that the requests differ. */
    asIfAskedEarlier: async () => {
      const invitation = await getInvitation(table, id, email);
      if (invitation === null) throw new Error('nobody is invited');
      const created_at = new Date(Date.parse(invitation.created_at) - 2 * minuteMs).toISOString();
      const next = { ...invitation, created_at, version: invitation.version + 1 };
      await writeTransaction(table, [putInvitationItem(table, invitation, next)]);
    },
    role: async () => (await getMember(table, id, email))?.role ?? null,
    auditLog: async () => {
      const { items } = await listAuditEntries(table, id, { limit: 20, before: null });
      return items.map(({ action, actor, target, after }) => [
        action,
        actor.kind === 'person' ? actor.email : null,
        target.id,
        after,
      ]);
    },
  };
}

async function tokenOfNewest(email: string): Promise<string> {
  const [newest] = (await mail.sentTo(email)).toReversed();
  if (newest === undefined) throw new Error('no mail was sent');
  return tokenIn(newest);
}

describe('56: an invitation', () => {
  test('makes the person who opens its link a member in the chosen role, and is audited', async () => {
    const { table, id, email, add, send, role, invitation, queueName, auditLog } = await newProject();
    expect(await add('staff')).toMatchObject({ email, role: 'staff', invitation: { state: 'sending' } });
    expect(await role()).toBeNull();
    const [message] = queues.messages(queueName);
    const key = DeliveryMessage.parse(message?.body);
    expect(isMailKey(key)).toBe(true);
    expect(JSON.stringify(key)).not.toContain('nora');

    await send();
    expect(await invitation()).toMatchObject({ state: 'sent', due_at: null });
    const [sent] = await mail.sentTo(email);
    expect(sent?.headers.From).toBe(mailFrom);
    expect(sent?.subject).toBe('Invitation to Voice agent tasks');
    expect(sent?.text).toContain(`${olive.person.email} has invited you to the project`);
    expect(await role()).toBeNull();

    const token = await tokenOfNewest(email);
    expect((await readInvitation(table, as(email), id, token)).invitation.role).toBe('staff');
    expect((await acceptInvitation(table, as(email), id, token)).id).toBe(id);
    expect(await role()).toBe('staff');
    expect(await auditLog()).toEqual([
      ['member.joined', email, email, { role: 'staff' }],
      ['member.invited', olive.person.email, email, { role: 'staff' }],
    ]);
    const { members } = await readMembers(table, olive, id);
    expect(members.find((one) => one.email === email)).toMatchObject({ role: 'staff', invitation: null });
  });

  test('works once, only for its address, until it expires', async () => {
    const { table, id, email, invite, role } = await newProject();
    const token = await invite();
    for (const [caller, project, presented] of [
      [as('mallory@clinic.example.com'), id, token],
      [as(email), id, `${token}x`],
      [as(email), id, ''],
      [as(email), 'no-project', token],
      [as(email), '0190a0a0-0000-7000-8000-000000000000', token],
    ] as const) {
      expect(await refusal(acceptInvitation(table, caller, project, presented))).toEqual(notInvited);
    }
    const late = new Date(Date.now() + 7 * dayMs + minuteMs);
    expect(await refusal(acceptInvitation(table, as(email), id, token, late))).toEqual(notInvited);
    expect(await role()).toBeNull();

    // Two simultaneous requests: one succeeds, and nothing happens twice.
    const both = await Promise.allSettled([
      acceptInvitation(table, as(email), id, token),
      acceptInvitation(table, as(email), id, token),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await removeMember(table, olive, id, email);
    expect(await refusal(acceptInvitation(table, as(email), id, token))).toEqual(notInvited);
    expect(await role()).toBeNull();
  });

  test('is stored as a hash only', async () => {
    const { table, invite } = await newProject();
    const token = await invite();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await scanTable(table))).not.toContain(token);
  });

  test('is useless once revoked', async () => {
    const { table, id, email, invite, role, auditLog } = await newProject();
    const token = await invite();
    await removeMember(table, olive, id, email);
    expect(await refusal(acceptInvitation(table, as(email), id, token))).toEqual(notInvited);
    expect(await role()).toBeNull();
    expect((await auditLog())[0]?.slice(0, 2)).toEqual(['invitation.revoked', olive.person.email]);
    expect(await refusal(removeMember(table, olive, id, email))).toEqual(
      new ServiceError('not_found', 'Member not found'),
    );
  });

  test('can be resent, also with another role, which ends the old link; concurrent requests send one', async () => {
    const { table, id, email, add, send, invite, asIfAskedEarlier, role } = await newProject();
    const first = await invite('staff');
    await add('staff');
    await send();
    expect(await mail.sentTo(email)).toHaveLength(1);
    await asIfAskedEarlier();
    await add('staff');
    await send();
    const second = await tokenOfNewest(email);
    expect(await refusal(acceptInvitation(table, as(email), id, first))).toEqual(notInvited);
    await add('viewer');
    await send();
    expect(await mail.sentTo(email)).toHaveLength(3);
    expect(await refusal(acceptInvitation(table, as(email), id, second))).toEqual(notInvited);
    await acceptInvitation(table, as(email), id, await tokenOfNewest(email));
    expect(await role()).toBe('viewer');
  });

  test("ends with the inviting owner's role", async () => {
    const { table, id, email, invite, role, add, send } = await newProject();
    const token = await invite('owner');
    const otto = 'otto@clinic.example.com';
    await addOwner(table, id, otto);
    await removeMember(table, as(otto), id, olive.person.email);
    expect(await refusal(acceptInvitation(table, as(email), id, token))).toEqual(notInvited);
    expect(await role()).toBeNull();
    const { members } = await readMembers(table, as(otto), id);
    expect(members.find((one) => one.email === email)?.invitation?.state).toBe('failed');
    await add('owner', as(otto));
    await send();
    await acceptInvitation(table, as(email), id, await tokenOfNewest(email));
    expect(await role()).toBe('owner');
  });

  test('can only come from an owner', async () => {
    const { table, id, email, add, invite, invitation } = await newProject();
    const forbidden = new ServiceError('forbidden', 'Only an owner of the project may do this');
    expect(await refusal(add('viewer', memberAs('manager')))).toEqual(forbidden);
    expect(await invitation()).toBeNull();
    await invite();
    expect(await refusal(removeMember(table, memberAs('manager'), id, email))).toEqual(forbidden);
    expect(await invitation()).not.toBeNull();
  });

  test('is resent after some minutes if its outcome is unknown, and the newest link works', async () => {
    const answers: string[] = [];
    const silentAtFirst: SendMail = async (one) => {
      const answer = await mail.sendMail(one);
      answers.push(answer.outcome);
      return answers.length === 1 ? { ...answer, outcome: 'unanswered' } : answer;
    };
    const { table, id, email, add, send, invitation, role } = await newProject(silentAtFirst);
    await add('staff');
    await send();
    expect(await invitation()).toMatchObject({ state: 'sending' });
    await send();
    expect(answers).toHaveLength(1);
    await send(new Date(Date.now() + 6 * minuteMs));
    expect(answers).toHaveLength(2);
    expect(await invitation()).toMatchObject({ state: 'sent', due_at: null });
    await acceptInvitation(table, as(email), id, await tokenOfNewest(email));
    expect(await role()).toBe('staff');
  });

  test.each([
    ['the mail service refuses it', true, 0],
    ['the deployment sends no mail any more', false, 0],
    ['no mail could be sent for a day', true, dayMs + minuteMs],
  ])('tells the owner if %s', async (_, sendsMail, afterMs) => {
    const { table, id } = await newProject();
    const email = 'nora@refused.example.com';
    count += 1;
    const queue = { url: queues.createQueue(`refused-${count}`), client: queues.sqs };
    await addMember({ table, queue, sendsMail: true }, olive, id, { email, role: 'staff' });
    await sendDueMail(
      {
        table,
        sendMail: sendsMail ? mail.sendMail : null,
        addresses,
        now: () => new Date(Date.now() + afterMs),
        random: () => 0,
      },
      invitationKey({ project_id: id, email }),
    );
    const { members } = await readMembers(table, olive, id);
    expect(members.find((one) => one.email === email)?.invitation?.state).toBe('failed');
    expect(await getInvitation(table, id, email)).toMatchObject({ due_at: null, token_hash: null });
  });

  test('changes nothing for a person who has become a member otherwise', async () => {
    const { table, id, email, invite, role, invitation } = await newProject();
    const token = await invite('viewer');
    await addOwner(table, id, email);
    expect((await readMembers(table, olive, id)).members.filter((one) => one.email === email)).toHaveLength(
      1,
    );
    await acceptInvitation(table, as(email), id, token);
    expect(await role()).toBe('owner');
    expect(await invitation()).toBeNull();
  });

  test('is one of at most a hundred open ones per project', async () => {
    const { table, id, add, email } = await newProject();
    const at = new Date().toISOString();
    for (let n = 0; n < mostInvitations; n += 1) {
      const invitation = {
        project_id: id,
        email: `n${n}@clinic.example.com`,
        role: 'viewer',
        invited_by: olive.person.email,
        state: 'sent',
        token_hash: null,
        created_at: at,
        expires_at: at,
        due_at: null,
        version: 1,
      } as const;
      await writeTransaction(table, [putInvitationItem(table, null, invitation)]);
    }
    expect(await refusal(add('viewer'))).toEqual(
      new ServiceError('conflict', 'Too many invitations are open: revoke some first'),
    );
    expect(await getInvitation(table, id, email)).toBeNull();
  });
});

test('without email, a person becomes a member at once, and a role changes at once in any case', async () => {
  const { table, id, email, add, role, queueName } = await newProject();
  expect(await add('staff', olive, false)).toMatchObject({ role: 'staff', invitation: null });
  expect(await role()).toBe('staff');
  expect(await add('viewer')).toMatchObject({ role: 'viewer', invitation: null });
  expect(await role()).toBe('viewer');
  expect(queues.messages(queueName)).toEqual([]);
  expect(await mail.sentTo(email)).toEqual([]);
  await setMember(table, olive, id, { email, role: 'owner' });
});

function memberAs(role: Role): AdminCaller {
  return as(memberOf(role).email);
}
