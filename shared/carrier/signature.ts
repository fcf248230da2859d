import { createHmac, timingSafeEqual } from 'node:crypto';

/** Decoded form parameters in any order; a `URLSearchParams` is one. Empty for a request without a form. */
export type SignedParameters = Iterable<readonly [name: string, value: string]>;

/**
 * The `X-Twilio-Signature` of a request: base64 of HMAC-SHA1 over the URL, followed by every parameter's name
 * and value, names sorted by code unit. Empty values count; of a repeated name each distinct value counts
 * once, sorted, with the name in front (twilio.com/docs/usage/webhooks/webhooks-security).
 *
 * @param url exactly as given to the carrier; its fragment, which only configures the carrier's retries, is not signed
 */
export function computeSignature(authToken: string, url: string, params: SignedParameters): string {
  const valuesByName = new Map<string, Set<string>>();
  for (const [name, value] of params) {
    const values = valuesByName.get(name);
    if (values === undefined) valuesByName.set(name, new Set([value]));
    else values.add(value);
  }
  let signed = withoutFragment(url);
  for (const name of [...valuesByName.keys()].sort()) {
    for (const value of [...(valuesByName.get(name) ?? [])].sort()) signed += name + value;
  }
  return createHmac('sha1', authToken).update(signed, 'utf8').digest('base64');
}

/**
 * Whether one of the tokens signed this request. Several tokens are valid during a rotation. The carrier sometimes
 * signs the standard port and sometimes omits it, so both forms are accepted. Comparison takes constant time.
 */
export function verifySignature(
  authTokens: readonly string[],
  signature: string | undefined,
  url: string,
  params: SignedParameters,
): boolean {
  if (signature === undefined) return false;
  const given = Buffer.from(signature);
  const pairs = [...params];
  let valid = false;
  for (const authToken of authTokens) {
    for (const candidate of withAndWithoutStandardPort(withoutFragment(url))) {
      const expected = Buffer.from(computeSignature(authToken, candidate, pairs));
      // No early exit: the duration of a refusal must not reveal which candidate came close.
      if (given.length === expected.length && timingSafeEqual(given, expected)) valid = true;
    }
  }
  return valid;
}

const standardPorts: Readonly<Record<string, string>> = {
  'https://': ':443',
  'wss://': ':443',
  'http://': ':80',
  'ws://': ':80',
};

/** Works on the text, because parsing and printing a URL may change characters that the carrier signed. */
function withAndWithoutStandardPort(url: string): string[] {
  const parts = /^([a-z]+:\/\/)(\[[^\]]*\]|[^/:?]*)(:\d+)?(.*)$/is.exec(url);
  const [, scheme, host, port = '', rest] = parts ?? [];
  const standardPort = scheme === undefined ? undefined : standardPorts[scheme.toLowerCase()];
  if (scheme === undefined || host === undefined || rest === undefined || standardPort === undefined)
    return [url];
  if (port === '') return [url, `${scheme}${host}${standardPort}${rest}`];
  return port === standardPort ? [url, `${scheme}${host}${rest}`] : [url];
}

function withoutFragment(url: string): string {
  const start = url.indexOf('#');
  return start === -1 ? url : url.slice(0, start);
}
