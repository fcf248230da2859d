import { expect, test } from 'vitest';
import { uuidv7 } from '#shared/domain/identifiers.ts';
import { readNewTask } from '#shared/http/task-requests.ts';

function bodyOf(phone_number: string): { body: Buffer } {
  const task = { project_id: uuidv7(), patient_id: uuidv7(), task_type: 'CUSTOM_TASK', task: 'Ask.' };
  return { body: Buffer.from(JSON.stringify({ ...task, phone_number })) };
}

test('a task with a callable number is accepted', async () => {
  expect(await readNewTask(bodyOf('+12025550100'))).toMatchObject({ phone_number: '+12025550100' });
});

test.each(['+19005550100', '+12025550'])(
  'whether %s may be called is for its project to say',
  async (number) => {
    expect(await readNewTask(bodyOf(number))).toMatchObject({ phone_number: number });
  },
);

test.each([
  ['+911', 'phone_number must not be an emergency number or another short number'],
  ['911', 'phone_number must match ^\\+[1-9]\\d{1,14}$'],
])('a task that calls %s is refused with a detail that does not quote it', async (number, detail) => {
  await expect(readNewTask(bodyOf(number))).rejects.toMatchObject({
    code: 'invalid_request',
    detail,
    fields: [{ path: 'phone_number' }],
  });
});
