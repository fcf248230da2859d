import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSession } from '#shared/dashboard/session/session.ts';
import type { Person } from '#shared/domain/person.ts';
import { createProject } from '#shared/projects/create-project.ts';
import { alertKey, getAlert, putAlertItem } from '#shared/table/alert.ts';
import { getMember } from '#shared/table/member.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { signInAs } from '../../infra/local/identity/sign-in-as.ts';
import { projectServices, stackTable } from '../../infra/local/stack-clients.ts';
import { mailFrom, mailsIn, type SentMail, tokenIn } from '../support/embedded-mail.ts';
import { sampleResult, sampleTask } from '../support/sample-tasks.ts';
import { openTemporaryStack, type TemporaryStack } from '../support/temporary-stack.ts';

let temporary: TemporaryStack;
beforeAll(async () => {
  temporary = await openTemporaryStack('mail', { MailFrom: mailFrom }, { checksAccess: true });
}, 300_000);
afterAll(() => temporary?.close());

const minuteMs = 60_000;
const sam: Person = demoPeople.staff;

/** Values that occur nowhere else, so that finding one in a mail means that it leaked. */
const canaries = {
  task: 'Ask about the tonsillectomy of Zephyrine Quackenbush.',
  outcome: 'The canary was told on 1971-11-29.',
  followUp: 'Ring +1 202 555 0188 about CANARY8837465.',
};

async function newMail(to: string, known: number): Promise<SentMail> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; ) {
    const mails = (await mailsIn(temporary.dataDirectory)).filter((one) => one.to === to);
    const newest = mails.at(-1);
    if (newest !== undefined && mails.length > known) return newest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('no mail came');
}

/** Opens pages and sends their forms, as the browser of somebody who is signed in. */
async function browserOf(person: Person) {
  const { stack } = temporary;
  const cookie = `vat_session=${await newSession(stackTable(stack), person, new Date())}`;
  const open = (address: string) => fetch(address, { headers: { cookie }, redirect: 'manual' });
  return {
    open,
    send: async (address: string, fields: Record<string, string> = {}) => {
      const page = await (await open(address)).text();
      const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
      return fetch(address, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin: stack.baseUrl },
        body: new URLSearchParams({ form_token: formToken, ...fields }),
      });
    },
  };
}

describe('mail of a stack with MailFrom', () => {
  test('56, 57, 58: invites a member, who is mailed what needs them until they say stop, and never about a patient', async () => {
    const { stack, dataDirectory } = temporary;
    const table = stackTable(stack);
    const { project } = await createProject(projectServices(stack), {
      name: 'Mail',
      carrier: 'sandbox',
      webhook: null,
      members: [{ email: demoPeople.owner.email, role: 'owner' }],
    });
    const { SignInIssuer, SignInClientId } = stack.outputs;
    const token = await signInAs('owner', {
      issuer: String(SignInIssuer),
      clientId: String(SignInClientId),
    });
    const added = await fetch(`${stack.baseUrl}/admin/projects/${project.id}/members/${sam.email}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify({ role: 'staff' }),
    });
    expect(await added.json()).toMatchObject({ role: 'staff', invitation: { state: 'sending' } });

    const invitation = await newMail(sam.email, 0);
    expect(invitation.headers.From).toBe(mailFrom);
    const link = /^https?:\/\/\S+\/join\/\S+$/m.exec(invitation.text)?.[0] ?? '';
    const stranger = await fetch(link, { redirect: 'manual' });
    expect(stranger.status).toBe(303);
    expect(stranger.headers.get('location')).toMatch(/^\/dashboard\?to=/);
    const other = await browserOf(demoPeople.viewer);
    expect((await other.open(link)).status).toBe(404);
    const browser = await browserOf(sam);
    expect((await browser.open(link)).status).toBe(200);
    expect(await getMember(table, project.id, sam.email)).toBeNull();
    expect((await browser.send(link)).status).toBe(303);
    expect(await getMember(table, project.id, sam.email)).toMatchObject({ role: 'staff' });
    expect((await browser.open(link)).status).toBe(404);

    const alerts = `${stack.baseUrl}/dashboard/projects/${project.id}/alerts`;
    expect((await browser.send(alerts, { frequency: 'hourly' })).status).toBe(303);
    const ended = { updated_at: new Date(Date.now() - 2 * minuteMs).toISOString() };
    const result = sampleResult({ goal_reached: false, follow_up: canaries.followUp });
    for (const changes of [{ status: 'FAILED' }, { status: 'COMPLETED', result }] as const) {
      const task = { task: canaries.task, task_outcome: canaries.outcome, ...changes, ...ended };
      await writeTransaction(table, [createTaskItem(table, sampleTask(project, task))]);
    }
    const alert = await getAlert(table, alertKey({ project_id: project.id, email: sam.email }));
    if (alert === null) throw new Error('the alert was not stored');
    const due = {
      ...alert,
      told_until: new Date(Date.now() - 10 * minuteMs).toISOString(),
      due_at: new Date().toISOString(),
      version: alert.version + 1,
    };
    await writeTransaction(table, [putAlertItem(table, alert, due)]);
    // Whether it is found once or twice, it is one mail.
    await stack.invoke('call-sweeper', { time: new Date().toISOString() });
    await stack.invoke('call-sweeper', { time: new Date().toISOString() });
    const digest = await newMail(sam.email, 1);
    expect(digest.subject).toBe('Voice agent tasks to look at: 2');
    expect(digest.text).toContain(`${stack.baseUrl}/dashboard/projects/${project.id}/tasks?status=FAILED`);

    const unsubscribe = /^<(.*)>$/.exec(digest.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
    const stopped = await fetch(unsubscribe, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(stopped.status).toBe(200);
    expect(await getAlert(table, alertKey(alert))).toMatchObject({ frequency: 'off', due_at: null });

    const mails = await mailsIn(dataDirectory);
    expect(mails).toHaveLength(2);
    const log = await readFile(join(dataDirectory, 'functions.log'), 'utf8');
    expect(log).toContain('"event":"invitation-mail"');
    expect(log).toContain('"event":"digest-mail"');
    const words = Object.values(canaries).flatMap((text) => text.match(/[\w-]{7,}/g) ?? []);
    expect(words).toContain('Quackenbush');
    for (const word of words) for (const one of mails) expect(JSON.stringify(one)).not.toContain(word);
    for (const secret of [sam.email, tokenIn(invitation), alert.unsubscribe_token]) {
      expect(log.includes(secret), `the log holds: ${secret}`).toBe(false);
    }
    expect(stack.refusedAccess).toEqual([]);
  }, 300_000);
});
