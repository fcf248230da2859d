/** `insurance.medical[0].phone_number`; the body itself has the empty path. */
export function formatPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body';
  return path
    .map((step, position) =>
      typeof step === 'number' ? `[${step}]` : `${position === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}
