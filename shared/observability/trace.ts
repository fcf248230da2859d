import type { SQSClient } from '@aws-sdk/client-sqs';
import { annotateLog, loggedField } from './log.ts';

/*
 * The trace of the request that created a task follows its work: the task, its calls and messages sent for them carry
 * the ID. X-Ray links the receivers' traces to it; log lines have it as `trace_id`.
 */

/**
 * The trace ID of a tracing header
 * (docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader), as a log field; empty for
 * an unsampled trace.
 */
export function traceField(header = process.env._X_AMZN_TRACE_ID): { trace_id?: string } {
  const { Root, Sampled } = partsOf(header ?? '');
  return Root === undefined || Sampled !== '1' ? {} : { trace_id: Root };
}

/** Attributes what follows to the trace of a task or call, if the request that created it was traced. */
export function followTrace({ trace_id = null }: { readonly trace_id?: string | null | undefined }): void {
  if (trace_id !== (loggedField('trace_id') ?? null)) annotateLog({ trace_id });
}

/** The trace to store with a new task. */
export function keptTrace(): { trace_id?: string } {
  const trace_id = loggedField('trace_id');
  return typeof trace_id === 'string' ? { trace_id } : {};
}

/** Makes the client send messages under the log's trace instead of the invocation's. */
export function carryTrace(client: SQSClient): SQSClient {
  client.middlewareStack.add(
    (next) => (args) => {
      const { trace_id } = keptTrace();
      if (trace_id !== undefined) setHeader(args.request, 'X-Amzn-Trace-Id', headerFor(trace_id));
      return next(args);
    },
    // Runs before the SDK's own middleware, which keeps an existing header.
    { step: 'build', priority: 'high', name: 'carryTrace', override: true },
  );
  return client;
}

/** Lambda detects recursive loops by `Lineage`. */
function headerFor(traceId: string): string {
  const { Lineage } = partsOf(process.env._X_AMZN_TRACE_ID ?? '');
  return [`Root=${traceId}`, 'Sampled=1', ...(Lineage === undefined ? [] : [`Lineage=${Lineage}`])].join(';');
}

function partsOf(header: string): Partial<Record<string, string>> {
  return Object.fromEntries(header.split(';').map((part) => part.trim().split('=', 2)));
}

function setHeader(request: unknown, name: string, value: string): void {
  if (typeof request !== 'object' || request === null || !('headers' in request)) return;
  Object.assign(request.headers ?? {}, { [name]: value });
}
