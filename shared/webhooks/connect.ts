import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { AddressRefusedError, checkedAddresses, hostOf, type WebhookNetwork } from './address.ts';
import { webhookUrlProblem } from './webhook-url.ts';

export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt at any stage: resolving, connecting, sending, or reading the response. */
  readonly signal: AbortSignal;
}

/**
 * Posts once and returns the response as soon as its head arrives; the caller must destroy the body when it has
 * read enough. The host is resolved once, every address is checked, and the connection goes to one of exactly
 * these addresses, so DNS rebinding gains nothing. Uses no proxy, follows no redirect, and requires a
 * certificate for the name.
 *
 * Throws an `AddressRefusedError` before anything is sent, the signal's reason when aborted, or Node's
 * connection errors.
 */
export async function postWebhook(network: WebhookNetwork, post: WebhookPost): Promise<IncomingMessage> {
  if (webhookUrlProblem(post.url, network) !== null) throw new AddressRefusedError();
  const url = new URL(post.url);
  const addresses = await checkedAddresses(network, url, post.signal);
  return responseTo(post, url, addresses);
}

function responseTo(
  { headers, body, signal }: WebhookPost,
  url: URL,
  addresses: readonly string[],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'http:' ? http : https;
    const sent = request(
      {
        method: 'POST',
        hostname: hostOf(url),
        port: url.port === '' ? undefined : Number(url.port),
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
        // A connection of its own: the check of a kept-alive one is outdated, and Node's shared agent may use a proxy.
        agent: false,
        lookup: only(addresses),
        rejectUnauthorized: true,
      },
      (response) => {
        signal.addEventListener('abort', () => response.destroy(asError(signal.reason)), { once: true });
        resolve(response);
      },
    );
    signal.addEventListener('abort', () => sent.destroy(asError(signal.reason)), { once: true });
    sent.on('error', reject);
    // A request that ends without either must not leave its worker waiting.
    sent.on('close', () =>
      reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' })),
    );
    // An unrequested protocol switch (101) is not a response event, and has no body.
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      response.destroy();
      resolve(response);
    });
    sent.end(body);
  });
}

/** A resolver that returns the already checked addresses. */
function only(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('aborted');
}
