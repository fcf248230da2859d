/**
 * Whether a request that changes something came from one of our own pages. Every browser of today says where
 * a request comes from (Fetch Metadata); older ones name the origin of a form. One that says neither is no
 * browser of a person who is signed in.
 */
export function isFromOwnPage(header: (name: string) => string | undefined, origin: string): boolean {
  const site = header('sec-fetch-site');
  const sender = header('origin');
  if (site === undefined && sender === undefined) return false;
  return (site === undefined || site === 'same-origin') && (sender === undefined || sender === origin);
}
