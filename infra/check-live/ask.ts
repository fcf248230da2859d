import { XMLParser } from 'fast-xml-parser';

/** The result of a request: a response of any status, or none. */
export type Reply =
  | { readonly status: number; readonly text: string }
  | { readonly status: null; readonly why: 'timeout' | 'unreachable' };

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}

/** Sends one request and waits for the whole response, without following redirects; never throws. */
export async function ask(url: string, { timeoutMs, ...request }: Asked): Promise<Reply> {
  try {
    const response = await fetch(url, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { status: null, why: isLate ? 'timeout' : 'unreachable' };
  }
}

/** Why a reply is inconclusive, as the second half of a sentence. */
export function whyNoAnswer(reply: Reply): string {
  if (reply.status === null) {
    return reply.why === 'timeout' ? 'did not answer in time' : 'could not be reached';
  }
  if (reply.status === 429) return 'is throttling requests (status 429)';
  if (reply.status >= 500) return `failed (status ${reply.status})`;
  return reply.status < 400
    ? `sent an unknown form of response (status ${reply.status})`
    : `refused the request (status ${reply.status})`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const xml = new XMLParser({ isArray: (name) => name === 'member', parseTagValue: false });

/** Every `member`, AWS's name for list entries, as an array; null if this is no XML. */
export function parseXml(text: string): unknown {
  try {
    return xml.parse(text);
  } catch {
    return null;
  }
}
