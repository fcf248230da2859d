import type { Child } from 'hono/jsx';

/**
 * A part of a page that reloads when its content changes, while the page is visible. Parts with an `id` are matched
 * wherever they move; screen readers announce new parts with `data-news`.
 *
 * @param versionAddress returns a text other than `version` once something has changed; null if nothing will
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
