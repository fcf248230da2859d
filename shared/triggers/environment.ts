/** An environment variable that the stack must have set; a function without it fails at start, where it is noticed. */
export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`environment variable ${name} is not set`);
  return value;
}

/** The directory of the function's code, and of the files that were laid next to it; the runtime sets it. */
export function codeDirectory(): string {
  return environment('LAMBDA_TASK_ROOT');
}
