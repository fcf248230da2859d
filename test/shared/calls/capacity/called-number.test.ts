import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getCallCapacity } from '#shared/table/call-capacity.ts';
import { CallFixture } from '../../../support/call-fixture.ts';
import { areOver, endCall, newNumber, newProject, newTasks, openCalls, workOff } from './calls-at-once.ts';

let fixture: CallFixture;
beforeEach(async () => {
  fixture = await CallFixture.start();
});
afterEach(() => fixture.stop());

describe('a number with a call in progress', () => {
  test('is called for another task of any project only after that call has ended', async () => {
    const [one, other] = [await newProject(fixture), await newProject(fixture)];
    const phoneNumber = newNumber();
    const [first] = await newTasks(fixture, one, 1, phoneNumber);
    const [second] = await newTasks(fixture, other, 1, phoneNumber);
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const call = await fixture.dial(first);
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.task(second)).toMatchObject({
      status: 'PENDING',
      next_attempt_reason: 'Another call to this number is in progress.',
      waiting_for_line_since: fixture.now.toISOString(),
    });
    expect(await fixture.calls(second)).toEqual([]);
    await fixture.progress(call, 'answered', 1);
    await workOff(fixture);
    expect(await fixture.calls(second)).toEqual([]);
    await fixture.progress(call, 'completed', 2);
    // Its recording is still pending, but the slot is free.
    expect((await fixture.call(call)).completed_at).toBeNull();
    await workOff(fixture);
    expect(await fixture.calls(second)).toHaveLength(1);
  });

  test('is called for one task after the other, in order of arrival', async () => {
    const project = await newProject(fixture);
    const tasks = await newTasks(fixture, project, 4, newNumber());
    for (const task of tasks) {
      await fixture.handle({ kind: 'dial', task_id: task.id });
      fixture.pass(1);
    }
    for (const task of tasks) {
      expect((await openCalls(fixture, tasks)).map(({ task_id }) => task_id)).toEqual([task.id]);
      await endCall(fixture, await fixture.newestCall(task));
      await workOff(fixture);
    }
    expect(await areOver(fixture, tasks)).toBe(true);
  });

  test('is free again if the carrier refused the call for now', async () => {
    const project = await newProject(fixture);
    const [first, second] = await newTasks(fixture, project, 2, newNumber());
    if (first === undefined || second === undefined) throw new Error('no tasks');
    fixture.carrier.interfere = (_, response) => {
      response.writeHead(429).end('{"code":20429}');
      return true;
    };
    await fixture.handle({ kind: 'dial', task_id: first.id });
    fixture.carrier.interfere = () => false;
    expect(await getCallCapacity(fixture.table, 'sandbox')).toMatchObject({ slots: { [project.id]: 0 } });
    fixture.pass(5);
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.calls(second)).toHaveLength(1);
  });

  test('is free again once refused, which completes the call in one transaction', async () => {
    const project = await newProject(fixture);
    const [first, second] = await newTasks(fixture, project, 2, newNumber());
    if (first === undefined || second === undefined) throw new Error('no tasks');
    fixture.carrier.interfere = (_, response) => {
      response.writeHead(400).end('{"code":21211}');
      return true;
    };
    await fixture.handle({ kind: 'dial', task_id: first.id });
    fixture.carrier.interfere = () => false;
    expect(await fixture.task(first)).toMatchObject({ status: 'FAILED' });
    await fixture.handle({ kind: 'dial', task_id: second.id });
    expect(await fixture.calls(second)).toHaveLength(1);
    expect(await getCallCapacity(fixture.table, 'sandbox')).toMatchObject({ slots: { [project.id]: 1 } });
  });

  test("releases one slot, however often the call's end is reported", async () => {
    const project = await newProject(fixture);
    const [first, second] = await newTasks(fixture, project, 2);
    if (first === undefined || second === undefined) throw new Error('no tasks');
    const call = await fixture.dial(first);
    await fixture.dial(second);
    await Promise.all(Array.from({ length: 5 }, () => fixture.progress(call, 'busy', 2)));
    await fixture.progress(call, 'completed', 3);
    expect(await getCallCapacity(fixture.table, 'sandbox')).toMatchObject({ slots: { [project.id]: 1 } });
  });

  test('lets a call without a slot end, such as one of an earlier version', async () => {
    const project = await newProject(fixture);
    const [task] = await newTasks(fixture, project, 1);
    if (task === undefined) throw new Error('no task');
    const call = await fixture.dial(task);
    await fixture.table.client.send(
      new DeleteCommand({
        TableName: fixture.table.name,
        Key: { pk: `DESTINATION#sandbox#${task.phone_number}`, sk: 'LOCK' },
      }),
    );
    await fixture.table.client.send(
      new DeleteCommand({
        TableName: fixture.table.name,
        Key: { pk: 'SWITCHBOARD#sandbox', sk: 'SWITCHBOARD' },
      }),
    );
    await endCall(fixture, call);
    expect(await fixture.call(call)).toMatchObject({ status: 'NO_ANSWER' });
  });
});
