import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { openWarmUp } from '#shared/calls/warm-up-for-answer.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { startTestServer } from '../../support/http-server.ts';
import { forThisTest } from '../../support/lifetime.ts';

const { config } = new SQSClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
});

/** A Lambda service that responds with this status, or never. */
async function lambda(status: number | null) {
  const { origin, requests } = await forThisTest(
    startTestServer((_, response) => {
      if (status !== null) response.writeHead(status).end();
    }),
  );
  return { requests, env: { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_LAMBDA: origin } };
}

test('invokes each function once, asynchronously, by a signed request that names no call', async () => {
  const { requests, env } = await lambda(202);
  await openWarmUp('carrier-callback,voice-agent', config, env)();
  expect(requests.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
    'POST /2015-03-31/functions/carrier-callback/invocations',
    'POST /2015-03-31/functions/voice-agent/invocations',
  ]);
  for (const { headers, body } of requests) {
    expect(body).toBe('{"warm_up":true}');
    expect(headers['x-amz-invocation-type']).toBe('Event');
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-east-1\/lambda\/aws4_request, SignedHeaders=\S+, Signature=/,
    );
  }
});

test.each([[429], [500], [null]])('ignores a response %s from Lambda, without a retry', async (status) => {
  const { requests, env } = await lambda(status);
  const log = await capturedLog(openWarmUp('voice-agent', config, env));
  expect(requests).toHaveLength(1);
  expect(log).toContain('warm-up-failed');
});

test('ignores a refused connection', async () => {
  const log = await capturedLog(
    openWarmUp('voice-agent', config, { AWS_ENDPOINT_URL_LAMBDA: 'http://127.0.0.1:9' }),
  );
  expect(log).toContain('warm-up-failed');
});

test('does nothing without function names', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  await openWarmUp('', config, {})();
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});
