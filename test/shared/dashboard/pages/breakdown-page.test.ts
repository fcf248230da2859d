import { expect, test } from 'vitest';
import { linksBelow } from '#shared/dashboard/links.ts';
import { BreakdownPage } from '#shared/dashboard/pages/breakdown-page.tsx';
import type { Role } from '#shared/domain/person.ts';
import { sampleProject } from '../../../support/sample-tasks.ts';

const figures = {
  created: 2,
  finished: 1,
  reachedPerson: 1,
  goalReached: 1,
  medianMs: null,
  calls: 1,
  talkSeconds: 60,
  holdSeconds: 10,
  cost: 0,
};
const whole = { onlySince: null };

function pageFor(role: Role): string {
  const view = {
    links: linksBelow('https://api.example.test'),
    session: {
      person: { subject: 's', email: 'auditor@clinic.example.com', name: null },
      id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
      formToken: 'token',
      secondsLeft: 900,
    },
    timeZone: 'UTC',
    project: sampleProject(),
    role,
    sendsMail: false,
  };
  const breakdown = {
    from: new Date('2026-03-01T00:00:00.000Z'),
    fromDay: '2026-03-01',
    rows: [{ key: '2026-03-02', name: null, taskId: null, ...figures }],
    total: figures,
    tasks: whole,
    calls: whole,
  };
  return String(BreakdownPage({ view, breakdown, by: 'day', days: 7 }));
}

test('rows lead to their tasks for roles that may read them', () => {
  expect(pageFor('viewer')).toContain('>Mar 2, 2026</a>');
  expect(pageFor('auditor')).not.toContain('>Mar 2, 2026</a>');
  expect(pageFor('auditor')).toContain('Mar 2, 2026');
});
