import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProposingModel } from '#shared/voice-agent/core/conversation-core.ts';
import { openingWords } from '#shared/voice-agent/core/wording.ts';
import { openOpenAiModel } from '#shared/voice-agent/language-model/open-openai-model.ts';
import { actionsOf, heardAfter, planOf, spokenIn, viewed } from '../../../support/dialogue-turns.ts';
import { type FakeOpenAi, type Refusal, speaks, startFakeOpenAi } from '../../../support/fake-openai.ts';
import { respondJson, startTestServer, type TestServer } from '../../../support/http-server.ts';
import { reasonOf } from '../../../support/transport-cases.ts';

const secretArn = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:model-key-AbCdEf';
const plan = planOf({ task_type: 'VERIFY_INSURANCE', task: 'Verify the benefits.' });
const input = await viewed(heardAfter(plan, [openingWords(plan), 'P: Hello?']));

let secrets: TestServer;
let service: FakeOpenAi;
let refusal: Refusal | null;
/** What the secret holds; `null` when it cannot be read. */
let stored: string | null;

beforeEach(async () => {
  refusal = null;
  stored = 'first-key\n';
  secrets = await startTestServer((_, response) =>
    stored === null
      ? respondJson(response, 400, { __type: 'AccessDeniedException' })
      : respondJson(response, 200, { ARN: secretArn, SecretString: stored }),
  );
  service = await startFakeOpenAi(() => refusal ?? speaks('Hello. Who is this?'));
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secrets.origin);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await secrets.stop();
  await service.stop();
});

function open(arn: string): ProposingModel {
  return openOpenAiModel({ baseUrl: `${service.origin}/v1`, model: 'm', secretArn: arn }, () => undefined);
}

test('the key is read on first use, then cached', async () => {
  const model = open(secretArn);
  expect(secrets.requests).toEqual([]);
  expect(spokenIn(await actionsOf(model, input))).toBe('Hello. Who is this?');
  await actionsOf(model, input);
  expect(secrets.requests).toHaveLength(1);
  expect(service.keys).toEqual(['Bearer first-key', 'Bearer first-key']);
});

test('a refused key is read again, because it may have been rotated', async () => {
  const model = open(secretArn);
  refusal = { status: 401 };
  expect(await reasonOf(actionsOf(model, input))).toBe('access-denied');
  [refusal, stored] = [null, 'second-key'];
  await actionsOf(model, input);
  expect(service.keys).toEqual(['Bearer first-key', 'Bearer second-key']);
});

test.each([null, ''])(
  'a secret that gives no key (%j) fails the turn, and is read again',
  async (content) => {
    const model = open(secretArn);
    stored = content;
    expect(await reasonOf(actionsOf(model, input))).toBe('access-denied');
    expect(service.requests).toEqual([]);
    stored = 'first-key';
    await actionsOf(model, input);
    expect(service.keys).toEqual(['Bearer first-key']);
  },
);

test('without a secret no key is sent', async () => {
  await actionsOf(open(''), input);
  expect(secrets.requests).toEqual([]);
  expect(service.keys).toEqual([undefined]);
});
