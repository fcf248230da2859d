import { calledBy } from '../functions/function-definition.ts';
import type { InvocableFunction } from '../functions/function-pool.ts';
import type { InvocationResult } from '../functions/invocation-result.ts';
import { LocalStackError } from '../local-stack-error.ts';

/** API Gateway's limit for an integration; the function itself continues. */
export const integrationLimitMs = 29_000;

export type IntegrationResult = InvocationResult | { readonly kind: 'timed-out' };

/** Invokes a function as an API does: the caller gets a response within the limit. */
export async function integrate(
  target: InvocableFunction,
  event: unknown,
  limitMs: number,
): Promise<IntegrationResult> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<IntegrationResult>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timed-out' }), limitMs);
  });
  try {
    return await Promise.race([target.invoke(event), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** The function that an integration's URI names. */
export function functionOfUri(
  uri: string,
  functions: readonly InvocableFunction[],
  where: string,
): InvocableFunction {
  const arn = calledBy(uri);
  const found = functions.find(({ definition }) => definition.arn === arn);
  if (found === undefined) {
    throw new LocalStackError(`${where} calls ${uri}, which is no function of the template`);
  }
  return found;
}

/** `21/Nov/2026:04:00:16 +0000`, as both kinds of API write it into events. */
export function requestTime(at: Date): string {
  const [, month, day, year, time] = /^\w+, (\w+) (\d+), (\d+), (.+)$/.exec(longForm.format(at)) ?? [];
  return `${day}/${month}/${year}:${time?.replace(/^24/, '00')} +0000`;
}

const longForm = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
  timeZone: 'UTC',
});
