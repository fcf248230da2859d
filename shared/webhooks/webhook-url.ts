import { isIP } from 'node:net';
import {
  AddressRefusedError,
  checkedAddresses,
  hostOf,
  isLoopbackHost,
  isPublicAddress,
  type WebhookNetwork,
} from './address.ts';

const maxUrlLength = 2048;

/** Names resolved only within a machine or local network (RFC 6761, RFC 6762, ICANN for `internal`). */
const localNames = /(?:^|\.)(?:localhost|local|internal)$/;

/**
 * Why a URL cannot be a webhook endpoint, as a sentence, or null if it can. Checked when an endpoint is saved and
 * before each attempt, so that stricter rules apply to old endpoints too. `URL` parses hosts by the WHATWG rules,
 * which normalize an IPv4 address in octal, hexadecimal or as one number.
 */
export function webhookUrlProblem(
  text: string,
  { allowsLoopback }: Pick<WebhookNetwork, 'allowsLoopback'>,
): string | null {
  if (text.length > maxUrlLength) return `The webhook URL must not be longer than ${maxUrlLength} characters`;
  if (!URL.canParse(text)) return 'The webhook URL must be complete, such as https://hooks.example.com/calls';
  const url = new URL(text);
  if (hasUserinfo(text))
    return 'The webhook URL must not contain a user name or password: verify signatures instead';
  if (text.includes('#')) return 'The webhook URL must not contain # or what follows it';
  const isOnThisMachine = allowsLoopback && isLoopbackHost(url);
  // Plain HTTP never leaves the machine: it is for receivers beside the local stack.
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnThisMachine)) {
    return 'The webhook URL must begin with https://';
  }
  if (isOnThisMachine) return null;
  if (url.port !== '' && Number(url.port) < 1024) {
    return 'The port of the webhook URL must be 443, or 1024 or above';
  }
  return hostProblem(hostOf(url));
}

/**
 * Checks the text, because `URL` drops the empty user info of `https://@host`; treats tabs, line ends and `\\` like
 * `URL`.
 */
function hasUserinfo(text: string): boolean {
  const afterScheme = text.replaceAll(/[\t\n\r]/g, '').replace(/^[^:]*:[\\/]*/, '');
  const [authority = ''] = afterScheme.split(/[\\/?#]/, 1);
  return authority.includes('@');
}

function hostProblem(host: string): string | null {
  if (isIP(host) !== 0) {
    return isPublicAddress(host) ? null : 'The webhook URL must lead to a public address';
  }
  if (!host.includes('.') || localNames.test(host)) {
    return 'The host of the webhook URL must be a public name, such as hooks.example.com';
  }
  return null;
}

/** As `webhookUrlProblem`; the host must also resolve, to public addresses only. */
export async function webhookAddressProblem(text: string, network: WebhookNetwork): Promise<string | null> {
  const problem = webhookUrlProblem(text, network);
  if (problem !== null) return problem;
  try {
    await checkedAddresses(network, new URL(text));
    return null;
  } catch (error) {
    return error instanceof AddressRefusedError
      ? 'The host of the webhook URL must have only public addresses'
      : 'The host of the webhook URL cannot be found; check its spelling';
  }
}
