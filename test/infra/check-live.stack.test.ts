import { expect, test } from 'vitest';
import type { Finding } from '../../infra/check-live/finding.ts';
import { runProcessOn } from '../support/command-run.ts';
import { stack, stackTable } from '../support/stack.ts';

test('checks the local stack and reports what it cannot check there', async () => {
  const { endpoints, outputs, baseUrl } = stack();
  const { stdout, stderr } = await runProcessOn(
    { endpoint: endpoints.dynamodb, kmsEndpoint: endpoints.kms },
    'check-live',
    [
      ...[
        '--table',
        stackTable().name,
        '--carrier-secret',
        String(outputs.SandboxCarrierSecretArn),
        '--json',
      ],
      ...['--carrier-url', `${baseUrl}/sandbox-phone`, '--alarm-topic', String(outputs.AlarmTopicArn)],
      ...['--bedrock-model', 'amazon.nova-lite-v1:0', '--timeout-seconds', '60'],
    ],
    {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
      // As in stack.env: nothing listens there.
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: 'http://127.0.0.1:9',
    },
  );
  expect(stderr).toBe('');
  const findings: Finding[] = JSON.parse(stdout).findings;
  expect(findings.find(({ check }) => check === 'account')?.todo).toContain('sandbox phone does not have');
  const states = Object.fromEntries(findings.map(({ check, state }) => [check, state]));
  expect(states).toMatchObject({
    'carrier secret': 'ok',
    'requests to the carrier': 'ok',
    account: 'cannot-tell',
    'addendum for ConversationRelay': 'cannot-tell',
    'concurrent executions of Lambda': 'cannot-tell',
    'alarms by mail': 'cannot-tell',
    'language model amazon.nova-lite-v1:0': 'cannot-tell',
  });
});
