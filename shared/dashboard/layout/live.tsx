import type { Child } from 'hono/jsx';

/**
 * A part of a page that reloads when its content changes, while the page is visible.
 * Parts of it with an `id` are known again wherever they stand then; a `data-news` that was not there before
 * is announced by screen readers.
 *
 * @param versionAddress answers with another text than `version` as soon as something has changed; null when
 * nothing will
 */
export function Live({
  versionAddress,
  version,
  children,
}: {
  readonly versionAddress: string | null;
  readonly version: string;
  readonly children: Child;
}) {
  return (
    <>
      <p class="unseen" id="live-news" role="status" />
      <div
        id="live"
        {...(versionAddress === null ? {} : { 'data-live': versionAddress, 'data-version': version })}
      >
        {children}
      </div>
    </>
  );
}
