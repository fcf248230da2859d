import { beforeEach, describe, expect, test } from 'vitest';
import { defaultCallPolicy } from '#shared/domain/project.ts';
import { replaceCallItems } from '#shared/table/call.ts';
import { getConversation } from '#shared/table/conversation.ts';
import { findDue } from '#shared/table/due.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { farewellHandoff, farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';
import { loadCallResult } from '#shared/voice-agent/result/call-result.ts';
import { checkNoInput } from '#shared/voice-agent/session/check-no-input.ts';
import { openNoInputTimer } from '#shared/voice-agent/session/no-input-timer.ts';
import { startEmbeddedQueues } from '../../../support/embedded-queues.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { prompt, type RelayFixture, startRelayFixture } from '../../../support/relay-fixture.ts';
import { StreamingEchoModel } from '../../../support/streaming-echo-model.ts';

const opening = 'This is an automated assistant.';
/** Longer than any of the echo model's sentences takes, and the silence after it. */
const longMs = 15_000;

const embedded = await forThisFile(startEmbeddedTable());

// A model that decides at once and one that takes its time are watched alike.
describe.each([{ isImmediate: true }, { isImmediate: false }])('silence, with %j', ({ isImmediate }) => {
  let echoModel: StreamingEchoModel;
  let fixture: RelayFixture;

  beforeEach(async () => {
    echoModel = new StreamingEchoModel({ isImmediate });
    fixture = await startRelayFixture(embedded.table, {
      model: echoModel,
      project: { call_policy: { ...defaultCallPolicy, max_hold_seconds: 60 } },
    });
    await fixture.frame(fixture.setupFrame());
  });

  async function dueWatches(): Promise<string[]> {
    const due: string[] = [];
    for await (const page of findDue(embedded.table, '2099-01-01T00:00:00.000Z')) {
      due.push(...page.filter(({ pk }) => pk.endsWith(fixture.call.id)).map(({ pk }) => pk));
    }
    return due;
  }
  /** The watch's message as it was sent last; the sweeper's names the call alone. */
  const look = (message = fixture.looks.at(-1)?.message ?? { call_id: fixture.call.id }) =>
    checkNoInput(fixture.services, message);
  const read = () => getConversation(embedded.table, fixture.call.id);
  const silences = () => echoModel.asked.filter(({ event }) => event.type === 'silence');

  test('is watched for from the end of the opening', async () => {
    expect(fixture.looks).toHaveLength(1);
    expect(fixture.looks[0]?.callId).toBe(fixture.call.id);
    // 31 characters at 14 a second, and nine seconds.
    const wholeMs = Math.round((31 / 14) * 1000) + 9_000;
    fixture.pass(9_000);
    await look();
    expect(silences()).toEqual([]);
    expect(fixture.looks.at(-1)?.inMs).toBe(wholeMs - 9_000);
    fixture.pass(wholeMs - 9_000);
    await look();
    expect(silences()).toMatchObject([{ event: { type: 'silence', seconds: 9 } }]);
    expect(await fixture.lines()).toEqual([`A: ${opening}`, 'A: Are you there?']);
    expect(fixture.looks.at(-1)).toMatchObject({ callId: fixture.call.id, inMs: 9_000 });
  });

  test('ends the call the second time in a row', async () => {
    fixture.pass(longMs);
    await look();
    fixture.pass(longMs);
    await look();
    expect(silences()).toHaveLength(1);
    expect(fixture.sent.at(-1)?.frame).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'unheard' }),
    });
    expect((await fixture.lines()).at(-1)).toBe(`A: ${farewellWords({ farewell: 'unheard' })}`);
    expect(await loadCallResult(embedded.table, fixture.call.id)).toMatchObject({ ending: 'no-speech' });
    const looks = fixture.looks.length;
    await look();
    expect(fixture.looks).toHaveLength(looks);
  });

  test('is counted from zero after any words', async () => {
    fixture.pass(longMs);
    await look();
    await fixture.frame(prompt('sorry'));
    fixture.pass(longMs);
    await look();
    expect(silences()).toHaveLength(2);
    expect((await read())?.status).toBe('open');
  });

  test('counts once, however often the message comes', async () => {
    fixture.pass(longMs);
    await Promise.all([look(), look(), look()]);
    await look();
    expect(silences().length).toBeGreaterThanOrEqual(1);
    expect((await fixture.lines()).filter((line) => line === 'A: Are you there?')).toHaveLength(1);
    expect(await read()).toMatchObject({ silences: 1, status: 'open' });
  });

  test.each([0, 1, 2, 4, 8])('yields to words at the same moment (%i)', async (delay) => {
    fixture.pass(longMs);
    const looking = look();
    await new Promise((resolve) => setTimeout(resolve, delay));
    await Promise.all([looking, fixture.frame(prompt('here I am'))]);
    const said = await fixture.lines();
    expect(said.slice(-2)).toEqual(['P: here I am', 'A: here I am']);
    expect(await read()).toMatchObject({ silences: 0, status: 'open', answering: null });
    fixture.pass(1_000);
    await look();
    expect(await fixture.lines()).toEqual(said);
  });

  test('does not exist after the person has hung up', async () => {
    const { call } = fixture;
    const hungUp = { ...call, version: call.version + 1, session_status: 'completed' as const };
    await writeTransaction(embedded.table, replaceCallItems(embedded.table, call, hungUp));
    fixture.pass(longMs);
    const looks = fixture.looks.length;
    await look();
    expect(silences()).toEqual([]);
    expect(fixture.looks).toHaveLength(looks);
  });

  test('does not count on hold, until that lasts too long', async () => {
    await fixture.frame(prompt('please hold ~'));
    const since = (await read())?.waiting_since;
    fixture.pass(30_000);
    await look();
    expect(silences()).toEqual([]);
    expect(fixture.looks.at(-1)?.inMs).toBe(9_000);
    await fixture.frame(prompt('~'));
    expect((await read())?.waiting_since).toBe(since);
    fixture.pass(25_000);
    await look();
    expect(fixture.looks.at(-1)?.inMs).toBe(5_000);
    fixture.pass(5_000);
    await look();
    expect(fixture.sent.at(-1)?.frame).toEqual({
      type: 'end',
      handoffData: farewellHandoff({ farewell: 'on-hold' }),
    });
    const result = await loadCallResult(embedded.table, fixture.call.id);
    expect(result?.ending).toBe('gave-up');
    expect(result?.follow_up).toContain('We were on hold for 60 seconds and gave up.');
  });

  test('is still watched if its message is lost, by one chain of messages', async () => {
    const lost = fixture.looks.at(-1)?.message;
    const afterLoss = { call_id: fixture.call.id };
    // The chain is at work: the sweeper's message changes nothing.
    await look(afterLoss);
    expect(fixture.looks).toHaveLength(1);
    fixture.pass(5 * 60_000);
    await look(afterLoss);
    expect((await fixture.lines()).at(-1)).toBe('A: Are you there?');
    const found = fixture.looks.at(-1)?.message;
    expect(found).toMatchObject({ call_id: fixture.call.id, chain: expect.any(String) });
    expect(found?.chain).not.toBe(lost?.chain);
    const looks = fixture.looks.length;
    // The first message comes after all: it ends there.
    await look(lost);
    expect(fixture.looks).toHaveLength(looks);
    fixture.pass(longMs);
    await look(found);
    expect((await read())?.status).toBe('ended');
    await look(found);
    expect(await dueWatches()).toEqual([]);
  });

  test('on hold for too long, an announcement also ends the call', async () => {
    await fixture.frame(prompt('~'));
    fixture.pass(180_000);
    await fixture.frame(prompt('~'));
    expect((await read())?.status).toBe('ended');
    const result = await loadCallResult(embedded.table, fixture.call.id);
    expect(result?.follow_up).toContain('on hold for 3 minutes');
  });

  test('counts again after words with a person', async () => {
    await fixture.frame(prompt('~'));
    fixture.pass(20_000);
    await fixture.frame(prompt('hello'));
    expect(await read()).toMatchObject({ waiting_since: null, held_ms: 20_000 });
    fixture.pass(longMs);
    await look();
    expect(silences()).toHaveLength(1);
  });
});

describe('a long hold', () => {
  let fixture: RelayFixture;
  beforeEach(async () => {
    fixture = await startRelayFixture(embedded.table, {
      model: new StreamingEchoModel({ isImmediate: true }),
      project: { call_policy: { ...defaultCallPolicy, max_hold_seconds: 2400 } },
    });
    await fixture.frame(fixture.setupFrame());
    await fixture.frame(prompt('please hold ~'));
  });

  test('keeps the socket open with a frame at least every ten minutes, and nothing is spoken', async () => {
    const spoken = fixture.sent.length;
    const sentAt = [0];
    for (let passedMs = 0; passedMs < 35 * 60_000; ) {
      const { message, inMs } = fixture.looks.at(-1) ?? { message: { call_id: fixture.call.id }, inMs: 0 };
      fixture.pass(inMs);
      passedMs += inMs;
      const before = fixture.sent.length;
      await checkNoInput(fixture.services, message);
      if (fixture.sent.length > before) sentAt.push(passedMs);
    }
    const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
    expect(gaps.length).toBe(4);
    expect(Math.max(...gaps)).toBeLessThan(500_000);
    for (const { connectionId, frame } of fixture.sent.slice(spoken)) {
      expect(connectionId).toBe(fixture.connection);
      expect(frame).toEqual({ type: 'text', token: '', last: false });
    }
  });

  test('is not disturbed by a frame that cannot be sent', async () => {
    const services = {
      ...fixture.services,
      connections: {
        ...fixture.services.connections,
        send: () => Promise.reject(new Error('the gateway is not there')),
      },
    };
    fixture.pass(500_000);
    const looks = fixture.looks.length;
    await checkNoInput(services, fixture.looks.at(-1)?.message ?? { call_id: fixture.call.id });
    expect(fixture.looks).toHaveLength(looks + 1);
  });
});

describe('the queue message', () => {
  test('contains only the call’s ID, and arrives after the given time', async () => {
    const queues = await startEmbeddedQueues();
    try {
      const noInputTimer = openNoInputTimer(queues.createQueue('watch'), 9, queues.sqs);
      expect(noInputTimer.silenceMs).toBe(9_000);
      await noInputTimer.schedule({ call_id: '01930000-0000-7000-8000-000000000001' }, 1);
      await noInputTimer.schedule({ call_id: '01930000-0000-7000-8000-000000000001' }, 5_000_000);
      expect(queues.messages('watch')).toEqual(
        [0, 1].map(() => ({ body: { call_id: '01930000-0000-7000-8000-000000000001' }, isDelayed: true })),
      );
    } finally {
      await queues.stop();
    }
  });
});
