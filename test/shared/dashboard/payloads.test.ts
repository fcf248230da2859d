import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '#shared/domain/person.ts';
import { createPatient } from '#shared/patients/create-patient.ts';
import type { Table } from '#shared/table/client.ts';
import { createTask } from '#shared/tasks/create-task.ts';
import { type EmbeddedDashboard, startEmbeddedDashboard } from '../../support/dashboard-pages.ts';

let dashboard: EmbeddedDashboard;
let table: Table;
let pages: EmbeddedDashboard['pages'];
beforeAll(async () => {
  dashboard = await startEmbeddedDashboard();
  ({ table, pages } = dashboard);
});
afterAll(() => dashboard.stop());

const owner: Person = { subject: 'owner', email: 'owner@clinic.example.com', name: null };

/** What a page must show as text. Each is found again by its number, in whatever way it was escaped. */
const payloads = [
  '<script>alert(7001)</script>',
  '"><img src=x onerror=alert(7002)>',
  "' autofocus onfocus='alert(7003)",
  '</textarea></title><svg/onload=alert(7004)>',
  'javascript:alert(7005)',
  '{{7006*7006}}#{7006*7006}<%= 7006*7006 %>',
  "Robert'); DROP TABLE patients;-- 7007",
  '<!--7008--><iframe srcdoc="&lt;script&gt;">',
];

/** Elements that only a payload could have made, addresses that are code, and templates that were filled in. */
const markup = [
  /<(?:img src=x|iframe|svg\/)/i,
  /<script>|<script [^>]*alert/i,
  /(?:href|src|action|formaction)="?javascript:/i,
  /49084036/,
];
const handlerAttribute = /<[^>]*\son\w+\s*=/i;

function expectHarmless({ statusCode, body }: APIGatewayProxyResult, shown: string): void {
  expect(statusCode).toBeLessThan(500);
  expect(body).toContain(shown);
  for (const pattern of markup) expect(pattern.exec(body)?.[0], shown).toBeUndefined();
  // What stands in quotes is the value of an attribute, whatever it looks like.
  expect(handlerAttribute.exec(body.replaceAll(/="[^"]*"/g, '='))?.[0], shown).toBeUndefined();
}

/** The page at an address, or where that leads. */
async function read(address: string): Promise<APIGatewayProxyResult> {
  const page = await pages.ask(owner, address);
  const { location } = page.headers ?? {};
  return location === undefined ? page : pages.ask(owner, String(location));
}

describe.each(payloads)('50: the text %s', (payload) => {
  const mark = /700\d/.exec(payload)?.[0] ?? '';

  test('is text on every page that shows it, and unchanged in the table', async () => {
    const { links } = pages;
    const form = { form_key: randomUUID(), name: payload, carrier: 'sandbox' };
    const created = await pages.ask(owner, links.newProject, form);
    const projectId = /projects\/([0-9a-f-]{36})/.exec(String(created.headers?.location))?.[1] ?? '';
    const patient = await createPatient(table, {
      projectId,
      newPatient: {
        project_id: projectId,
        first_name: payload,
        last_name: payload,
        phone_number: '+12025550142',
        date_of_birth: '1980-02-29',
      },
    });
    expect(patient.first_name).toBe(payload);
    const task = await createTask(table, {
      projectId,
      newTask: {
        project_id: projectId,
        patient_id: patient.id,
        task_type: 'CUSTOM_TASK',
        task: payload,
        phone_number: '+12025550113',
        task_data: { additional_context: payload, [payload]: [payload] },
      },
    });
    for (const address of [
      links.home,
      links.project(projectId),
      links.general(projectId),
      links.patients(projectId),
      links.patient(projectId, patient.id),
      links.tasks(projectId),
      links.task(projectId, task.id),
      links.newTask(projectId, { type: 'CUSTOM_TASK', like: task.id }),
    ]) {
      expectHarmless(await read(address), mark);
    }
  });

  test('is text in a returned form', async () => {
    const { links } = pages;
    const project = { form_key: randomUUID(), name: 'Clinic', carrier: 'sandbox' };
    const wrong = await pages.ask(owner, links.newProject, { ...project, caller_number: payload });
    expectHarmless(wrong, mark);
    const created = await pages.ask(owner, links.newProject, project);
    const projectId = /projects\/([0-9a-f-]{36})/.exec(String(created.headers?.location))?.[1] ?? '';
    const typed = { form_key: randomUUID(), first_name: payload, last_name: payload, phone_number: payload };
    expectHarmless(await pages.ask(owner, links.newPatient(projectId), typed), mark);
    expectHarmless(
      await pages.ask(owner, links.webhooks(projectId), { form_key: randomUUID(), url: payload }),
      mark,
    );
  });
});
