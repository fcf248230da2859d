/** A problem that the user of the local stack can fix; its message says how. */
export class LocalStackError extends Error {
  override readonly name = 'LocalStackError';
}
