import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { dialTask } from '#shared/calls/dial/dial-task.ts';
import { abandonAfterSeconds } from '#shared/calls/lifecycle/deadlines.ts';
import type { Call } from '#shared/domain/call.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { callFixtureForThisFile } from '../../../support/call-fixture.ts';
import { storeEntry } from '../../../support/directory-entries.ts';
import { respondJson } from '../../../support/http-server.ts';
import { sampleProject } from '../../../support/sample-tasks.ts';

const fixture = await callFixtureForThisFile();

/** A line that takes three concurrent calls. Returns a function that dials another task on it. */
async function sharedLine(): Promise<() => Promise<Call>> {
  const phone_number = fixture.newNumber();
  await storeEntry(fixture.table, phone_number, { concurrent_calls: 3 });
  const project = sampleProject({ max_concurrent_calls: 5 });
  await writeTransaction(fixture.table, [putProject(fixture.table, project)]);
  return async () => fixture.dial(await fixture.newTaskOf(project, { phone_number }));
}

/** The carrier accepts calls, but its responses are lost. */
function loseResponses(): void {
  fixture.carrier.onPlacement((request, response) => {
    fixture.carrier.acceptCall(request);
    response.destroy();
  });
}

describe('a dial with a lost response', () => {
  test.each([
    ['the connection breaks', (response: ServerResponse) => void response.destroy()],
    ['the carrier reports a fault of its own', (response: ServerResponse) => respondJson(response, 500, {})],
  ])('%s: the call is found in the carrier’s list and adopted, never redialed', async (_, lose) => {
    fixture.carrier.onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      lose(response);
    });
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    expect(call).toMatchObject({ submission: 'unknown', carrier_call_sid: null, status: 'IN_PROGRESS' });
    expect(fixture.queued()).toContainEqual({
      body: { kind: 'call-due', task_id: task.id, call_id: call.id },
      isDelayed: true,
    });
    await fixture.handle({ kind: 'dial', task_id: task.id });
    const atCarrier = fixture.carrier.calls[0];
    if (atCarrier === undefined) throw new Error('the carrier took no call');
    atCarrier.status = 'in-progress';
    fixture.pass(15);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({
      submission: 'adopted',
      carrier_call_sid: atCarrier.sid,
      carrier_progress: 'answered',
    });
    expect(fixture.placements(task)).toHaveLength(1);
  });

  test('on a shared line adopts no call of another task, and none while another dial is unknown', async () => {
    const dial = await sharedLine();
    const known = await dial();
    expect(known.carrier_call_sid).not.toBeNull();
    // Both responses are lost, and only the second call was placed.
    fixture.carrier.onPlacement((_, response) => response.destroy());
    const lost = await dial();
    fixture.pass(15);
    await fixture.look(lost);
    expect(await fixture.call(lost)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
    loseResponses();
    const placed = await dial();
    fixture.carrier.interfere = () => false;
    const sid = fixture.carrier.calls[0]?.sid ?? '';
    fixture.pass(30);
    for (const call of [lost, placed]) {
      await fixture.look(call);
      expect(await fixture.call(call)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
    }
    await fixture.progress({ ...placed, carrier_call_sid: sid }, 'ringing', 1);
    expect(await fixture.call(placed)).toMatchObject({ submission: 'adopted', carrier_call_sid: sid });
    fixture.pass(abandonAfterSeconds);
    await fixture.look(lost);
    expect(await fixture.call(lost)).toMatchObject({ submission: 'abandoned', carrier_call_sid: null });
  });

  test('on a shared line is adopted although a later call is unknown', async () => {
    const dial = await sharedLine();
    loseResponses();
    const placed = await dial();
    const sid = fixture.carrier.calls[0]?.sid ?? '';
    fixture.pass(180);
    fixture.carrier.onPlacement((_, response) => response.destroy());
    const later = await dial();
    fixture.carrier.interfere = () => false;
    await fixture.look(placed);
    expect(await fixture.call(placed)).toMatchObject({ submission: 'adopted', carrier_call_sid: sid });
    expect(await fixture.call(later)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
  });

  test('on a shared line each of two calls placed minutes apart is adopted', async () => {
    const dial = await sharedLine();
    loseResponses();
    const first = await dial();
    const firstSid = fixture.carrier.calls[0]?.sid;
    fixture.pass(240);
    const second = await dial();
    const secondSid = fixture.carrier.calls[0]?.sid;
    fixture.carrier.interfere = () => false;
    fixture.pass(15);
    for (const call of [first, second]) await fixture.look(call);
    expect(await fixture.call(first)).toMatchObject({ submission: 'adopted', carrier_call_sid: firstSid });
    expect(await fixture.call(second)).toMatchObject({ submission: 'adopted', carrier_call_sid: secondSid });
  });

  test('on a shared line two indistinguishable calls are ended at the carrier before they are abandoned', async () => {
    const dial = await sharedLine();
    loseResponses();
    const calls = [await dial(), await dial()];
    const atCarrier = fixture.carrier.calls.slice(0, 2);
    fixture.carrier.interfere = () => false;
    for (const call of calls) await fixture.lookUntilCompleted(call);
    for (const call of calls) expect(await fixture.call(call)).toMatchObject({ submission: 'abandoned' });
    expect(atCarrier.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  test('is also proven by a callback that names the call', async () => {
    fixture.carrier.onPlacement((_, response) => response.destroy());
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    const sid = `CA${'0'.repeat(31)}d`;
    await fixture.progress({ ...call, carrier_call_sid: sid }, 'ringing', 1);
    expect(await fixture.call(call)).toMatchObject({
      submission: 'adopted',
      carrier_call_sid: sid,
      carrier_progress: 'ringing',
    });
  });

  test('is abandoned after a while if the list does not show it, and only then retried', async () => {
    fixture.carrier.onPlacement((_, response) => response.destroy());
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    fixture.carrier.interfere = () => false;
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeGreaterThanOrEqual(300);
    expect(seconds).toBeLessThan(600);
    expect(await fixture.call(call)).toMatchObject({
      status: 'FAILED',
      submission: 'abandoned',
      closed_by: 'sweeper',
      call_outcome: 'The call was not placed: the telephone carrier has no record of it.',
    });
    expect(fixture.placements(task)).toHaveLength(1);
    expect(await fixture.task(task)).toMatchObject({
      status: 'IN_PROGRESS',
      next_attempt_reason:
        'The call was not placed: the telephone carrier has no record of it. Attempt 1 of 3 scheduled.',
    });
  });

  test('stays undecided while the carrier cannot be asked', async () => {
    fixture.carrier.onPlacement((_, response) => response.destroy());
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    fixture.carrier.interfere = (_, response) => {
      response.destroy();
      return true;
    };
    fixture.pass(1800);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({ submission: 'unknown', status: 'IN_PROGRESS' });
    const seconds = await fixture.lookUntilCompleted(call);
    expect(seconds).toBeLessThan(2 * 60 * 60);
    expect(await fixture.call(call)).toMatchObject({ submission: 'abandoned', status: 'FAILED' });
  });

  test('adopts none of several candidates', async () => {
    fixture.carrier.onPlacement((request, response) => {
      fixture.carrier.acceptCall(request);
      fixture.carrier.acceptCall(request);
      response.destroy();
    });
    const task = await fixture.newTask();
    const call = await fixture.dial(task);
    fixture.pass(20);
    await fixture.look(call);
    expect(await fixture.call(call)).toMatchObject({ submission: 'unknown', carrier_call_sid: null });
  });

  test.each(['taken', 'not taken'] as const)(
    'a call %s is not mistaken for one of another task that ended at the same number just before',
    async (fate) => {
      const phone_number = fixture.newNumber();
      const before = await fixture.dial(await fixture.newTask({ phone_number }));
      const atCarrier = fixture.carrier.calls.find(({ sid }) => sid === before.carrier_call_sid);
      if (atCarrier === undefined) throw new Error('the carrier has no such call');
      atCarrier.status = 'busy';
      await fixture.progress(before, 'busy', 1);
      fixture.pass(5);
      let taken: string | null = null;
      fixture.carrier.onPlacement((request, response) => {
        if (fate === 'taken') taken = fixture.carrier.acceptCall(request).sid;
        response.destroy();
      });
      const call = await fixture.dial(await fixture.newTask({ phone_number }));
      fixture.pass(20);
      await fixture.look(call);
      expect(await fixture.call(call)).toMatchObject({ carrier_call_sid: taken, ended_at: null });
    },
  );

  test('is looked for after a runner dies between claim and carrier', async () => {
    const task = await fixture.newTask();
    const { services } = fixture;
    const dying = {
      ...services,
      carrier: async () => {
        const client = await services.carrier('sandbox');
        if (client === null) throw new Error('no carrier');
        return { ...client, placeCall: () => Promise.reject(new Error('the function is gone')) };
      },
    };
    await expect(dialTask(dying, task.id)).rejects.toThrow('the function is gone');
    const call = await fixture.newestCall(task);
    expect(call.submission).toBe('claimed');
    await fixture.handle({ kind: 'dial', task_id: task.id });
    expect(fixture.placements(task)).toHaveLength(0);
    await fixture.lookUntilCompleted(call);
    expect(await fixture.call(call)).toMatchObject({ submission: 'abandoned', status: 'FAILED' });
  });
});
