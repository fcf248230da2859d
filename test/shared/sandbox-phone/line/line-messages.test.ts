import { beforeEach, describe, expect, test } from 'vitest';
import { runCall } from '#shared/sandbox-phone/line/run-call.ts';
import { recordingSid, type SandboxRecording } from '#shared/sandbox-phone/store/sandbox-recording.ts';
import { getItem, putItem, updateItem } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { rfc2822 } from '#shared/sandbox-phone/wire.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { accountSid, PhoneFixture } from '../phone-fixture.ts';
import { script } from '../scripted-agent.ts';

const fixture = await forThisFile(PhoneFixture.start());
beforeEach(() => fixture.reset());

describe('a message that is delivered twice', () => {
  test('plays its call once', async () => {
    fixture.agent = script();
    const sid = await fixture.place('+12025550103');
    await fixture.play();
    const before = fixture.callbacks.length;
    await runCall(fixture.line, sid);
    expect(fixture.callbacks).toHaveLength(before);
    expect(fixture.handshakes).toHaveLength(1);
  });

  test('leaves a call in progress alone, and returns when its line would have died', async () => {
    const sid = await fixture.place('+12025550103');
    fixture.agent = (_, turn) => (turn === 0 ? { say: 'What are your office hours?' } : { end: '' });
    const playing = fixture.play({ pace: 0.02 });
    await expect.poll(() => fixture.frames.length, { timeout: 10_000 }).toBeGreaterThan(0);
    await runCall(fixture.line, sid);
    expect(await fixture.delayedMessages()).toBe(1);
    await playing;
    expect(fixture.handshakes).toHaveLength(1);
    expect((await fixture.call(sid)).status).toBe('completed');
  });

  test('fails a call whose line died, and reports that', async () => {
    const sid = await fixture.place('+12025550103');
    await updateItem(fixture.store, 'call', sid, {
      status: 'in-progress',
      line_seen_at: new Date(Date.now() - 120_000).toISOString(),
    });
    await fixture.play();
    expect(fixture.statuses()).toEqual(['failed']);
    expect(fixture.formsOf('/status')[0]?.SequenceNumber).toBe('3');
    expect(await getItem(fixture.store, 'call', sid)).toMatchObject({
      status: 'failed',
      failure: 'line-died',
    });
    expect(fixture.handshakes).toEqual([]);
  });

  test('closes the recordings of a call whose line died, and keeps those with sound', async () => {
    const sid = await fixture.place('+12025550103');
    const lineSeenAt = new Date(Date.now() - 30_000).toISOString();
    await updateItem(fixture.store, 'call', sid, { status: 'in-progress', line_seen_at: lineSeenAt });
    const recording: SandboxRecording = {
      sid: recordingSid(sid, 0),
      type: 'recording',
      account_sid: accountSid,
      call_sid: sid,
      status: 'in-progress',
      channels: 2,
      track: 'both',
      source: 'StartCallRecordingTwiML',
      start_time: rfc2822(new Date()),
      duration_seconds: null,
      error_code: null,
      dual_key: null,
      mono_key: null,
      created_at: new Date().toISOString(),
      updated_at: lineSeenAt,
    };
    const whole: SandboxRecording = { ...recording, sid: recordingSid(sid, 1), status: 'completed' };
    await putItem(fixture.store, recording);
    await putItem(fixture.store, whole);
    await fixture.play();
    expect(await getItem(fixture.store, 'recording', recording.sid)).toMatchObject({ status: 'absent' });
    expect(await getItem(fixture.store, 'recording', whole.sid)).toMatchObject({ status: 'completed' });
  });
});

describe('a person who calls a number of the account', () => {
  const own = '+12025550199';

  async function callIn(answers: string): Promise<string> {
    fixture.answers.set('/inbound', (form) => ({
      status: 200,
      body: form.DialCallStatus === undefined ? answers : '<Response><Say>Sorry.</Say><Hangup/></Response>',
    }));
    const response = await fixture.request('POST', '/Calls.json', { To: own, From: '+12025550177' });
    expect(response.status).toBe(201);
    const { sid, direction }: { sid: string; direction: string } = Object(await response.json());
    expect(direction).toBe('inbound');
    await fixture.play();
    return sid;
  }

  test("hears the response of the number's voice URL", async () => {
    const sid = await callIn('<Response><Say>Please call the office.</Say><Hangup/></Response>');
    expect(fixture.callbacks.every(({ isSigned }) => isSigned)).toBe(true);
    expect(fixture.formsOf('/inbound')).toMatchObject([
      { CallSid: sid, Direction: 'inbound', CallStatus: 'ringing', From: '+12025550177', To: own },
    ]);
    const call = await fixture.call(sid);
    expect(call.status).toBe('completed');
    expect(call.transcript.map(({ text }) => text)).toEqual(['Please call the office.']);
  });

  test.each([
    ['+12025550103', 'completed', { DialCallDuration: '20', DialBridged: 'true' }],
    ['+12025550110', 'busy', {}],
    ['+12025550111', 'no-answer', {}],
    ['+12025550113', 'failed', {}],
  ])('is forwarded to %s, which is then %s', async (number, status, more) => {
    const action = `${fixture.baseUrl}/inbound`;
    const sid = await callIn(`<Response><Dial action="${action}" timeout="20">${number}</Dial></Response>`);
    expect(fixture.formsOf('/inbound')[1]).toMatchObject({
      CallSid: sid,
      CallStatus: 'in-progress',
      DialCallStatus: status,
      ...more,
    });
    const list = await fixture.request('GET', `/Calls.json?ParentCallSid=${sid}`);
    expect(Object(await list.json()).calls).toMatchObject([
      { to: number, from: '+12025550177', status, direction: 'outbound-dial', parent_call_sid: sid },
    ]);
  });

  test('is not forwarded with an action on another host', async () => {
    const sid = await callIn(
      '<Response><Dial action="https://elsewhere.test/">+12025550103</Dial></Response>',
    );
    expect(await fixture.call(sid)).toMatchObject({ status: 'failed' });
  });
});
