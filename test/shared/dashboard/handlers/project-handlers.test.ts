import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toSettingsForm } from '#shared/dashboard/forms/settings-form.ts';
import type { Person } from '#shared/domain/person.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { listMemberships } from '#shared/table/member.ts';
import { getProject } from '#shared/table/project.ts';
import { FactTopic } from '#shared/voice-agent/call-plan/call-plan.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../../support/dashboard-pages.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());

function newPerson(): Person {
  const subject = randomUUID();
  return { subject, email: `${subject}@clinic.example.com`, name: null };
}

async function projectsOf({ email }: Person): Promise<string[]> {
  return (await listMemberships(table, email)).map(({ project_id }) => project_id);
}

async function ownedProject(person: Person = newPerson()): Promise<{ person: Person; projectId: string }> {
  const form = { form_key: randomUUID(), name: 'Harbor Street Clinic', carrier: 'sandbox' };
  await pages.ask(person, pages.links.newProject, form);
  const [projectId = ''] = (await projectsOf(person)).toSorted().reverse();
  return { person, projectId };
}
async function settingsOf(projectId: string): Promise<Record<string, string | readonly string[]>> {
  const project = await getProject(table, projectId, { consistently: true });
  if (project === null) throw new Error('there is no project');
  return { ...toSettingsForm(project) };
}

describe('the settings of the voice agent', () => {
  test('are saved with the others, audited and shown again', async () => {
    const { person, projectId } = await ownedProject();
    const saved = await pages.ask(person, pages.links.general(projectId), {
      ...(await settingsOf(projectId)),
      agent_name: 'Sam',
      organization_name: 'Example <Care>',
      npi: '1234567893',
      disclosure_deny: 'Member ID',
      language_model: 'built-in',
      speech_hints: 'Dr. Okafor\r\nLipitor\r\n',
    });
    expect(saved.headers?.location).toBe(`${pages.links.general(projectId)}?done=settings-saved`);
    const agent = {
      agent_name: 'Sam',
      organization_name: 'Example <Care>',
      npi: '1234567893',
      disclosure: { allow: [], deny: ['member-id'] },
      language_model: 'built-in',
      speech_hints: ['Dr. Okafor', 'Lipitor'],
    };
    expect(await getProject(table, projectId)).toMatchObject({ agent });
    const { items } = await listAuditEntries(table, projectId, { limit: 1, before: null });
    expect(items).toMatchObject([
      { action: 'project.changed', before: { agent: { agent_name: null } }, after: { agent } },
    ]);
    const { body } = await pages.ask(person, pages.links.general(projectId));
    expect(body).toContain('value="Example &lt;Care&gt;"');
    for (const name of FactTopic.options) expect(body).toContain(name);
    expect(body).toContain('value="1234567893"');
    expect(body).toMatch(/value="built-in" checked/);
  });

  test('offer known voices, and the one that the management API has set', async () => {
    const { person, projectId } = await ownedProject();
    const address = pages.links.general(projectId);
    expect((await pages.ask(person, address)).body).toContain('<option value="Matthew-Neural">');
    const settings = await settingsOf(projectId);
    await pages.ask(person, address, { ...settings, voice: 'Ayanda-Neural' });
    const { body } = await pages.ask(person, address);
    expect(body).toMatch(/<option value="Ayanda-Neural" selected[^>]*>Ayanda-Neural</);
  });

  test('are refused at their fields, with the typed values', async () => {
    const { person, projectId } = await ownedProject();
    const { statusCode, body } = await pages.ask(person, pages.links.general(projectId), {
      ...(await settingsOf(projectId)),
      npi: '1234567890',
      disclosure_allow: 'shoe-size',
    });
    expect(statusCode).toBe(400);
    expect(body).toContain('id="npi-error"');
    expect(body).toContain('id="disclosure_allow-error"');
    expect(body).toContain('value="1234567890"');
    expect((await getProject(table, projectId))?.agent.npi).toBeNull();
  });
});

describe('settings changed by another person meanwhile', () => {
  test('are shown before they are replaced', async () => {
    const { person, projectId } = await ownedProject();
    const form = await settingsOf(projectId);
    const read_at = (await getProject(table, projectId))?.updated_at ?? '';
    const save = (changes: Readonly<Record<string, string>>) =>
      pages.ask(person, pages.links.general(projectId), { ...form, read_at, ...changes });
    expect((await save({ name: 'Saved first', voicemail: 'hang-up' })).statusCode).toBe(303);
    const refused = await save({ name: 'Saved second' });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('The settings were changed since this page was opened');
    expect(refused.body).toContain('Now saved: Saved first. Save again to replace it');
    expect(refused.body).toContain('Now saved: No message; the agent hangs up. Save again to replace it');
    expect(refused.body).toContain('value="Saved second"');
    expect((await getProject(table, projectId))?.name).toBe('Saved first');
    const newer = /name="read_at" value="([^"]+)"/.exec(refused.body)?.[1] ?? '';
    expect((await save({ name: 'Saved second', read_at: newer })).statusCode).toBe(303);
    expect((await getProject(table, projectId))?.name).toBe('Saved second');
  });

  test('stay as they are where the person changed nothing, and have their names where both did', async () => {
    const { person, projectId } = await ownedProject();
    const form = await settingsOf(projectId);
    const { body } = await pages.ask(person, pages.links.general(projectId));
    const opened = (/name="opened" value="([^"]+)"/.exec(body)?.[1] ?? '').replaceAll('&quot;', '"');
    const save = (changes: Readonly<Record<string, string>>) =>
      pages.ask(person, pages.links.general(projectId), { ...form, opened, ...changes });
    const holds = (minutes: string) => ({
      max_hold_minutes: minutes,
      shared_line_max_hold_minutes: minutes,
    });
    expect((await save({ ...holds('10'), voicemail: 'hang-up' })).statusCode).toBe(303);
    const refused = await save({ ...holds('12'), name: 'Harbor Street' });
    expect(refused.body).toContain('Maximum hold time. Now saved: 10. Save again to replace it');
    expect(refused.body).toContain('Maximum hold time on shared lines. Now saved: 10. Save again');
    // Each in the summary and at its field.
    expect(refused.body.match(/Now saved/g)).toHaveLength(4);
    expect(refused.body).toContain('value="Harbor Street"');
    expect(refused.body).toMatch(/value="hang-up" checked/);
  });
});

describe('a new key', () => {
  test('is shown on one page only, and a reload creates none', async () => {
    const { person, projectId } = await ownedProject();
    const address = pages.links.apiKeys(projectId);
    const made = await pages.ask(person, address, { name: 'Scheduling server', lifetime_days: '' });
    expect([made.statusCode, made.headers?.location]).toEqual([303, address]);
    const cookie = String(made.headers?.['set-cookie']);
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).not.toMatch(/vat_test_/);
    const shown = await pages.ask(person, address, undefined, cookie.split(';')[0]);
    expect(shown.body).toMatch(/vat_test_\w{40,}/);
    const taken = String(shown.headers?.['set-cookie']);
    expect(taken).toMatch(/^vat_new_key=;.*Max-Age=0/);
    // A browser forgets a cookie only by the path that it was set with.
    const pathOf = (text: string) => /Path=([^;]+)/.exec(text)?.[1];
    expect(pathOf(taken)).toBe(pathOf(cookie));
    expect((await pages.ask(person, address)).body).not.toMatch(/vat_test_\w{40,}/);
    // Nor on the page of another project that the same person opens first.
    const other = pages.links.apiKeys((await ownedProject(person)).projectId);
    expect((await pages.ask(person, other, undefined, cookie.split(';')[0])).body).not.toMatch(
      /vat_test_\w{40,}/,
    );
  });
});

describe('the form of a new project', () => {
  const newForm = () => ({ form_key: randomUUID(), name: 'Harbor Street Clinic', carrier: 'sandbox' });
  const send = (person: Person, form: Readonly<Record<string, string>>) =>
    pages.ask(person, pages.links.newProject, form);

  test('creates one project, however often and concurrently it is sent', async () => {
    const [person, form] = [newPerson(), newForm()];
    const answers = await Promise.all([send(person, form), send(person, form)]);
    answers.push(await send(person, form));
    const [projectId, ...others] = await projectsOf(person);
    expect(others).toEqual([]);
    for (const { headers } of answers) {
      expect(headers?.location).toBe(`${pages.links.project(String(projectId))}?done=project-created`);
    }
  });

  test('creates one project for each person who sends it', async () => {
    const [one, other, form] = [newPerson(), newPerson(), newForm()];
    for (const person of [one, other]) expect((await send(person, form)).statusCode).toBe(303);
    expect(await projectsOf(one)).not.toEqual(await projectsOf(other));
  });

  test('asks before it creates a second project after a change', async () => {
    const [person, form] = [newPerson(), newForm()];
    await send(person, form);
    const { statusCode, body } = await send(person, { ...form, name: 'Riverside Family Clinic' });
    expect(statusCode).toBe(400);
    expect(body).toContain('This form was already sent');
    expect(body).toContain('value="Riverside Family Clinic"');
    expect(await projectsOf(person)).toHaveLength(1);
  });
});

test('the project list leads to the same section of another project', async () => {
  const { person, projectId } = await ownedProject();
  const patients = await pages.ask(person, pages.links.patients(projectId));
  const address = `${pages.links.home}?section=Patients`;
  expect(patients.body).toContain(`href="${address}"`);
  expect((await pages.ask(person, address)).body).toContain(`href="${pages.links.patients(projectId)}"`);
  const nowhere = await pages.ask(person, `${pages.links.home}?section=Elsewhere`);
  expect(nowhere.body).toContain(`href="${pages.links.project(projectId)}"`);
});
