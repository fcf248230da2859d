import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { computeSignature } from '#shared/carrier/signature.ts';

export type RequestOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Without parameters, such as `text/xml`; empty without a header. */
      readonly contentType: string;
      readonly body: string;
    }
  /** `ct`: no connection. `rt`: connected, but no response in time or a broken one. */
  | { readonly kind: 'ct' | 'rt' };

/**
 * A signed request of the carrier to the application, with the retries in the URL's fragment
 * (twilio.com/docs/usage/webhooks/webhooks-connection-overrides): by default one, and only without a connection. The
 * fragment is neither sent nor signed. Redirects are not followed, because they would lose the form.
 */
export async function sendSigned({
  url,
  method,
  form,
  authToken,
  signedUrl,
}: {
  url: string;
  method: 'GET' | 'POST';
  form: Readonly<Record<string, string>>;
  authToken: string;
  /** When the signature is to cover another spelling of the URL. */
  signedUrl?: string;
}): Promise<RequestOutcome> {
  const fragmentAt = url.indexOf('#');
  const target = fragmentAt < 0 ? url : url.slice(0, fragmentAt);
  const overrides = readOverrides(fragmentAt < 0 ? '' : url.slice(fragmentAt + 1));
  const parameters = new URLSearchParams(form);
  const address = method === 'GET' ? withQuery(target, parameters) : target;
  const body = method === 'GET' ? null : parameters.toString();
  const signature = computeSignature(
    authToken,
    signedUrl ?? address,
    method === 'GET' ? [] : Object.entries(form),
  );
  const deadlineMs = Date.now() + overrides.totalTimeoutMs;
  const idempotencyToken = randomUUID();
  for (let retry = 0; ; retry += 1) {
    const outcome = await attempt(address, body, deadlineMs, overrides, {
      'X-Twilio-Signature': signature,
      'User-Agent': 'SandboxPhone/1.0',
      Accept: '*/*',
      ...(retry === 0 ? {} : { 'I-Twilio-Idempotency-Token': idempotencyToken }),
    });
    const mayRetry =
      retry < overrides.retries && Date.now() < deadlineMs && isRetried(outcome, overrides.retriedOn);
    if (!mayRetry) return outcome;
  }
}

interface Overrides {
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retries: number;
  readonly retriedOn: readonly string[];
}

/** Clamps values to their range. */
function readOverrides(fragment: string): Overrides {
  const parameters = new URLSearchParams(fragment);
  const numberOf = (name: string, low: number, high: number, standard: number): number => {
    const text = parameters.get(name);
    return text === null || !/^\d+$/.test(text) ? standard : Math.min(high, Math.max(low, Number(text)));
  };
  return {
    connectTimeoutMs: numberOf('ct', 100, 10_000, 5000),
    readTimeoutMs: numberOf('rt', 100, 15_000, 15_000),
    totalTimeoutMs: numberOf('tt', 100, 15_000, 15_000),
    retries: numberOf('rc', 0, 5, 1),
    retriedOn: (parameters.get('rp') ?? 'ct').split(','),
  };
}

function isRetried(outcome: RequestOutcome, retriedOn: readonly string[]): boolean {
  const cause =
    outcome.kind !== 'answered'
      ? outcome.kind
      : outcome.status >= 500
        ? '5xx'
        : outcome.status >= 400
          ? '4xx'
          : null;
  return cause !== null && (retriedOn.includes(cause) || retriedOn.includes('all'));
}

function withQuery(url: string, parameters: URLSearchParams): string {
  return parameters.size === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${parameters}`;
}

/** Documents are small; a longer response is cut off. */
const maxBodyBytes = 256 * 1024;

/** `fetch` cannot distinguish a slow connection from a slow response, which the retry rules require. */
function attempt(
  url: string,
  body: string | null,
  deadlineMs: number,
  { connectTimeoutMs, readTimeoutMs }: Overrides,
  headers: Record<string, string>,
): Promise<RequestOutcome> {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    let isConnected = false;
    const request = send(url, {
      method: body === null ? 'GET' : 'POST',
      // Every call of a real carrier comes from another machine; a kept-alive connection would hide connection
      // failures.
      agent: false,
      headers:
        body === null
          ? headers
          : {
              ...headers,
              'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
              'Content-Length': Buffer.byteLength(body),
            },
    });
    let timer: NodeJS.Timeout | undefined;
    const finish = (outcome: RequestOutcome): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(outcome);
    };
    const limit = (timeoutMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(
        () => finish({ kind: isConnected ? 'rt' : 'ct' }),
        Math.max(1, Math.min(timeoutMs, deadlineMs - Date.now())),
      );
    };
    limit(connectTimeoutMs);
    request.on('socket', (socket) => {
      socket.once(url.startsWith('https:') ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        limit(readTimeoutMs);
      });
    });
    request.on('error', () => finish({ kind: isConnected ? 'rt' : 'ct' }));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        limit(readTimeoutMs);
        size += chunk.length;
        if (size <= maxBodyBytes) chunks.push(chunk);
      });
      response.on('error', () => finish({ kind: 'rt' }));
      response.on('end', () =>
        finish({
          kind: 'answered',
          status: response.statusCode ?? 0,
          contentType: (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    request.end(body ?? undefined);
  });
}
