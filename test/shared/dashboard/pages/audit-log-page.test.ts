import { describe, expect, test } from 'vitest';
import { linksBelow } from '#shared/dashboard/links.ts';
import { AuditLogPage } from '#shared/dashboard/pages/audit-log-page.tsx';
import { PatientAccessPage } from '#shared/dashboard/pages/patient-access-page.tsx';
import type { Role } from '#shared/domain/person.ts';
import { sampleProject, sampleTime } from '../../../support/sample-tasks.ts';

const project = sampleProject();
const links = linksBelow('https://api.example.test');
const patientId = '01a1fc97-58bc-708f-8a0c-7cb537214c81';
const who = links.patient(project.id, patientId, '/access-log');
/** Of a patient who is there no more, so that no page of the patient leads on. */
const erased = {
  id: '01a1fc97-58bc-708f-8a0c-7cb537214c82',
  at: sampleTime,
  actor: { kind: 'service' as const },
  action: 'task.erased' as const,
  target: { type: 'task', id: '01a1fc97-58bc-708f-8a0c-7cb537214c83' },
  before: null,
  after: { requested_by: 'client', calls: 1 },
  request_id: null,
  patient_ids: [patientId],
  source_ip: null,
  reason: null,
};

const keyId = '01a1fc97-58bc-708f-8a0c-7cb537214c84';
const keyNames = new Map([[keyId, 'Scheduling server']]);

const viewOf = (role: Role) => ({
  links,
  session: {
    person: { subject: 's', email: `${role}@clinic.example.com`, name: null },
    id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
    formToken: 'token',
    secondsLeft: 900,
  },
  timeZone: 'UTC',
  project,
  role,
  sendsMail: false,
});

describe('an entry of the audit log', () => {
  test.each([
    ['owner', true],
    ['manager', true],
    ['auditor', true],
    ['viewer', false],
  ] as const)('leads the %s to who saw the patient: %s', (role, isLed) => {
    const page = String(
      AuditLogPage({ view: viewOf(role), entries: [erased], keyNames, kind: null, next: null }),
    );
    expect(page).toContain('Erased a task');
    expect(page.includes(`href="${who}"`)).toBe(isLed);
  });
});

test('links a call to its task', () => {
  const taskId = '01a1fc97-58bc-708f-8a0c-7cb537214c85';
  const started = {
    ...erased,
    action: 'call.claimed' as const,
    target: { type: 'call', id: '01a1fc97-58bc-708f-8a0c-7cb537214c86' },
    after: { task_id: taskId },
  };
  const page = String(
    AuditLogPage({ view: viewOf('owner'), entries: [started], keyNames, kind: null, next: null }),
  );
  expect(page).toContain(`<a href="${links.task(project.id, taskId)}">Started a call</a>`);
});

test('names a client by its key’s name, or by the ID of a deleted key', () => {
  const by = (id: string) => {
    const entry = { ...erased, actor: { kind: 'api-key' as const, id } };
    return String(
      AuditLogPage({ view: viewOf('owner'), entries: [entry], keyNames, kind: null, next: null }),
    );
  };
  expect(by(keyId)).toContain('API key Scheduling server');
  expect(by(patientId)).toContain(`API key ${patientId}`);
});

describe('the page with the access to a patient', () => {
  const pageFor = (role: Role): string =>
    String(PatientAccessPage({ view: viewOf(role), patientId, entries: [erased], keyNames, next: null }));

  test('links auditors, who see no patients, back to the audit log', () => {
    expect(pageFor('auditor')).not.toContain(`href="${links.patients(project.id)}"`);
    expect(pageFor('auditor')).toContain(`<a href="${links.auditLog(project.id)}" aria-current="true">`);
    expect(pageFor('owner')).toContain(`<a href="${links.patients(project.id)}" aria-current="true">`);
  });

  test('does not link to itself', () => {
    expect(pageFor('owner')).not.toContain(`href="${who}"`);
  });
});
