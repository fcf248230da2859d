import { describe, expect, test } from 'vitest';
import { answerInboundCall } from '#shared/calls/carrier-events/answer-inbound-call.ts';
import { defaultAgentSettings } from '#shared/domain/agent-settings.ts';
import { defaultCallPolicy, type Project } from '#shared/domain/project.ts';
import { putProject } from '#shared/table/project.ts';
import { writeTransaction } from '#shared/table/transaction.ts';
import { startEmbeddedTable } from '../../../support/embedded-table.ts';
import { forThisFile } from '../../../support/lifetime.ts';
import { sampleGrant, sampleProject } from '../../../support/sample-tasks.ts';

const publicBaseUrl = 'https://api.example.test/prod';
const office = '+12025550142';
const otherOffice = '+12025550143';
const spokenOffice = '2 0 2, 5 5 5, 0 1 4 2';
const tables = await forThisFile(startEmbeddedTable());

let numbers = 0;
/** A number of ours that no other test uses. */
function newNumber(): string {
  numbers += 1;
  return `+1202555${String(2000 + numbers)}`;
}

async function storedProject(callerNumber: string, changes: Partial<Project> = {}): Promise<Project> {
  const project = sampleProject({
    carrier: 'live',
    caller_number: callerNumber,
    agent: { ...defaultAgentSettings, organization_name: 'Example Oncology', callback_number: office },
    ...changes,
  });
  await writeTransaction(tables.table, [putProject(tables.table, project)]);
  return project;
}

function callIn(to: string, more: Record<string, string> = {}, carrier: 'live' | 'sandbox' = 'live') {
  const form = {
    CallSid: `CA${'0'.repeat(32)}`,
    From: '+12025550177',
    To: to,
    CallStatus: 'ringing',
    ...more,
  };
  return answerInboundCall({ table: tables.table, publicBaseUrl }, carrier, new URLSearchParams(form));
}

describe('a person who calls back', () => {
  test("is put through to the project's callback number", async () => {
    const number = newNumber();
    await storedProject(number);
    const document = await callIn(number);
    expect(document).toContain(`>${office}</Dial>`);
    expect(document).toContain(`action="${publicBaseUrl}/carrier/inbound"`);
    expect(document).not.toContain('Record');
  });

  test('is put through to the number for voicemails if the agent has none', async () => {
    const number = newNumber();
    await storedProject(number, {
      agent: defaultAgentSettings,
      call_policy: { ...defaultCallPolicy, callback_number: otherOffice },
    });
    expect(await callIn(number)).toContain(`>${otherOffice}</Dial>`);
  });

  test.each(['busy', 'no-answer', 'failed'])('is told that number when it was %s', async (status) => {
    const number = newNumber();
    await storedProject(number);
    const document = await callIn(number, { DialCallStatus: status });
    expect(document).not.toContain('<Dial');
    expect(document).toContain(`Please call ${spokenOffice} instead.`);
  });

  test.each(['completed', 'answered', 'canceled'])(
    'hears nothing more after a call that was %s',
    async (status) => {
      const number = newNumber();
      await storedProject(number);
      const document = await callIn(number, { DialCallStatus: status });
      expect(document).toContain('<Hangup/>');
      expect(document).not.toContain('<Say');
    },
  );

  test('learns nothing about the patient', async () => {
    const number = newNumber();
    const project = await storedProject(number);
    for (const document of [await callIn(number), await callIn(number, { DialCallStatus: 'busy' })]) {
      for (const secret of [project.id, project.name, 'Oncology', '5550177']) {
        expect(document).not.toContain(secret);
      }
    }
  });
});

describe('a call is not forwarded', () => {
  test.each<[string, Partial<Project>]>([
    ['where the project may not call', { live_grant: { ...sampleGrant, countries: ['CA'] } }],
    ['for a project without a grant', { live_grant: null }],
    [
      'for one whose grant is withdrawn',
      { live_grant: { ...sampleGrant, withdrawn_at: '2026-02-01T00:00:00.000Z' } },
    ],
  ])('%s; the caller is told the number', async (_, changes) => {
    const number = newNumber();
    await storedProject(number, changes);
    const document = await callIn(number);
    expect(document).not.toContain('<Dial');
    expect(document).toContain(spokenOffice);
  });

  test('to a premium-rate number', async () => {
    const number = newNumber();
    await storedProject(number, { agent: { ...defaultAgentSettings, callback_number: '+19005550142' } });
    expect(await callIn(number)).not.toContain('<Dial');
  });

  test('to a number of the service, which would loop', async () => {
    const [number, other] = [newNumber(), newNumber()];
    await storedProject(number, { agent: { ...defaultAgentSettings, callback_number: other } });
    await storedProject(other, { agent: { ...defaultAgentSettings, callback_number: number } });
    const own = newNumber();
    await storedProject(own, { agent: { ...defaultAgentSettings, callback_number: own } });
    for (const called of [number, other, own]) expect(await callIn(called)).not.toContain('<Dial');
  });
});

describe('a caller hears no number', () => {
  test.each<[string, (number: string) => Promise<unknown>]>([
    ['of which no project calls', async () => {}],
    [
      'whose project has no call-back number',
      (number) => storedProject(number, { agent: defaultAgentSettings }),
    ],
    [
      'that projects with different call-back numbers share',
      async (number) => {
        await storedProject(number);
        await storedProject(number, { agent: { ...defaultAgentSettings, callback_number: otherOffice } });
      },
    ],
    [
      'that only a project of the other carrier has',
      (number) => storedProject(number, { carrier: 'sandbox' }),
    ],
  ])('from a number %s', async (_, prepare) => {
    const number = newNumber();
    await prepare(number);
    const document = await callIn(number);
    expect(document).toContain('This number only makes calls');
    expect(document).not.toMatch(/\d \d \d|<Dial/);
  });

  test('from an invalid form', async () => {
    expect(await callIn('anonymous')).toContain('<Hangup/>');
  });
});
