/** The ways from a page of a list to those on both sides; nothing where there is only this one. */
export function PageLinks({
  newer,
  older,
  isReversed = false,
  what,
}: {
  /** Address of the page before this one; null on the first. */
  readonly newer: string | null;
  /** Address of the page behind this one; null on the last. */
  readonly older: string | null;
  /** Whether the oldest stand first. */
  readonly isReversed?: boolean;
  readonly what: string;
}) {
  const [before, behind] = isReversed ? ['Older', 'Newer'] : ['Newer', 'Older'];
  return newer === null && older === null ? null : (
    <nav class="pages" aria-label="Pages">
      {newer === null ? null : <a href={newer} rel="prev">{`${before} ${what}`}</a>}
      {older === null ? null : <a href={older} rel="next">{`${behind} ${what}`}</a>}
    </nav>
  );
}
