import { expect, test } from 'vitest';
import { watch } from '../../../infra/local/demo/run-demo.ts';
import { demoTasks } from '../../../infra/local/demo/scenario.ts';
import { ServiceClient } from '../../../infra/local/demo/service-client.ts';
import { respondJson, startTestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';

const view = (status: string, call: object, next_attempt_reason: string | null = null) => ({
  id: 'task',
  status,
  task_outcome: status === 'COMPLETED' ? 'Booked.' : null,
  next_attempt_reason,
  calls: [{ call_outcome: null, recording_url: null, transcripts: [], ...call }],
});
const said = (...contents: string[]) => ({
  transcripts: contents.map((content) => ({ role: 'assistant', content })),
});

test('a failed first call is shown as retrying, and the next from its first word', async () => {
  const reason = 'The call could not be connected. Attempt 2 of 3 scheduled.';
  const views = [
    view('IN_PROGRESS', { id: 'one', status: 'IN_PROGRESS', ...said('Hello?', 'Are you there?') }),
    view('IN_PROGRESS', { id: 'one', status: 'FAILED', ...said('Hello?', 'Are you there?') }, reason),
    view('IN_PROGRESS', { id: 'two', status: 'IN_PROGRESS', ...said('Good day.') }),
    view('COMPLETED', { id: 'two', status: 'SUCCESS', ...said('Good day.') }),
  ];
  const server = await forThisTest(
    startTestServer((_, response) => respondJson(response, 200, views.shift())),
  );
  const [task] = demoTasks;
  if (task === undefined) throw new Error('the demo has no task');
  const lines: string[] = [];
  await watch(task, 'task', new ServiceClient(server.origin, 'key'), (_, line) => void lines.push(line));
  expect(lines.slice(0, -1)).toEqual([
    `☎ dialing ${task.body.phone_number}`,
    '▸ agent  Hello?',
    '▸ agent  Are you there?',
    'call ended: FAILED',
    `retrying: ${reason}`,
    `☎ dialing ${task.body.phone_number}`,
    '▸ agent  Good day.',
    'call ended: SUCCESS',
  ]);
  expect(lines.at(-1)).toContain('COMPLETED: Booked.');
});
