import { SignatureV4 } from '@smithy/signature-v4';
import { awsDomain, type SigningConfig } from '#shared/aws/signed-requests.ts';
import type { WarmUp } from '#shared/domain/warm-up.ts';
import { logError } from '#shared/observability/log.ts';

/** Starts the functions that the answer to a call needs. Never throws, and takes at most `longestWarmUpMs`. */
export type WarmUpForAnswer = () => Promise<void>;

const longestWarmUpMs = 1_000;
const event: WarmUp = { warm_up: true };

/**
 * Invokes functions asynchronously, each once (Lambda's Invoke, type `Event`), by a signed request, because a Lambda
 * client would slow every cold start of the caller.
 *
 * @param names comma-separated; empty for none
 * @param config of any AWS client
 */
export function openWarmUp(names: string, config: SigningConfig, env = process.env): WarmUpForAnswer {
  const functions = names.split(',').filter((name) => name !== '');
  const signer = new SignatureV4({ ...config, service: 'lambda' });
  const invoke = async (name: string): Promise<void> => {
    const { protocol, hostname, port, pathname, host, href } = invocationUrl(name, env);
    const body = JSON.stringify(event);
    const { headers } = await signer.sign({
      method: 'POST',
      protocol,
      hostname,
      ...(port === '' ? {} : { port: Number(port) }),
      path: pathname,
      headers: { host, 'content-type': 'application/json', 'x-amz-invocation-type': 'Event' },
      body,
    });
    const signal = AbortSignal.timeout(longestWarmUpMs);
    const response = await fetch(href, { method: 'POST', headers, body, signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Lambda answered ${response.status}`);
  };
  return async () => {
    const invoked = await Promise.allSettled(functions.map(invoke));
    for (const one of invoked) if (one.status === 'rejected') logError('warm-up-failed', one.reason);
  };
}

/** The endpoint that the SDK would use: from the environment, otherwise Lambda in the function's region. */
function invocationUrl(name: string, env: NodeJS.ProcessEnv): URL {
  const region = env.AWS_REGION ?? '';
  const regional = `https://lambda.${region}.${awsDomain(region)}`;
  const origin = env.AWS_ENDPOINT_URL_LAMBDA ?? env.AWS_ENDPOINT_URL ?? regional;
  return new URL(`/2015-03-31/functions/${encodeURIComponent(name)}/invocations`, origin);
}
