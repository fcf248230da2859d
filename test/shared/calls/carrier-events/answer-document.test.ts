import { describe, expect, test } from 'vitest';
import { verifyRelayToken } from '#shared/carrier/relay-token.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import type { Call } from '#shared/domain/call.ts';
import { createCallItem } from '#shared/table/call.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { farewellHandoff, farewellWords } from '#shared/voice-agent/dialogue/farewells.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { sampleCall, sampleProject, sampleTask, sampleTime } from '../../../support/sample-tasks.ts';
import {
  answered,
  liveToken,
  queuedFor,
  send,
  startCallbackSite,
  storedCall,
  token,
} from './callback-site.ts';

const { services, queues } = await forThisFile(startCallbackSite());

describe('an answered call', () => {
  test('is recorded and connected to the voice agent with its own token', async () => {
    const call = await storedCall(services);
    const document = (await send(services, { kind: 'answer', call, form: answered })) ?? '';
    expect(document).toContain('<ConversationRelay url="wss://ws.example.test/relay"');
    expect(document).toContain(`/carrier/recording/${call.task_id}/${call.id}#`);
    expect(document).not.toContain(call.phone_number);
    const relayToken = /name="token" value="([^"]+)"/.exec(document)?.[1] ?? '';
    expect(verifyRelayToken([token], call.id, relayToken)).toBe(true);
    expect(queuedFor(queues, call)).toHaveLength(1);
  });

  test('of a live project has a token of the newest live key', async () => {
    const call = await storedCall(services, { carrier: 'live' });
    const document =
      (await send(services, { kind: 'answer', call, form: answered, authToken: liveToken })) ?? '';
    const relayToken = /name="token" value="([^"]+)"/.exec(document)?.[1] ?? '';
    expect(verifyRelayToken(['a-new-one'], call.id, relayToken)).toBe(true);
  });

  test('is connected even if the queue refuses the report', async () => {
    const call = await storedCall(services);
    const broken = { ...services, queue: { ...services.queue, url: `${services.queue.url}-gone` } };
    expect(await send(services, { kind: 'answer', call, form: answered, services: broken })).toContain(
      '<Connect',
    );
  });

  test.each([
    ['has been given up', { closed_by: 'sweeper', ended_at: sampleTime }],
    ['is completed', { completed_at: sampleTime, carrier_progress: 'completed' }],
    ['belongs to a cancelled task', { end_requested_at: sampleTime }],
    ['rings a second time', { carrier_call_sid: `CA${'0'.repeat(31)}f`, submission: 'submitted' }],
  ] as const)('that %s is hung up', async (_, changes) => {
    const call = await storedCall(services, changes);
    expect(await send(services, { kind: 'answer', call, form: answered })).toMatch(
      /<Response><Hangup\/><\/Response>$/,
    );
  });

  test('is hung up if unknown', async () => {
    const call = sampleCall(sampleTask(sampleProject()));
    expect(await send(services, { kind: 'answer', call, form: answered })).toMatch(
      /<Response><Hangup\/><\/Response>$/,
    );
  });
});

describe("a project's voice settings", () => {
  const agent = {
    ...defaultAgentSettings,
    voice: 'Matthew-Neural',
    language: 'en-GB',
    speech_hints: ['Dr. Okafor', 'Lipitor'],
  };

  async function callOf(project = sampleProject({ agent })): Promise<Call> {
    const call = sampleCall(sampleTask(project));
    await writeTransaction(services.table, [
      putProject(services.table, project),
      createCallItem(services.table, call),
    ]);
    return call;
  }

  test('apply to the conversation', async () => {
    const document = await send(services, { kind: 'answer', call: await callOf(), form: answered });
    expect(document).toContain('language="en-GB" ttsProvider="Amazon" voice="Matthew-Neural"');
    expect(document).toContain('hints="Dr. Okafor,Lipitor"');
  });

  test('have defaults', async () => {
    const document = await send(services, {
      kind: 'answer',
      call: await callOf(sampleProject()),
      form: answered,
    });
    expect(document).toContain('language="en-US" ttsProvider="Amazon" voice="Joanna-Neural"');
    expect(document).not.toContain('hints=');
  });

  test('apply to the farewell', async () => {
    const form = {
      ...answered,
      SessionStatus: 'ended',
      HandoffData: farewellHandoff({ farewell: 'thanks' }),
    };
    const document = await send(services, { kind: 'relay-end', call: await callOf(), form });
    expect(document).toContain('<Say voice="Polly.Matthew-Neural" language="en-GB">');
  });
});

describe('a finished conversation', () => {
  function end(form: Record<string, string>): Promise<string | null> {
    return storedCall(services).then((call) =>
      send(services, { kind: 'relay-end', call, form: { ...answered, ...form } }),
    );
  }

  test("ends with the agent's farewell if the agent ended it", async () => {
    const document = await end({
      SessionStatus: 'ended',
      HandoffData: farewellHandoff({ farewell: 'thanks' }),
    });
    expect(document).toContain(`>${farewellWords({ farewell: 'thanks' })}</Say><Hangup/>`);
  });

  test('ends at a voicemail with the callback number, or silently', async () => {
    const callback_number = '+12025550143';
    const message = await end({
      SessionStatus: 'ended',
      HandoffData: farewellHandoff({ farewell: 'voicemail', callback_number }),
    });
    expect(message).toContain('<Response><Pause length="2"/><Say');
    expect(message).toContain(
      'Please call us back at 2 0 2, 5 5 5, 0 1 4 3. I repeat: 2 0 2, 5 5 5, 0 1 4 3. Thank you. ' +
        'Goodbye.</Say><Hangup/>',
    );
    expect(
      await end({ SessionStatus: 'ended', HandoffData: farewellHandoff({ farewell: 'voicemail' }) }),
    ).toMatch(/<Response><Hangup\/><\/Response>$/);
  });

  test('ends silently if the person ended it', async () => {
    expect(await end({ SessionStatus: 'completed' })).toMatch(/<Response><Hangup\/><\/Response>$/);
  });

  test('ends with an apology after a fault', async () => {
    expect(await end({ SessionStatus: 'failed', ErrorCode: '64105' })).toContain(
      `>${farewellWords({ farewell: 'fault' })}</Say><Hangup/>`,
    );
  });

  test.each([{ SessionStatus: 'ended', HandoffData: 'garbage' }, { SessionStatus: 'exploded' }, {}])(
    'in a way that makes no sense is hung up: %j',
    async (form) => {
      expect(await end(form)).toMatch(/<Response><Hangup\/><\/Response>$/);
    },
  );

  test('is passed on', async () => {
    const call = await storedCall(services);
    await send(services, { kind: 'relay-end', call, form: { ...answered, SessionStatus: 'ended' } });
    expect(queuedFor(queues, call)).toMatchObject([
      { event: { type: 'session-ended', session_status: 'ended' } },
    ]);
  });
});
