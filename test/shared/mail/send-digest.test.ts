import { describe, expect, test } from 'vitest';
import { readAlertFrequency, setAlertFrequency, unsubscribe } from '#shared/admin/alerts.ts';
import { authorizeProject } from '#shared/admin/authorize-project.ts';
import { removeMember, setMember } from '#shared/admin/members.ts';
import { linksBelow, mailAddresses } from '#shared/dashboard/links.ts';
import type { AlertFrequency } from '#shared/domain/alert.ts';
import type { AuditEntry } from '#shared/domain/audit-entry.ts';
import { ServiceError } from '#shared/domain/errors.ts';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { AdminCaller, Role } from '#shared/domain/person.ts';
import type { Task } from '#shared/domain/task.ts';
import type { Mail, MailOutcome, SendMail } from '#shared/mail/mail.ts';
import { countNewNeeds, digestMail } from '#shared/mail/send-digest.ts';
import { isMailKey, sendDueMail } from '#shared/mail/send-due-mail.ts';
import { alertKey, getAlert } from '#shared/table/alert.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import { findDue } from '#shared/table/due.ts';
import { createTaskItem } from '#shared/table/task.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedMail } from '../../support/embedded-mail.ts';
import { startEmbeddedTable } from '../../support/embedded-table.ts';
import { forThisFile } from '../../support/lifetime.ts';
import { memberOf, storeProjectOf } from '../../support/project-members.ts';
import { refusal } from '../../support/refusal.ts';
import { sampleResult, sampleTask } from '../../support/sample-tasks.ts';

const [embedded, mail] = await Promise.all([
  forThisFile(startEmbeddedTable()),
  forThisFile(startEmbeddedMail()),
]);

const at = (time: string) => new Date(`2026-03-02T${time}:00.000Z`);
const as = (role: Role): AdminCaller => ({ person: memberOf(role), requestId: 'request-1' });
const answer = { key: 'copay', question: 'The copay?', answer: '40', value: null, quote: 'Forty.', turn: 3 };
const addresses = mailAddresses(linksBelow('https://api.example.test/dev'));

/** A project whose staff has had alerts since three in the afternoon. */
async function newProject(frequency: AlertFrequency = 'hourly', role: Role = 'staff') {
  const { table } = embedded;
  const { id } = await storeProjectOf(table, ['owner', 'staff', 'auditor']);
  const sent: Mail[] = [];
  const outcomes: MailOutcome[] = [];
  /** Responds with these outcomes, and then as the mail service does. */
  const sendMail: SendMail = async (one) => {
    const accepted = await mail.sendMail(one);
    const outcome = outcomes.shift() ?? accepted.outcome;
    if (outcome !== 'not-now') sent.push(one);
    return { ...accepted, outcome };
  };
  const access = () => authorizeProject(table, as(role), id, 'tasks.read');
  const choose = async (next: AlertFrequency, now = at('15:00')) =>
    setAlertFrequency(table, await access(), { frequency: next, timeZone: 'UTC' }, now);
  await choose(frequency);
  const key = alertKey({ project_id: id, email: memberOf(role).email });
  return {
    table,
    id,
    sent,
    outcomes,
    choose,
    key,
    send: (time: string | Date, mailer: SendMail | null = sendMail) =>
      sendDueMail(
        {
          table,
          sendMail: mailer,
          addresses,
          now: () => (typeof time === 'string' ? at(time) : time),
          random: () => 0,
        },
        key,
      ),
    stored: () => getAlert(table, key),
    frequency: async () => readAlertFrequency(table, await access()),
    end: (time: string, changes: Partial<Task>) => {
      const ended = at(time).toISOString();
      const task = sampleTask({ id }, { id: uuidv7(at('14:00').getTime()), updated_at: ended, ...changes });
      return writeTransaction(table, [createTaskItem(table, task)]);
    },
  };
}

/** The audit log of the project's alerts, newest first. */
async function alertEntries(projectId: string): Promise<AuditEntry[]> {
  const { items } = await listAuditEntries(embedded.table, projectId, { limit: 100, before: null });
  return items.filter(({ action }) => action === 'alerts.changed');
}

const failed = { status: 'FAILED' } as const;
const toFollowUp = {
  status: 'COMPLETED',
  result: sampleResult({ goal_reached: false, follow_up: 'Call on Monday.' }),
} as const;
const toReview = {
  status: 'COMPLETED',
  result: sampleResult({ answers: [{ ...answer, needs_review: true }] }),
} as const;

describe('57: a digest', () => {
  test('counts tasks that newly need a person, with links and nothing else', async () => {
    const { id, end, send, sent } = await newProject();
    await end('14:59', failed);
    await end('15:10', failed);
    await end('15:20', { ...toFollowUp, ...failed });
    await end('15:30', toReview);
    await end('15:40', { status: 'COMPLETED', result: sampleResult({ goal_reached: true }) });
    await end('15:45', { status: 'PENDING' });
    await send('16:00');
    const tasks = `https://api.example.test/dev/dashboard/projects/${id}/tasks`;
    expect(sent).toHaveLength(1);
    expect(sent[0]?.to).toBe(memberOf('staff').email);
    expect(sent[0]?.subject).toBe('Voice agent tasks that need attention: 3');
    const lines = sent[0]?.text.split('\n') ?? [];
    expect(lines.slice(0, 10)).toEqual([
      'New since the last digest:',
      '',
      'Need follow-up: 1',
      `${tasks}?needs=follow-up`,
      '',
      'Need review: 1',
      `${tasks}?needs=review`,
      '',
      'Failed: 2',
      `${tasks}?status=FAILED`,
    ]);
    expect(sent[0]?.text).not.toContain('Monday');
    expect(sent[0]?.text).not.toContain('Example Clinic');
  });

  test('includes a task older than the newest thousand', async () => {
    const { id, end, send, sent } = await newProject();
    await end('15:10', { ...failed, id: uuidv7(at('13:00').getTime()) });
    for (let number = 0; number < 1_001; number += 100) {
      await Promise.all(Array.from({ length: 100 }, () => end('14:30', { status: 'COMPLETED' })));
    }
    await send('16:00');
    expect(sent[0]?.subject).toBe('Voice agent tasks that need attention: 1');
    expect(sent[0]?.text).not.toContain('Only the newest');
    // Says so if a project has more than it looks at.
    const period = { after: at('15:00'), until: at('16:00') };
    const needs = await countNewNeeds(embedded.table, id, period, { pages: 2, pageTasks: 10 });
    expect(needs).toMatchObject({ tasks: 0, onlyNewest: 20 });
  });

  test('says if it did not read all tasks', async () => {
    const { stored } = await newProject();
    const alert = await stored();
    if (alert === null) throw new Error('There are alerts');
    const needs = { followUp: 0, review: 0, failed: 3, tasks: 3, onlyNewest: 10_000 };
    expect(digestMail(alert, needs, addresses).text).toContain('Only the newest 10,000 tasks were checked.');
  });

  test('is audited when chosen, changed and turned off, each once', async () => {
    const { id, choose } = await newProject();
    await choose('hourly');
    await choose('daily', at('15:10'));
    await choose('off', at('15:20'));
    expect((await alertEntries(id)).map(({ actor, before, after }) => [actor.kind, before, after])).toEqual([
      ['person', { frequency: 'daily', time_zone: 'UTC' }, { frequency: 'off', time_zone: 'UTC' }],
      ['person', { frequency: 'hourly', time_zone: 'UTC' }, { frequency: 'daily', time_zone: 'UTC' }],
      ['person', { frequency: 'off', time_zone: null }, { frequency: 'hourly', time_zone: 'UTC' }],
    ]);
  });

  test('is sent once per period by any number of workers, and only with news', async () => {
    const { end, send, sent, stored } = await newProject();
    await end('15:10', failed);
    await send('15:30');
    expect(sent).toHaveLength(0);
    await Promise.all([send('16:00'), send('16:00'), send('16:00'), send('16:00')]);
    expect(sent).toHaveLength(1);
    await send('16:30');
    await send('17:00');
    expect(sent).toHaveLength(1);
    expect((await stored())?.due_at).toBe(at('18:00').toISOString());
    await end('17:10', failed);
    await send('18:00');
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Voice agent tasks that need attention: 1',
      'Voice agent tasks that need attention: 1',
    ]);
  });

  test("is one email even if a worker's clock is a second behind", async () => {
    const { end, send, sent, stored } = await newProject();
    await end('15:10', failed);
    await send(new Date(at('16:00').getTime() - 1000));
    expect(sent).toHaveLength(1);
    expect((await stored())?.due_at).toBe(at('17:00').toISOString());
    await end('15:59', failed);
    await send('16:01');
    expect(sent).toHaveLength(1);
  });

  test('defers tasks that ended in the last moment, because lists may lag', async () => {
    const { end, send, sent } = await newProject();
    await end('15:59', failed);
    await send(new Date(at('16:00').getTime() - 1000));
    expect(sent).toHaveLength(0);
    await send('17:00');
    expect(sent).toHaveLength(1);
    await send('18:00');
    expect(sent).toHaveLength(1);
  });

  test('is retried in the same period if the mail service refuses it, and sent once', async () => {
    const { end, send, sent, outcomes } = await newProject();
    await end('15:10', failed);
    outcomes.push('not-now');
    await send('16:00');
    await send('16:01');
    expect(sent).toHaveLength(0);
    await send('16:05');
    await send('16:10');
    expect(sent).toHaveLength(1);
  });

  test.each(['unanswered', 'refused'] as const)(
    'that the mail service has %s is no second mail in its period, and the next one tells what it was to tell',
    async (outcome) => {
      const { end, send, sent, outcomes } = await newProject();
      await end('15:10', failed);
      outcomes.push(outcome);
      await send('16:00');
      await send('16:30');
      expect(sent).toHaveLength(1);
      await send('17:00');
      await send('18:00');
      expect(sent.map(({ subject }) => subject)).toEqual([
        'Voice agent tasks that need attention: 1',
        'Voice agent tasks that need attention: 1',
      ]);
    },
  );

  test('comes in the morning if daily', async () => {
    const { end, send, sent, stored } = await newProject('daily');
    await end('15:10', failed);
    await send('16:00');
    expect(sent).toHaveLength(0);
    await send(new Date('2026-03-03T07:00:00.000Z'));
    expect(sent).toHaveLength(1);
    expect((await stored())?.due_at).toBe('2026-03-04T07:00:00.000Z');
  });

  test('is found by the sweeper when due, by a key without an address', async () => {
    const { table, key } = await newProject();
    const due = async (time: string) => {
      for await (const page of findDue(table, at(time).toISOString())) {
        const found = page.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
        if (found !== undefined) return found;
      }
      return null;
    };
    expect(await due('15:59')).toBeNull();
    const found = await due('16:00');
    expect(found?.type).toBe('alert');
    expect(found !== null && isMailKey(found)).toBe(true);
    expect(JSON.stringify(found)).not.toContain('staff');
  });

  test('is not sent to people who left the project, lost access to tasks, or turned it off', async () => {
    const left = await newProject();
    await left.end('15:10', failed);
    await removeMember(left.table, as('owner'), left.id, memberOf('staff').email);
    await left.send('16:00');
    const barred = await newProject();
    await barred.end('15:10', failed);
    await setMember(barred.table, as('owner'), barred.id, {
      email: memberOf('staff').email,
      role: 'auditor',
    });
    await barred.send('16:00');
    const off = await newProject();
    await off.end('15:10', failed);
    await off.choose('off');
    await off.send('16:00');
    for (const { sent } of [left, barred, off]) expect(sent).toEqual([]);
    for (const { stored } of [barred, off]) {
      expect(await stored()).toMatchObject({ frequency: 'off', due_at: null });
    }
    // Nothing of them remains.
    expect(await left.stored()).toBeNull();
  });

  test('ends with one click on the link in every email, without effect on others', async () => {
    const { table, id, end, send, sent, frequency } = await newProject();
    const others = await newProject('hourly', 'owner');
    await end('15:10', failed);
    await send('16:00');
    const link = /^<(.*)>$/.exec(sent[0]?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
    expect(sent[0]?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(sent[0]?.text).toContain(`Stop these emails:\n${link}`);
    const [, projectId = '', token = ''] =
      /^https:\/\/api\.example\.test\/dev\/dashboard\/unsubscribe\/([^/]+)\/([\w-]{43})$/.exec(link) ?? [];
    expect(projectId).toBe(id);
    const notFound = new ServiceError('not_found', 'Not found');
    const by = { origin: { requestId: 'request-2', sourceIp: '192.0.2.7', reason: null } };
    expect(await refusal(unsubscribe(table, others.id, token, by))).toEqual(notFound);
    expect(await refusal(unsubscribe(table, id, 'another-token', by))).toEqual(notFound);
    expect(await refusal(unsubscribe(table, 'none', token, by))).toEqual(notFound);
    expect(await frequency()).toBe('hourly');
    await unsubscribe(table, id, token, by);
    await unsubscribe(table, id, token, by);
    expect([await frequency(), await others.frequency()]).toEqual(['off', 'hourly']);
    const [ended, ...before] = await alertEntries(id);
    expect(before).toHaveLength(1);
    expect(ended).toMatchObject({
      actor: { kind: 'service' },
      target: { type: 'member', id: memberOf('staff').email },
      before: { frequency: 'hourly' },
      after: { frequency: 'off', by_email_link: true },
      request_id: 'request-2',
      source_ip: '192.0.2.7',
    });
    await end('16:10', failed);
    await send('17:00');
    expect(sent).toHaveLength(1);
  });

  test('is skipped while the deployment sends no email, and the member’s choice stays', async () => {
    const { end, send, sent, frequency, stored } = await newProject();
    await end('15:10', failed);
    await send('16:00', null);
    expect(sent).toEqual([]);
    expect(await frequency()).toBe('hourly');
    expect((await stored())?.due_at).toBe(at('17:00').toISOString());
  });

  test('covers events since it was turned on, and continues if only its frequency changes', async () => {
    const { choose, end, send, sent } = await newProject();
    await end('15:10', failed);
    await choose('off', at('15:20'));
    await choose('hourly', at('15:30'));
    await send('16:00');
    expect(sent).toEqual([]);
    await end('16:10', failed);
    await choose('daily', at('16:20'));
    await send(new Date('2026-03-03T07:00:00.000Z'));
    expect(sent).toHaveLength(1);
  });
});
