/** The links to a list's adjacent pages; nothing for a single page. */
export function PageLinks({
  previous,
  next,
  words: [before, behind],
}: {
  /** URL of the previous page; null on the first. */
  readonly previous: string | null;
  /** URL of the next page; null on the last. */
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
