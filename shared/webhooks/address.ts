import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Below a function's request timeout. */
const resolveTimeoutMs = 5_000;

/** How to reach receivers of webhooks. */
export interface WebhookNetwork {
  /** Whether receivers on this machine are allowed, also by plain HTTP: only in the local stack. */
  readonly allowsLoopback: boolean;
  /** All addresses of a name; throws if it has none. */
  resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * This machine's network, with its resolver.
 *
 * @param loopback `allowed` for a stack with receivers beside it
 */
export function openWebhookNetwork(loopback: string): WebhookNetwork {
  return {
    allowsLoopback: loopback === 'allowed',
    resolve: async (hostname) => {
      const found = await lookup(hostname, { all: true });
      return found.map(({ address }) => address);
    },
  };
}

/** A refused receiver address. Its message contains no address, because it is logged. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  constructor() {
    super('the address is not one of the public internet');
  }
}

/**
 * The addresses of a URL's host, resolved once, all of which are allowed. Throws an `AddressRefusedError` if any is
 * not, what the resolver throws for a name without addresses, and the signal's reason.
 */
export async function checkedAddresses(
  network: WebhookNetwork,
  url: URL,
  signal: AbortSignal = AbortSignal.timeout(resolveTimeoutMs),
): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) !== 0 ? [host] : await unlessAborted(signal, network.resolve(host));
  const isAllowed = network.allowsLoopback && isLoopbackHost(url) ? isLoopbackAddress : isPublicAddress;
  if (addresses.length === 0 || !addresses.every(isAllowed)) throw new AddressRefusedError();
  return addresses;
}

/** The resolver cannot be aborted; its result is ignored. */
async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The host of a URL without an IPv6 address's brackets and a name's trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether the URL itself names this machine. */
export function isLoopbackHost(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}

/** The only part of IPv6 that global unicast addresses are allocated from (IANA, RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The returned (RFC 3701) and unused network of the 6bone. */
const returned = ipaddr.IPv6.parseCIDR('3ffe::/16');

/**
 * Whether an address is global unicast without special meaning. Refuses addresses that embed an IPv4 address (mapped,
 * compatible, translated, 6to4, Teredo, ISATAP), because a gateway on the way may unwrap it.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(globalUnicast) && !parsed.match(returned) && !isIsatap(parsed);
}

/**
 * ISATAP (RFC 5214, section 6.1): the interface identifier is 5efe, with or without the universal bit, and an IPv4
 * address.
 */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}
