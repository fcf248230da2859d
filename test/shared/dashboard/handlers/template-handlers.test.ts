import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#shared/domain/person.ts';
import type { Project } from '#shared/domain/project.ts';
import { listAuditEntries } from '#shared/table/audit-log.ts';
import type { Table } from '#shared/table/client.ts';
import { listQuestionTemplates } from '#shared/table/question-template.ts';
import {
  type DashboardPages,
  type EmbeddedDashboard,
  startEmbeddedDashboard,
} from '../../../support/dashboard-pages.ts';
import { memberOf, storeProjectOf } from '../../../support/project-members.ts';
import { sampleTime } from '../../../support/sample-tasks.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: DashboardPages;
let project: Project;
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());
beforeEach(async () => {
  project = await storeProjectOf(table, ['owner', 'staff', 'viewer']);
});

const ask = (to: string, form?: Record<string, string | string[]>, role: Role = 'owner') =>
  pages.ask(memberOf(role), to, form);
const list = () => pages.links.templates(project.id);
const stored = () => listQuestionTemplates(table, project.id);

const send = (changes: Record<string, string>) =>
  ask(pages.links.newTask(project.id), {
    form_key: randomUUID(),
    task_type: 'CUSTOM_TASK',
    'task_data.questions_to_ask.0.question': 'When do you open?',
    ...changes,
  });

describe('the templates of questions', () => {
  test('are also added, changed and removed by staff, and the audit log omits the questions', async () => {
    const added = await ask(list(), { name: 'MRI', questions: 'Is it covered?\r\n\r\n Referral? ' }, 'staff');
    expect(added.headers?.location).toBe(`${list()}?done=template-saved`);
    const [template] = await stored();
    expect(template).toMatchObject({ name: 'MRI', questions: ['Is it covered?', 'Referral?'] });
    const address = pages.links.templates(project.id, `/${template?.id}`);
    expect((await ask(address)).body).toContain('Is it covered?\nReferral?');
    const read_at = template?.updated_at ?? '';
    await ask(address, { name: 'MRI of the knee', questions: 'Is it covered?', read_at });
    expect(await stored()).toMatchObject([{ name: 'MRI of the knee', questions: ['Is it covered?'] }]);
    await ask(`${address}/remove`, {});
    expect(await stored()).toEqual([]);
    const { items } = await listAuditEntries(table, project.id, { limit: 10, before: null });
    expect(items.map(({ action }) => action.split('.')[1])).toEqual(['removed', 'saved', 'saved']);
    expect(JSON.stringify(items)).not.toContain('covered');
  });

  test("are refused without a name or a question, with a duplicate name, or after others' changes", async () => {
    const empty = await ask(list(), { name: '', questions: ' ' });
    expect(empty.statusCode).toBe(400);
    for (const field of ['name', 'questions']) expect(empty.body).toContain(`id="${field}-error"`);
    await ask(list(), { name: 'MRI', questions: 'Is it covered?' });
    const taken = await ask(list(), { name: 'mri', questions: 'Typed with care' });
    expect(taken.body).toContain('A template with this name already exists');
    expect(taken.body).toContain('Typed with care');
    const [template] = await stored();
    const address = pages.links.templates(project.id, `/${template?.id}`);
    const stale = await ask(address, { name: 'MRI', questions: 'Mine', read_at: sampleTime });
    expect(stale.body).toContain('Someone changed this template');
    expect(stale.body).toContain('Mine');
    expect(await stored()).toEqual([template]);
  });

  test('are visible to viewers, who cannot change them', async () => {
    await ask(list(), { name: 'MRI', questions: 'Is it covered?' });
    const { body } = await ask(list(), undefined, 'viewer');
    expect(body).toContain('Is it covered?');
    expect(body).not.toMatch(/Add template|Remove/);
    expect((await ask(list(), { name: 'CT', questions: 'Is it?' }, 'viewer')).statusCode).toBe(403);
    const [template] = await stored();
    const address = pages.links.templates(project.id, `/${template?.id}`);
    expect((await ask(`${address}/remove`, {}, 'viewer')).statusCode).toBe(403);
    expect(await stored()).toHaveLength(1);
  });

  test("are created in a new task, which adds a template's questions to its own", async () => {
    const named = { template_name: 'Opening hours', 'task_data.questions_to_ask.1.question': 'On Sundays?' };
    const saved = await send({ ...named, intent: 'enter', phone_number: '' });
    expect(saved.statusCode).toBe(200);
    expect(saved.body).toContain('You can choose “Opening hours” in new tasks now.');
    const [template, ...others] = await stored();
    expect(others).toEqual([]);
    expect(template).toMatchObject({
      name: 'Opening hours',
      questions: ['When do you open?', 'On Sundays?'],
    });

    const again = await send({ ...named, intent: 'save-template' });
    expect([again.statusCode, again.body.includes('A template with this name already exists')]).toEqual([
      400,
      true,
    ]);
    expect(again.body).toContain('value="Opening hours"');
    const used = await send({
      intent: 'use-template',
      template: template?.id ?? '',
      'task_data.questions_to_ask.0.question': 'On Sundays?',
      'task_data.questions_to_ask.0.answer': 'Closed',
    });
    for (const [position, question] of ['On Sundays?', 'When do you open?'].entries()) {
      expect(used.body).toMatch(
        new RegExp(
          `name="task_data.questions_to_ask.${position}.question"[^>]*value="${question.replace('?', '[?]')}"`,
        ),
      );
    }
    expect(used.body).toContain('value="Closed"');
    expect((await send({ intent: 'use-template', template: '' })).body).toContain('Choose a template');
  });

  test('fill a task up to its limit of questions, which both the template and the list name', async () => {
    const questions = Array.from({ length: 50 }, (_, at) => `Is room ${at} free?`).join('\n');
    await ask(list(), { name: 'Rooms', questions });
    const [template] = await stored();
    const typed = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `task_data.questions_to_ask.${at}.question`,
          `Question ${at}?`,
        ]),
      );
    const use = { intent: 'use-template', template: template?.id ?? '' };
    expect((await send({ ...typed(50), ...use })).statusCode).toBe(200);
    const refused = await send({ ...typed(51), ...use });
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain(
      'A task can have up to 100 questions; with this template it would have 101',
    );
    expect(refused.body).not.toContain('Is room 0 free?');
    const { statusCode, body } = await send(typed(103));
    expect(statusCode).toBe(400);
    expect(body).toContain(
      '<a href="#task_data.questions_to_ask.0.question">Questions to ask: keep up to 100; remove 3</a>',
    );
    expect(body).not.toContain('Further data does not fit');
  });
});
