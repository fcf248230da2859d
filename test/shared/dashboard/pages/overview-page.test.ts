import { describe, expect, test } from 'vitest';
import type { OverviewDays, ProjectOverview } from '#shared/admin/project-overview.ts';
import { summarize } from '#shared/admin/project-summary.ts';
import { linksBelow } from '#shared/dashboard/links.ts';
import { OverviewPage } from '#shared/dashboard/pages/overview-page.tsx';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import type { Role } from '#shared/domain/person.ts';
import type { Task } from '#shared/domain/task.ts';
import { type CallProgress, TaskProgress } from '#shared/table/progress-list.ts';
import {
  sampleCall,
  sampleProject,
  sampleResult,
  sampleTask,
  sampleTime,
} from '../../../support/sample-tasks.ts';

const period = {
  from: new Date('2026-03-01T00:00:00.000Z'),
  to: new Date('2026-03-08T00:00:00.000Z'),
  timeZone: 'America/Chicago',
};
const project = sampleProject();
const since = { onlySince: '2026-03-02T15:00:00.000Z' };

/** What the page tells, without its markup. */
function textOf(...page: Parameters<typeof mainOf>): string {
  return mainOf(...page)
    .replace(/<span class="unseen">.*?<\/span>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\s\u00a0]+/g, ' ');
}

function mainOf(
  tasks: readonly Task[],
  calls: readonly CallProgress[],
  changes: Partial<ProjectOverview> = {},
  days: OverviewDays = 7,
  role: Role = 'owner',
): string {
  const overview = {
    from: period.from,
    fromDay: '2026-03-01',
    hasTasks: true,
    summary: summarize(
      tasks.map((task) => TaskProgress.parse(task)),
      calls,
      period,
    ),
    tasks: { onlySince: null },
    calls: { onlySince: null },
    ...changes,
  };
  const view = {
    links: linksBelow('https://api.example.test'),
    session: {
      person: { subject: 's', email: 'owner@clinic.example.com', name: null },
      id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
      formToken: 'token',
      secondsLeft: 900,
    },
    timeZone: period.timeZone,
    project,
    role,
    sendsMail: false,
  };
  const page = String(OverviewPage({ view, overview, days, version: null, done: undefined }));
  return page.replace(/^.*<main/s, '');
}

describe('the overview', () => {
  test('shows text instead of empty charts', () => {
    const text = textOf([], []);
    for (const sentence of [
      'No tasks were created in the last 7 days.',
      'No calls were made in the last 7 days.',
      'No tasks created in the last 7 days are completed yet.',
      'No calls to count in the last 7 days yet.',
    ]) {
      expect(text).toContain(sentence);
    }
    expect(text).not.toContain('View as table');
    expect(textOf([], [sampleCall(sampleTask(project))])).toContain(
      'No calls in the last 7 days have ended yet. 1 call is in progress and not counted yet.',
    );
  });

  test('also covers today, with every call of a busy clinic', () => {
    const text = textOf([sampleTask(project)], [], {}, 1);
    for (const sentence of [
      'Tasks created and calls made today, Mar 1, 2026 .',
      '1 task created today.',
      'No calls were made today.',
      'No tasks created today are completed yet.',
    ]) {
      expect(text).toContain(sentence);
    }
  });

  test('says how many of the newest are counted, and since when, if it omits older ones', () => {
    const tasks = [sampleTask(project), sampleTask(project)];
    const calls = tasks.map((task) => sampleCall(task));
    expect(textOf(tasks, calls)).not.toContain('Only the newest');
    expect(textOf(tasks, calls, { tasks: since, calls: since })).toContain(
      'Only the newest 2 tasks are counted, since Mar 2, 2026, 9:00 AM CST . ' +
        'Only the newest 2 calls are counted, since Mar 2, 2026, 9:00 AM CST .',
    );
    expect(textOf(tasks, calls, { tasks: since })).toContain(
      '2 tasks created in the counted part of the last 7 days.',
    );
  });

  test('shows step by step what finished tasks achieved, so answered calls do not count as goals', () => {
    const spoken = sampleResult({ goal_reached: false });
    const text = textOf(
      [
        sampleTask(project, { status: 'COMPLETED', result: sampleResult({ goal_reached: true }) }),
        sampleTask(project, { status: 'FAILED', result: spoken }),
        sampleTask(project, { status: 'FAILED', result: sampleResult({ ending: 'voicemail' }) }),
        sampleTask(project, { status: 'FAILED', task_type: 'REIMBURSEMENT' }),
        sampleTask(project, { status: 'CANCELLED', result: spoken }),
      ],
      [
        sampleCall(sampleTask(project), {
          status: 'FAILED',
          carrier_progress: 'completed',
          talk_seconds: 150,
          hold_seconds: 20,
        }),
      ],
    );
    expect(text).toContain('Finished 4 Completed or failed Reached a person 50% 2 of 4 finished tasks');
    expect(text).toContain('Goal reached 25% 1 of 4 finished tasks');
    expect(text).toContain('Minutes on the phone 3 under 1 of them on hold');
    expect(text).toContain('Ask a list of questions 4 3 2 (67%) 1 (33%)');
    expect(text).toContain('Follow up on a claim 1 1 0 (0%) 0 (0%)');
    expect(text).toContain('An answered call does not always complete its task.');
  });

  test('separates the reasons tasks wait for', () => {
    const text = textOf(
      [
        sampleTask(project, { status: 'IN_PROGRESS', current_call_id: uuidv7() }),
        sampleTask(project, { status: 'IN_PROGRESS' }),
        sampleTask(project, { waiting_for_line_since: sampleTime }),
        sampleTask(project),
      ],
      [],
    );
    expect(text).toContain('1 on the phone, 1 waiting for their next call');
    expect(text).toContain('1 waiting for a slot, 1 waiting for their first call');
  });

  test('shows the calls behind the answer rate, and those not counted yet', () => {
    const task = sampleTask(project);
    const text = textOf(
      [task],
      [
        sampleCall(task, { status: 'SUCCESS', carrier_progress: 'completed' }),
        sampleCall(task, { status: 'BUSY', carrier_progress: 'busy' }),
        sampleCall(task, { status: 'NO_ANSWER', carrier_progress: 'no_answer' }),
        sampleCall(task),
      ],
    );
    expect(text).toContain('33% 1 of 3 calls');
    expect(text).toContain('1 call is in progress and not counted yet.');
  });
});

test('the first steps remain available once there are tasks', () => {
  const text = textOf([sampleTask(project, {})], []);
  expect(text).toContain('First steps');
  expect(text).toContain('Add a webhook');
});

test('leads nowhere that the role may not go', () => {
  const tasks = [sampleTask(project, { status: 'COMPLETED' })];
  const linksFor = (role: Role): string[] => mainOf(tasks, [], {}, 7, role).match(/(?<=href=")[^"]*/g) ?? [];
  const leadsTo = (role: Role, section: string) =>
    linksFor(role).some((link) => link.includes(`/${section}`));
  expect([leadsTo('viewer', 'tasks'), leadsTo('auditor', 'tasks')]).toEqual([true, false]);
  expect(mainOf(tasks, [], {}, 7, 'auditor')).not.toContain('show the tasks');
  for (const section of ['api-keys', 'webhooks']) {
    expect([leadsTo('manager', section), leadsTo('staff', section)]).toEqual([true, false]);
  }
});
