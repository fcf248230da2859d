/** The way from a page of a list to the next one; nothing on the last. @param next its address */
export function OlderLink({ next, what }: { readonly next: string | null; readonly what: string }) {
  return next === null ? null : (
    <p>
      <a href={next}>Older {what}</a>
    </p>
  );
}
