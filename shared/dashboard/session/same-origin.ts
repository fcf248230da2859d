/**
 * Whether a change request came from our own pages. Current browsers say where a request comes from (Fetch Metadata);
 * older ones name the origin of a form. A request without either is not from a signed-in person's browser.
 */
export function isFromOwnPage(header: (name: string) => string | undefined, origin: string): boolean {
  const site = header('sec-fetch-site');
  const sender = header('origin');
  if (site === undefined && sender === undefined) return false;
  return (site === undefined || site === 'same-origin') && (sender === undefined || sender === origin);
}
