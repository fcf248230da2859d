/**
 * Why an address cannot be a webhook endpoint, as a sentence, or null when it can. Asked when an endpoint is saved and
 * again before each attempt, so that a rule that became stricter holds for old endpoints too.
 */
export function webhookUrlProblem(url: string): string | null {
  if (!URL.canParse(url)) return 'The webhook URL must be an absolute URL';
  const { protocol, username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'The webhook URL must not contain credentials';
  if (protocol === 'https:') return null;
  // Plain HTTP never leaves the machine: it serves receivers that run next to the local stack.
  if (protocol === 'http:' && isLoopback(hostname)) return null;
  return 'The webhook URL must use https';
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
