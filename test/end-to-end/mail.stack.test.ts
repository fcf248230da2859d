import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertKey, getAlert, putAlertItem } from '#shared/table/alert.ts';
import { getMember } from '#shared/table/member.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { demoPeople } from '../../infra/local/identity/demo-people.ts';
import { mailFrom } from '../support/embedded-mail.ts';
import { sampleResult, sampleTask } from '../support/sample-tasks.ts';
import {
  eventually,
  newTestClient,
  signInAtStack,
  stack,
  stackTable,
  sweep,
  type TestClient,
} from '../support/stack.ts';
import { invitationLink, mailsAbout, signedIn } from '../support/stack-mail.ts';

let client: TestClient;
beforeAll(async () => {
  client = await newTestClient({ members: [{ email: demoPeople.owner.email, role: 'owner' }] });
});
afterAll(() => client.stop());

const minuteMs = 60_000;
const sam = demoPeople.staff;
const pageOf = (path: string): string => `${stack().baseUrl}/dashboard/projects/${client.projectId}${path}`;

/** Words that occur nowhere else, so that finding one in a mail means that it leaked. */
const canaries = {
  task: 'Ask about the tonsillectomy of Zephyrine Quackenbush.',
  outcome: 'The canary was told on 1971-11-29.',
  followUp: 'Ring +1-202-555-0188 about CANARY8837465.',
};

describe('mail', () => {
  test('56: invites a person, who becomes a member after opening the link and signing in', async () => {
    const { baseUrl } = stack();
    const member = `/admin/projects/${client.projectId}/members/${sam.email}`;
    const added = await fetch(`${baseUrl}${member}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${await signInAtStack('owner')}` },
      body: JSON.stringify({ role: 'staff' }),
    });
    expect(await added.json()).toMatchObject({ role: 'staff', invitation: { state: 'sending' } });
    const link = await invitationLink(client.projectId, sam);
    expect((await mailsAbout(client.projectId, sam))[0]?.headers.From).toBe(mailFrom);

    const stranger = await fetch(link, { redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      `/dashboard?to=${encodeURIComponent(link.slice(`${baseUrl}/dashboard`.length))}`,
    ]);
    const other = await signedIn(demoPeople.viewer);
    expect((await other.open(link)).status).toBe(404);
    const own = await signedIn(sam);
    expect((await own.open(link)).status).toBe(200);
    expect(await getMember(stackTable(), client.projectId, sam.email)).toBeNull();
    expect((await own.send(link)).status).toBe(303);
    expect(await getMember(stackTable(), client.projectId, sam.email)).toMatchObject({ role: 'staff' });
    expect((await own.open(link)).status).toBe(404);
    await expectNothingInLog([sam.email, link.split('/').at(-1) ?? '']);
  });

  test('57, 58: sends a member counts without patient data, once, until they unsubscribe', async () => {
    const table = stackTable();
    const browser = await signedIn(sam);
    expect((await browser.send(pageOf('/alerts'), { frequency: 'hourly' })).status).toBe(303);
    const ended = { updated_at: new Date(Date.now() - 2 * minuteMs).toISOString() };
    const result = sampleResult({ goal_reached: false, follow_up: canaries.followUp });
    for (const changes of [{ status: 'FAILED' }, { status: 'COMPLETED', result }] as const) {
      const words = { task: canaries.task, task_outcome: canaries.outcome };
      const task = sampleTask({ id: client.projectId }, { ...words, ...changes, ...ended });
      await writeTransaction(table, [createTaskItem(table, task)]);
    }
    const alert = await getAlert(table, alertKey({ project_id: client.projectId, email: sam.email }));
    if (alert === null) throw new Error('the alert was not stored');
    // As if an hour had passed.
    const due = {
      told_until: new Date(Date.now() - 60 * minuteMs).toISOString(),
      due_at: new Date().toISOString(),
      version: alert.version + 1,
    };
    await writeTransaction(table, [putAlertItem(table, alert, { ...alert, ...due })]);
    await sweep();
    await sweep();
    const digest = await eventually('the digest', async () => (await mailsAbout(client.projectId, sam))[1]);
    expect(digest.subject).toBe('Voice agent tasks that need attention: 2');
    expect(digest.text).toContain(pageOf('/tasks?status=FAILED'));

    const unsubscribe = /^<(.*)>$/.exec(digest.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(unsubscribe, { method: 'POST', body })).status).toBe(200);
    expect(await getAlert(table, alertKey(alert))).toMatchObject({ frequency: 'off', due_at: null });

    const mails = await mailsAbout(client.projectId, sam);
    expect(mails).toHaveLength(2);
    const words = Object.values(canaries).flatMap((text) => text.match(/[\w-]{7,}/g) ?? []);
    expect(words).toContain('Quackenbush');
    for (const word of words) expect(JSON.stringify(mails)).not.toContain(word);
    await expectNothingInLog([sam.email, alert.unsubscribe_token, ...words]);
  });
});

async function expectNothingInLog(secrets: readonly string[]): Promise<void> {
  const log = await readFile(join(stack().dataDirectory, 'functions.log'), 'utf8');
  expect(log).toContain('"event":"invitation-mail"');
  for (const secret of secrets) expect(log.includes(secret), `the log holds: ${secret}`).toBe(false);
}
