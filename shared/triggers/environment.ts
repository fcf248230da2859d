/** An environment variable that the stack must have set; a function without it fails at start, where it is noticed. */
export function environment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`environment variable ${name} is not set`);
  return value;
}
