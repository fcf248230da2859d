/** Something that the person who started the local stack can put right; its message says what and how. */
export class LocalStackError extends Error {
  override readonly name = 'LocalStackError';
}
