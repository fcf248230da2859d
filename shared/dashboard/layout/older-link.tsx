/** The link to a list's next page; nothing on the last. @param next its URL */
export function OlderLink({ next, what }: { readonly next: string | null; readonly what: string }) {
  return next === null ? null : (
    <p>
      <a href={next}>Older {what}</a>
    </p>
  );
}
