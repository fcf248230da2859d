/** The ways from a page of a list to those on both sides; nothing where there is only this one. */
export function PageLinks({
  previous,
  next,
  words: [before, behind],
}: {
  /** Address of the page before this one; null on the first. */
  readonly previous: string | null;
  /** Address of the page behind this one; null on the last. */
  readonly next: string | null;
  /** The texts of both links. */
  readonly words: readonly [string, string];
}) {
  return previous === null && next === null ? null : (
    <nav class="pages" aria-label="Pages">
      {previous === null ? null : (
        <a href={previous} rel="prev">
          {before}
        </a>
      )}
      {next === null ? null : (
        <a href={next} rel="next">
          {behind}
        </a>
      )}
    </nav>
  );
}
