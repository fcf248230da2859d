import { glob, readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bucketAuditCopies } from '#shared/audit/audit-copies.ts';
import { openFailFastQueue, openQueue } from '#shared/aws/message-queue.ts';
import { enqueueCallMessage } from '#shared/calls/call-queue.ts';
import { sessionKey } from '#shared/dashboard/session/session-key.ts';
import { openKmsEnvelope } from '#shared/encryption/kms-envelope.ts';
import { enqueueErasure } from '#shared/erasure/erasure-queue.ts';
import { enqueueRecording } from '#shared/recordings/recording-queue.ts';
import { bucketRecordingStore } from '#shared/recordings/recording-store.ts';
import { getItem, openSandboxStore } from '#shared/sandbox-phone/store/sandbox-store.ts';
import { openTable } from '#shared/table/client.ts';
import { getProject } from '#shared/table/project.ts';
import { openNoInputTimer } from '#shared/voice-agent/session/no-input-timer.ts';
import { enqueueDelivery } from '#shared/webhooks/delivery-queue.ts';
import { startTestServer } from '../../support/http-server.ts';
import { forThisFile } from '../../support/lifetime.ts';

const silent = await forThisFile(startTestServer(() => {}));
const queueUrl = `${silent.origin}/000000000000/queue`;
const id = '01930000-0000-7000-8000-000000000001';
const message = { kind: 'dial', task_id: id } as const;

/** Every client of a function, by service. */
const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  'reads the table': () => getProject(openTable('table'), id),
  'reads the sandbox phone’s table': () => getItem(openSandboxStore('table'), 'call', 'CA1'),
  'sends a call message': () => enqueueCallMessage(openQueue(queueUrl), message),
  'sends a call message for a client who waits': () =>
    enqueueCallMessage(openFailFastQueue(queueUrl), message),
  'sends a recording': () => enqueueRecording(openQueue(queueUrl), { task_id: id, call_id: id }),
  'sends a delivery': () => enqueueDelivery(openQueue(queueUrl), { pk: 'a', sk: 'b' }),
  'sends an erasure': () => enqueueErasure(openQueue(queueUrl), { kind: 'erasure', id }),
  'sends an erasure for a client who waits': () =>
    enqueueErasure(openFailFastQueue(queueUrl), { kind: 'erasure', id }),
  'watches a conversation': () => openNoInputTimer(queueUrl, 9).schedule({ call_id: id }, 1000),
  'reads the session secret': sessionKey('secret'),
  'opens a secret': () => openKmsEnvelope('key').open('c2VjcmV0', {}),
};

const objectRequests: typeof requests = {
  'reads a recording': () => bucketRecordingStore('bucket', async () => null).open('recordings/a/b.wav'),
  'lists audit copies': () => bucketAuditCopies('bucket').list(id).next(),
};

/** How long a request takes to fail, by the clock of its timers. */
async function secondsUntilFailure(ask: () => Promise<unknown>): Promise<number> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let failure: unknown = null;
    ask().catch((error: unknown) => {
      failure = error;
    });
    let tenths = 0;
    for (; failure === null && tenths < 600; tenths += 1) {
      await vi.advanceTimersByTimeAsync(100);
      // What was sent meanwhile arrives.
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    }
    expect(failure).toMatchObject({ name: expect.stringMatching(/Timeout/) });
    return tenths / 10;
  } finally {
    vi.useRealTimers();
  }
}

describe('an AWS service that accepts a request and never responds', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ENDPOINT_URL', silent.origin);
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  });

  test.each(Object.entries(requests))('leaves a ten-second function time for more: %s', async (_, ask) => {
    expect(await secondsUntilFailure(ask)).toBeLessThan(9);
  });

  test.each(Object.entries(objectRequests))(
    'leaves a one-minute function time for more: %s',
    async (_, ask) => {
      expect(await secondsUntilFailure(ask)).toBeLessThan(35);
    },
  );
});

test('no client of a function is created without limits', async () => {
  for await (const file of glob(['functions/**/*.ts', 'shared/**/*.ts'])) {
    // Has its own limits: a conversation aborts a language model by its signal.
    if (file.endsWith('bedrock-transport.ts')) continue;
    const source = await readFile(file, 'utf8');
    for (const [opened] of source.matchAll(/new (?!Sealing)\w+Client\([^;]*;/g))
      expect(opened, file).toMatch(/Limits\(/);
  }
});
