import type { FunctionErrorDescription } from './function-messages.ts';

export type InvocationResult =
  | { readonly kind: 'succeeded'; readonly requestId: string; readonly payload: unknown }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: FunctionErrorDescription }
  /** The event is larger than Lambda takes, so the function was not asked. */
  | { readonly kind: 'event-too-large'; readonly requestId: string };

/** Lambda's limit for an event, and for a result, of a synchronous invocation. */
export const payloadLimitBytes = 6 * 1024 * 1024;

export function failure(requestId: string, errorType: string, errorMessage: string): InvocationResult {
  return { kind: 'failed', requestId, error: { errorType, errorMessage } };
}
