import * as z from 'zod/mini';

/**
 * The function's environment, parsed by its manifest's schema. A missing or invalid variable fails at start, where it
 * is noticed.
 */
export function readEnvironment<Schema extends z.ZodMiniType>(schema: Schema): z.output<Schema> {
  const read = z.safeParse(schema, process.env);
  if (read.success) return read.data;
  const names = read.error.issues.map(({ path, message }) => `${path.join('.')} (${message})`);
  throw new Error(`environment variables are missing or wrong: ${names.join(', ')}`);
}

/** The directory of the function's code and files; the runtime sets it. */
export function codeDirectory(): string {
  return readEnvironment(z.object({ LAMBDA_TASK_ROOT: z.string() })).LAMBDA_TASK_ROOT;
}
