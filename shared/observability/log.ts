import { AsyncLocalStorage } from 'node:async_hooks';
import { embeddedMetrics } from './metrics.ts';

/** IDs, states, counts and durations only. Never a name, date of birth, phone number, spoken word or header. */
export type LogFields = Record<string, string | number | boolean | null>;

const context = new AsyncLocalStorage<LogFields>();

/** Runs `work` so that every line it logs carries `fields`, on top of those of the surrounding context. */
export function withLogContext<Result>(fields: LogFields, work: () => Result): Result {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** Adds fields to the current context, for example the project once a request is authenticated. */
export function annotateLog(fields: LogFields): void {
  const current = context.getStore();
  if (current !== undefined) Object.assign(current, fields);
}

/** The current value of this log field. */
export function loggedField(name: string): LogFields[string] | undefined {
  return context.getStore()?.[name];
}

/** Writes one structured line. `event` is a fixed name in kebab-case; everything that varies is a field. */
export function log(event: string, fields: LogFields = {}): void {
  write('info', event, fields);
}

/**
 * Logs a failure by the error's name and stack frames, without its message: parsers and the SDK quote the offending
 * data there, which is health information.
 */
export function logError(event: string, error: unknown, fields: LogFields = {}): void {
  write('error', event, { ...fields, ...describeError(error) });
}

function write(level: 'info' | 'error', event: string, fields: LogFields): void {
  // Silences tests that call functions in their own process.
  if (process.env.LOG_LEVEL === 'silent') return;
  const now = new Date();
  const line = { time: now.toISOString(), level, event, ...context.getStore(), ...fields };
  const metrics = embeddedMetrics(event, line, process.env.STAGE, now);
  process.stdout.write(`${JSON.stringify({ ...line, ...metrics })}\n`);
}

function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_name: typeof error };
  return {
    error_name: error.name,
    error_stack: stackFrames(error),
    ...(error.cause instanceof Error
      ? { cause_name: error.cause.name, cause_stack: stackFrames(error.cause) }
      : {}),
  };
}

/** The `at …` lines below the message; a multiline message could itself contain something that looks like one. */
function stackFrames(error: Error): string {
  const stack = error.stack ?? '';
  const messageStart = error.message === '' ? -1 : stack.indexOf(error.message);
  const frames = messageStart < 0 ? stack : stack.slice(messageStart + error.message.length);
  return frames
    .split('\n')
    .filter((line) => /^ {4}at \S/.test(line))
    .slice(0, 10)
    .map((line) => line.trim())
    .join('\n');
}
