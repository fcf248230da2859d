import { describe, expect, test } from 'vitest';
import type { TaskHistory } from '#shared/admin/task-history.ts';
import { linksBelow } from '#shared/dashboard/links.ts';
import { TaskPage } from '#shared/dashboard/pages/task-page.tsx';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { taskCompletedPayload } from '#shared/webhooks/completed-event.ts';
import { newDelivery } from '#shared/webhooks/new-delivery.ts';
import { sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';

const project = sampleProject();
const task = sampleTask(project, { status: 'COMPLETED', updated_at: sampleTime });
const endpoint: WebhookEndpoint = {
  id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
  project_id: project.id,
  url: 'https://hooks.example.com/one',
  description: '',
  events: ['task.completed'],
  signing_secrets: [],
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: sampleTime,
  updated_at: sampleTime,
};
const delivery = newDelivery(endpoint, taskCompletedPayload(task), new Date(sampleTime));
const delivered = { endpoint, delivery: { ...delivery, status: 'delivered' as const } };

/** Whether the page of the task keeps itself up to date so many seconds after the task's end. */
function isLive(changes: Partial<TaskHistory>, seconds: number): boolean {
  const history = {
    task,
    patient: null,
    calls: [],
    hasMoreCalls: false,
    deliveries: [],
    lacksDelivery: false,
    version: 'one',
    ...changes,
  };
  const view = {
    links: linksBelow('https://api.example.test'),
    session: {
      person: { subject: 's', email: 'owner@clinic.example.com', name: null },
      formToken: 'token',
    },
    timeZone: 'UTC',
    project,
    role: 'viewer' as const,
  };
  const now = new Date(Date.parse(sampleTime) + seconds * 1000);
  return String(TaskPage({ view, history, done: undefined, now })).includes('data-live=');
}

describe('the page of a task that is over', () => {
  test('keeps itself up to date until each endpoint that wants to be told has been', () => {
    expect(isLive({ deliveries: [delivered], lacksDelivery: true }, 5)).toBe(true);
    expect(isLive({ deliveries: [delivered, { endpoint, delivery }] }, 5)).toBe(true);
    expect(isLive({ deliveries: [delivered, delivered] }, 5)).toBe(false);
  });

  test('waits a minute for a delivery that is not there, as for an endpoint that came later', () => {
    expect(isLive({ lacksDelivery: true }, 59)).toBe(true);
    expect(isLive({ lacksDelivery: true }, 61)).toBe(false);
  });

  test('asks for nothing more where nobody is to be told', () => {
    expect(isLive({}, 1)).toBe(false);
  });
});
