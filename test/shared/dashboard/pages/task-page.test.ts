import { describe, expect, test } from 'vitest';
import type { TaskHistory } from '#shared/admin/task-history.ts';
import { linksBelow } from '#shared/dashboard/links.ts';
import { TaskPage } from '#shared/dashboard/pages/task-page.tsx';
import type { Call } from '#shared/domain/call.ts';
import type { CallEnding } from '#shared/domain/call-result.ts';
import { type FollowUp, newFollowUp } from '#shared/domain/follow-up.ts';
import type { Role } from '#shared/domain/person.ts';
import type { WebhookEndpoint } from '#shared/domain/webhook.ts';
import { taskEnd } from '#shared/webhooks/events.ts';
import { newDelivery } from '#shared/webhooks/new-delivery.ts';
import {
  sampleCall,
  sampleProject,
  sampleResult,
  sampleTask,
  sampleTime,
} from '../../../support/sample-tasks.ts';

const project = sampleProject();
const task = sampleTask(project, { status: 'COMPLETED', updated_at: sampleTime });
const endpoint: WebhookEndpoint = {
  id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
  project_id: project.id,
  url: 'https://hooks.example.com/one',
  description: '',
  events: ['task.completed'],
  payload: 'minimal',
  signing_secrets: [],
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: sampleTime,
  updated_at: sampleTime,
};
const delivery = newDelivery(endpoint, taskEnd(task, 'task.completed'), new Date(sampleTime));
const delivered = { endpoint, delivery: { ...delivery, status: 'delivered' as const } };

/** The page of the task so many seconds after its end. */
function pageOf(changes: Partial<TaskHistory>, seconds = 5, role: Role = 'viewer'): string {
  const history = {
    task,
    patient: null,
    isOptedOut: false,
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
      id: '01a1fc97-58bc-708f-8a0c-7cb537214c80',
      formToken: 'token',
      secondsLeft: 900,
    },
    timeZone: 'UTC',
    project,
    role,
    sendsMail: false,
  };
  const now = new Date(Date.parse(sampleTime) + seconds * 1000);
  return String(TaskPage({ view, history, done: undefined, now, formKey: 'key' }));
}

/** Whether it keeps itself up to date. */
function isLive(changes: Partial<TaskHistory>, seconds: number): boolean {
  return pageOf(changes, seconds).includes('data-live=');
}

describe("a task's result", () => {
  const answer = { key: 'copay', question: 'What is the copay?', value: null, turn: 3 };
  const quote = 'Forty, or thirty.';

  test('shows answers to review, and the obstacle with its quote', () => {
    const result = sampleResult({
      goal_reached: false,
      answers: [{ ...answer, answer: `"${quote}"`, quote, needs_review: true }],
      obstacle: { reason: 'needs_member', quote: 'She has to call.', turn: 5, call_back_at: null },
    });
    const page = pageOf({ task: { ...task, result } });
    expect(page).toContain('Needs review');
    expect(page).toContain('They speak about this only with the patient');
    expect(page).toContain('“She has to call.”');
    expect(page).toContain(`“${quote}”`);
  });

  test('shows a reference number and the person spoken with once, asked for or not', () => {
    const known = { reference_number: 'EHB374201', person_name: 'Marcus' };
    const answers = (
      [
        ['reference_number', 'What is the reference number?', 'EHB374201'],
        ['person_name', 'Whom am I speaking with?', 'Marcus'],
      ] as const
    ).map(([key, question, text]) => ({
      ...answer,
      key,
      question,
      answer: text,
      quote,
      needs_review: false,
    }));
    for (const result of [
      sampleResult({ ...known, answers }),
      sampleResult({ ...known, answers: [{ ...answer, answer: '$40', quote, needs_review: false }] }),
    ]) {
      const page = pageOf({ task: { ...task, result } });
      for (const text of Object.values(known)) expect(page.split(text)).toHaveLength(2);
    }
  });

  test('shows words once that are both answer and quote', () => {
    for (const text of [quote, `No: "${quote}"`, '$40']) {
      const result = sampleResult({ answers: [{ ...answer, answer: text, quote, needs_review: false }] });
      expect(pageOf({ task: { ...task, result } }).split(quote)).toHaveLength(2);
    }
  });

  test('warns of an overdue follow-up until it is done', () => {
    const pageWith = (changes: Partial<FollowUp>): string =>
      pageOf({ task: { ...task, follow_up_work: { ...newFollowUp, due: '2020-01-02', ...changes } } });
    expect(pageWith({})).toContain('Overdue');
    expect(pageWith({ due: '9999-12-31' })).not.toContain('Overdue');
    expect(pageWith({ done_at: sampleTime })).not.toContain('Overdue');
  });

  test('never says that nothing is left of a task that was canceled after a call', () => {
    const nothing = 'Nothing left to do.';
    const cancelled = { ...task, status: 'CANCELLED' as const };
    expect(pageOf({ task: cancelled }, 5, 'owner')).toContain(nothing);
    const page = pageOf({ task: { ...cancelled, attempts: 1 } }, 5, 'owner');
    expect(page).not.toContain(nothing);
    expect(page).toContain('Check what was said.');
  });

  test('offers no call to a number on the Do Not Call list, and links to the list', () => {
    const failed = { ...task, status: 'FAILED' as const };
    const [callable, optedOut] = [false, true].map((isOptedOut) =>
      pageOf({ task: failed, isOptedOut }, 5, 'owner'),
    );
    expect(callable).toContain('Call again now');
    expect(callable).toContain('Call again, or follow up.');
    expect(optedOut).not.toContain('Call again');
    expect(optedOut).toMatch(/The number is on the <a href="[^"]+\/do-not-call">Do Not Call list<\/a>/);
  });

  test('does not suggest to call a wrong or dead number again', () => {
    const failed = { ...task, status: 'FAILED' as const };
    const stepAfter = (changes: Partial<Call>) => {
      const call = sampleCall(failed, changes);
      const page = pageOf({ task: failed, calls: [{ call, turns: [], isWhole: true }] }, 5, 'owner');
      return /<p class="quiet">([^<]*follow up\.)<\/p>/.exec(page)?.[1];
    };
    const result = (ending: CallEnding) => sampleResult({ goal_reached: false, ending });
    const checkNumber = 'Check the number, and call the right one with “Duplicate task”. Or follow up.';
    const callAgain = 'The goal was not reached. Call again, or follow up.';
    expect(stepAfter({ status: 'SUCCESS', result: result('wrong-number') })).toBe(checkNumber);
    expect(stepAfter({ status: 'FAILED', carrier_progress: 'failed', sip_response_code: '404' })).toBe(
      checkNumber,
    );
    expect(stepAfter({ status: 'SUCCESS', result: result('hung-up') })).toBe(callAgain);
    expect(stepAfter({ status: 'BUSY', carrier_progress: 'busy' })).toBe(callAgain);
  });

  test('warns before it calls again about a reached goal', () => {
    const confirmationOf = (changes: Partial<typeof task>) =>
      /[^<>]*Creates a new task/.exec(pageOf({ task: { ...task, ...changes } }, 5, 'owner'))?.[0];
    const booked = sampleResult({ reference_number: 'RF31653' });
    expect(confirmationOf({ task_type: 'SCHEDULE_APPOINTMENT', result: booked })).toBe(
      'An appointment is already booked (RF31653). Creates a new task',
    );
    expect(confirmationOf({ result: sampleResult() })).toBe(
      'The goal was already reached. Creates a new task',
    );
    expect(confirmationOf({ result: { ...booked, goal_reached: false } })).toBe('Creates a new task');
  });

  test('shows neither if all is well', () => {
    const result = sampleResult({ answers: [{ ...answer, answer: '$40', quote, needs_review: false }] });
    const page = pageOf({ task: { ...task, result } });
    expect(page).not.toContain('Needs review');
    expect(page).not.toContain('Obstacle');
  });
});

describe('the page of a task', () => {
  const result = sampleResult({
    goal_reached: false,
    follow_up: 'Send the itemized bill.',
    disclosures: [{ field: 'patient.date_of_birth', turn: 4 }],
    answers: [
      {
        key: 'a',
        question: 'Covered?',
        answer: 'Yes',
        value: true,
        quote: 'Yes.',
        turn: 1,
        needs_review: false,
      },
    ],
  });
  const task_data = {
    insurance: { member_id: 'EHP-000123', phone_number: '+12025550101' },
    medical_context: 'None',
  };

  test('shows next steps first, then answers, disclosures and instructions, and events last', () => {
    const page = pageOf({ task: { ...task, task_type: 'VERIFY_INSURANCE', task_data, result } });
    const headings = [...page.matchAll(/<h2>([^<]+)<\/h2>/g)].map(([, text]) => text);
    expect(headings).toEqual(['Next steps', 'Answers', 'Disclosures', 'Instructions', 'Timeline']);
    for (const text of [
      'Send the itemized bill.',
      'Patient: date of birth',
      'Insurance: Member ID',
      'EHP-000123',
      '+1 (202) 555-0101',
      'medical_context',
    ]) {
      expect(page).toContain(text);
    }
  });

  test('uses one name for each instruction', () => {
    const claim = { case_info: { number: 'CLM-1' }, bill: { number: 'INV-1', amount: '640.00' } };
    const claimPage = pageOf({ task: { ...task, task_type: 'REIMBURSEMENT', task_data: claim } });
    for (const name of ['Case number', 'Bill number', 'Bill: Amount']) {
      expect(claimPage).toContain(`<dt>${name}</dt>`);
    }
    const asked = { questions_to_ask: [{ index: 0, question: 'Open?' }] };
    const page = pageOf({ task: { ...task, task_type: 'CUSTOM_TASK', task_data: asked } });
    expect(page).toContain('<dt>Question 1</dt>');
  });

  test('never says that a completed task needs nothing while a question is open', () => {
    const [answer] = result.answers;
    const pageWith = (given: string | null) => {
      const answers = answer === undefined ? [] : [{ ...answer, answer: given }];
      const done = { ...result, goal_reached: true, follow_up: null, answers };
      return pageOf({ task: { ...task, status: 'COMPLETED', result: done } }, 5, 'staff');
    };
    expect(pageWith('Yes')).toContain('Nothing left to do.');
    expect(pageWith(null)).toContain('Not every question was answered. Call again, or follow up.');
    expect(pageWith(null)).not.toContain('Nothing left to do.');
  });

  test('never says that a failed task needs nothing, and explains its end only once', () => {
    const task_outcome = 'The number is not in service.';
    const page = pageOf({ task: { ...task, status: 'FAILED', result: null, task_outcome } });
    const staffPage = pageOf({ task: { ...task, status: 'FAILED', result: null, task_outcome } }, 5, 'staff');
    expect(staffPage).toContain('The goal was not reached. Call again, or follow up.');
    expect(page.split(task_outcome)).toHaveLength(2);
  });

  test('shows why a call waited as an earlier event', () => {
    const call = { ...sampleCall(task), reason: 'The line was busy.' };
    const page = pageOf({ calls: [{ call, turns: [], isWhole: true }] });
    expect(page).toContain('Until then: The line was busy.');
  });

  test('suggests no next steps while calls continue', () => {
    expect(pageOf({ task: { ...task, status: 'IN_PROGRESS', result } })).not.toContain('Next steps');
  });

  test('shows a call that was cut off and is not settled as ended, not in progress', () => {
    const call = { ...sampleCall(task), ended_at: sampleTime };
    const page = pageOf({
      task: { ...task, status: 'CANCELLED' },
      calls: [{ call, turns: [], isWhole: true }],
    });
    expect(page).toContain('Call 1 ended');
    expect(page).not.toContain('In progress');
  });

  test('explains in plain words why the carrier failed a call, and shows an unknown code alone', () => {
    const ended = { ...sampleCall(task), status: 'FAILED' as const, ended_at: sampleTime };
    const call = { ...ended, carrier_progress: 'failed' as const, sip_response_code: '404' };
    const page = pageOf({
      calls: [{ call: { ...call, session_error_code: '64999' }, turns: [], isWhole: true }],
    });
    expect(page).toContain('Carrier SIP 404: The number is not in service.');
    expect(page).toContain('Another call does not help.</span>');
    expect(page).toContain('>Carrier error 64999<');
  });
});

describe('the page of a finished task', () => {
  test('writes the numbers in the outcomes of calls as elsewhere', () => {
    const call = sampleCall(task, { ended_at: sampleTime, call_outcome: 'They gave +12025550167.' });
    const calls = [{ call, turns: [], isWhole: true }];
    expect(pageOf({ calls })).toContain('They gave +1 (202) 555-0167.');
  });

  test('links a delivery for roles that may open it', () => {
    const shown = { deliveries: [delivered] };
    const link = `>${endpoint.url}</a>`;
    expect(pageOf(shown, 5, 'viewer')).toContain(link);
    expect(pageOf(shown, 5, 'staff')).not.toContain(link);
    expect(pageOf(shown, 5, 'staff')).toContain(endpoint.url);
  });

  test('refreshes until each subscribed endpoint was notified', () => {
    expect(isLive({ deliveries: [delivered], lacksDelivery: true }, 5)).toBe(true);
    expect(isLive({ deliveries: [delivered, { endpoint, delivery }] }, 5)).toBe(true);
    expect(isLive({ deliveries: [delivered, delivered] }, 5)).toBe(false);
  });

  test('waits a minute for a missing delivery, as for a later endpoint', () => {
    expect(isLive({ lacksDelivery: true }, 59)).toBe(true);
    expect(isLive({ lacksDelivery: true }, 61)).toBe(false);
  });

  test('stops refreshing if there is no subscriber', () => {
    expect(isLive({}, 1)).toBe(false);
  });
});
