import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Below the time that a function has for a request. */
const resolveTimeoutMs = 5_000;

/** How receivers of webhooks are reached from here. */
export interface WebhookNetwork {
  /** Whether receivers on this very machine may be reached, by plain HTTP too: so it is for the local stack only. */
  readonly allowsLoopback: boolean;
  /** All addresses of a name; throws when it has none. */
  resolve(hostname: string): Promise<readonly string[]>;
}

/**
 * The network of this machine, with its own resolver.
 *
 * @param loopback `allowed` for a stack whose receivers run next to it
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

/** A receiver's address is one that webhooks are not sent to. Its message names no address: it goes into the log. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';

  constructor() {
    super('the address is not one of the public internet');
  }
}

/**
 * The addresses of a URL's host, resolved once, all of which may be connected to. Throws an `AddressRefusedError` when
 * only one of them may not, what the resolver throws when the name has none, and the signal's reason.
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

/** The host of a URL without the brackets around an IPv6 address and without the dot that may end a name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Whether the URL itself says that it means this machine. */
export function isLoopbackHost(url: URL): boolean {
  const host = hostOf(url);
  return host === 'localhost' || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && ipaddr.parse(address).range() === 'loopback';
}

/** The only part of IPv6 from which global unicast addresses are given out (IANA, RFC 4291). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** The network of the 6bone, which was returned (RFC 3701) and is unused. */
const returned = ipaddr.IPv6.parseCIDR('3ffe::/16');

/**
 * Whether an address is global unicast and nothing special. Addresses that embed an IPv4 address are refused
 * (mapped, compatible, translated, 6to4, Teredo, ISATAP), because a gateway on the way may unwrap it.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv4) return true;
  return parsed.match(globalUnicast) && !parsed.match(returned) && !isIsatap(parsed);
}

/** ISATAP (RFC 5214, section 6.1): the interface identifier is 5efe, with or without the universal bit, and an IPv4. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}
